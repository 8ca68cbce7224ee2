#!/usr/bin/env python3
"""Configures the program as on other machines: without nvcc, with one that does not run, is too old, or cannot compile,
and with the module switched off. All of these must build without the module and say why, or, where it is demanded, fail.

  check-gpu-configure.py SOURCE MESON...
"""
import os
import subprocess
import sys
import tempfile

VERSION = 'echo "Cuda compilation tools, release %s, V%s.0"'

# name: what nvcc is, -Dcuda=, what is told, whether the module is built (None: the configuration fails)
CASES = {
    'switched off': (None, 'disabled', '', False),
    'not there': ('', 'auto', 'nvcc not found', False),
    'does not run': ('exit 3', 'auto', 'does not run', False),
    'too old': (VERSION % ('11.4', '11.4'), 'auto', 'nvcc 11.4 is too old: 11.8 or newer is needed', False),
    'cannot compile': ('[ "$1" = --version ] || { echo "unsupported GNU version"; exit 1; }; ' + VERSION % ('13.0', '13.0'),
                       'auto', 'nvcc 13.0 cannot compile a trial', False),
    'cannot compile, and is demanded': (
        '[ "$1" = --version ] || { echo "unsupported GNU version"; exit 1; }; ' + VERSION % ('13.0', '13.0'),
        'enabled', 'unsupported GNU version', None),
    'of CUDA 12': ('[ "$1" = --version ] || exit 0; ' + VERSION % ('12.9', '12.9'), 'auto', 'sm_61', True),
}


HIDE = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c']
PLACE = '/usr/local/cuda'


def hides():
    """The command before another that does not see nvcc; None: this machine does not allow it."""
    if not os.path.exists(os.path.join(PLACE, 'bin', 'nvcc')):
        return []
    command = HIDE + ['mount -t tmpfs none %s && exec "$@"' % PLACE, 'sh']
    return command if subprocess.run(command + ['true'], capture_output=True).returncode == 0 else None


def configure(source, meson, folder, nvcc, option):
    environment = dict(os.environ)
    extra = []
    if nvcc == '':
        environment['PATH'] = ':'.join(it for it in environment['PATH'].split(':')
                                       if not os.path.exists(os.path.join(it, 'nvcc')))
        meson = hides() + meson
    elif nvcc is not None:
        path = os.path.join(folder, 'nvcc')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\n%s\n' % nvcc)
        os.chmod(path, 0o755)
        native = os.path.join(folder, 'native.ini')
        with open(native, 'w', encoding='utf-8') as file:
            file.write("[binaries]\nnvcc = '%s'\n" % path)
        extra = ['--native-file', native]
    run = subprocess.run(meson + ['setup', os.path.join(folder, 'build'), source, '-Dtests=false', '-Dcuda=' + option] + extra,
                         capture_output=True, text=True, env=environment)
    targets = ''
    if run.returncode == 0:
        with open(os.path.join(folder, 'build', 'build.ninja'), encoding='utf-8') as file:
            targets = file.read()
    return run.returncode, run.stdout + run.stderr, targets


def check(source, meson, name):
    nvcc, option, told, builds = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        status, words, targets = configure(source, meson, folder, nvcc, option)
    if (status != 0) != (builds is None):
        return 'configuring ended with %d:\n%s' % (status, words[-2000:])
    if told not in (targets if builds else words):
        return 'it does not tell “%s”:\n%s' % (told, words[-2000:])
    if status == 0 and ('minterm-cuda.so' in targets) != builds:
        return 'the module is %s' % ('not built' if builds else 'built')
    return None


def main():
    source, meson = sys.argv[1], sys.argv[2:]
    wrong = 0
    print('1..%d' % len(CASES))
    for number, name in enumerate(CASES, 1):
        if CASES[name][0] == '' and hides() is None:
            print('ok %d nvcc %s # SKIP this machine does not let nvcc be hidden' % (number, name))
            continue
        fault = check(source, meson, name)
        print('%sok %d nvcc %s' % ('not ' if fault else '', number, name))
        if fault:
            print(''.join('# %s\n' % line for line in fault.splitlines()), end='')
            wrong += 1
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
