"""Are the programs hardened as meson.build asks? TAP; needs readelf.

check-hardening.py PROGRAM..."""
import re
import subprocess
import sys


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], check=True, capture_output=True, text=True).stdout


def checks(path):
    header, segments = readelf("-h", path), readelf("-l", path)
    dynamic, symbols = readelf("-d", path), readelf("--dyn-syms", path)
    yield "is position-independent", re.search(r"Type:\s+DYN", header) and "PIE" in dynamic
    yield "has read-only relocations", "GNU_RELRO" in segments
    yield "binds all symbols at start", "NOW" in dynamic
    yield "has no executable stack", re.search(r"GNU_STACK.*\sRW\s", segments)
    yield "has a stack protector", "__stack_chk_fail" in symbols
    # The mark in the file needs start files of the C library that have it, which Debian 12 lacks; the instructions are ours.
    if "X86-64" in header:
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
        marked = code.count("endbr64")
        yield "marks where indirect jumps may land (%d places)" % marked, marked > 500
    yield "has checked library calls", re.search(r"__(memcpy|memmove|memset|fprintf)_chk", symbols)


n = failed = 0
for program in sys.argv[1:]:
    for what, ok in checks(program):
        n += 1
        failed += not ok
        print(f"{'ok' if ok else 'not ok'} {n} - {program.rsplit('/', 1)[-1]} {what}")
print(f"1..{n}")
sys.exit(failed > 0)
