#!/usr/bin/env python3
"""Looks at the CUDA module as a file: what it holds, needs, shows, and whether it loads.

  check-gpu-module.py MODULE mt-gpu-api.h [ARCHES]     ARCHES: as gpu_archs, to see that they are all there

The code for devices lies in .nv_fatbin: containers, each with a header and entries of kind 1 (PTX) or 2 (machine code)
that name their architecture. cuobjdump would tell the same where it is installed.
"""
import ctypes
import re
import struct
import subprocess
import sys

CONTAINER, PTX, CODE = 0xBA55ED50, 1, 2
MAY_NEED = re.compile(r'^(libc\.so\.6|libm\.so\.6|ld-linux.*|libdl\.so\.2|librt\.so\.1|libpthread\.so\.0)$')   # all glibc's


def section(path, name):
    out = subprocess.run(['readelf', '-SW', path], capture_output=True, text=True, check=True).stdout
    found = re.search(r'%s\s+PROGBITS\s+\w+\s+(\w+)\s+(\w+)' % re.escape(name), out)
    if not found:
        sys.exit('%s has no section %s' % (path, name))
    with open(path, 'rb') as file:
        file.seek(int(found.group(1), 16))
        return file.read(int(found.group(2), 16))


def entries(data):
    """(kind, architecture), ..."""
    at = 0
    while at + 16 <= len(data):
        magic, _, header, size = struct.unpack_from('<IHHQ', data, at)
        if magic != CONTAINER:
            at += 8                  # padding between containers
            continue
        end = at + header + size
        at += header
        while at + 32 <= end:
            kind, _, entry_header, payload = struct.unpack_from('<HHIQ', data, at)
            yield kind, struct.unpack_from('<I', data, at + 28)[0]
            at += entry_header + payload
        at = end


def main():
    path = sys.argv[1]
    with open(sys.argv[2], encoding='utf-8') as file:
        version = int(re.search(r'#define MT_GPU_API_VERSION\s+(\d+)', file.read()).group(1))
    wanted = sys.argv[3] if len(sys.argv) > 3 else ''
    wrong = []
    found = set(entries(section(path, '.nv_fatbin')))
    code = sorted(arch for kind, arch in found if kind == CODE)
    ptx = sorted(arch for kind, arch in found if kind == PTX)
    print('# machine code for %s; PTX for %s' % (code, ptx))
    if not code or not ptx:
        wrong.append('there is no machine code, or no PTX for newer devices')
    elif max(ptx) // 10 < max(code) // 10:
        wrong.append('the PTX is not of the newest generation')
    if wanted.startswith('sm_') and int(wanted[3:]) not in code:
        wrong.append('there is no code for ' + wanted)
    if wanted == 'all' and (min(code) > 75 or len(code) < 8):
        wrong.append('architectures are missing')
    out = subprocess.run(['readelf', '-dW', path], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r'\(NEEDED\).*\[(.*)\]', out)
    print('# needs %s' % needed)
    wrong += ['it needs ' + name for name in needed if not MAY_NEED.match(name)]
    out = subprocess.run(['nm', '-D', '--defined-only', path], capture_output=True, text=True, check=True).stdout
    shown = [line.split()[-1] for line in out.splitlines()]
    if shown != ['mt_gpu_module_get']:
        wrong.append('it shows ' + ', '.join(shown[:10]))
    get = ctypes.CDLL(path).mt_gpu_module_get
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_uint32]
    if not get(version) or get(version + 1):
        wrong.append('it does not give the table of version %d, and of that only' % version)
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
