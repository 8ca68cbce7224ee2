#!/usr/bin/env python3
"""Plants faults in nvcc's PTX, one at a time, and sees that each is caught.

  check-ptx-faults.py KERNELS.ptx PROGRAM INCLUDES CXX [FAULT...]

A changed kernel is translated and compiled by itself. The program (test-gpu-ptx-checked) loads it in place of the
right one, trains small nets, and tells the first fault: an access that must not be, threads that wait for each other, or a
result that differs from that of g++'s code of the same source. A fault must be found in the kernel where it was planted, and
by what is to find it. The unchanged kernel, loaded in the same way, must show none.
"""
import concurrent.futures
import importlib.util
import os
import re
import resource
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
FLAGS = ['-std=c++17', '-O1', '-w', '-fPIC', '-shared', '-ffp-contract=off', '-fno-math-errno',
         '-DMT_GPU_HOST_TRANSLATED', '-DMT_GPU_HOST_CHECKED']

MOST_SECONDS = 30      # all of the program's trainings take a tenth of that

# Which of these it is depends on who is first.
RACE = '(another thread (reads|writes) there|never written)'
DIFFERS = r"nvcc's code( gives|.*differ)"
PLACE = 'no (part of it lies there|memory of the device)'
NEVER_WRITTEN = 'never written'
WAITS = '(ended before the barrier|different barriers|deadlock)'

# name: kernel, what is replaced (a pattern), which of its places (from 0), by what, what tells it
FAULTS = {
    'choose without a barrier': ('choose', r'bar\.sync\s+0;', 2, '', RACE),
    'choose with a barrier that one skips': ('choose', r'(bar\.sync\s+0;)', 0,
                                             r'mov.u32 %r0, %tid.x; setp.eq.s32 %p0, %r0, 3; @!%p0 \1', WAITS),
    'choose with half a warp in its mask': ('choose', r'(shfl\.sync\.bfly\.b32[^;]*), %r\d+;', 0, r'\1, 65535;',
                                            'mask 0000ffff leaves out'),
    'choose that takes a step too far': ('choose', r'(setp\.lt\.u32\s+%p\d+, %r\d+), 100;', 0, r'\1, 1;', DIFFERS),
    'planes with one lane too few in a vote': ('planes', r'(vote\.sync\.ballot\.b32[^;]*), %r\d+;', 0,
                                               r'\1, 2147483647;', 'leaves out lane 31'),
    'planes that compare otherwise': ('planes', r'setp\.gt\.u32', 1, 'setp.ge.u32', DIFFERS),
    'tables of another sign': ('tables', r'setp\.gt\.f64', 0, 'setp.lt.f64', DIFFERS),
    'nodes with and for or': ('nodes', r'or\.b32', 0, 'and.b32', DIFFERS),
    'codes far beyond': ('codes', r'(st\.global\.f32\s+\[%rd\d+)(\+\d+)?\]', -1, r'\1+1048576]', PLACE),
    'head that adds for subtracts': ('head', r'sub\.rn\.ftz\.f32', 0, 'add.rn.ftz.f32', DIFFERS),
    'head that does not write all': ('head', r'st\.global\.u32[^;]*;', 0, '', '(%s|%s)' % (DIFFERS, NEVER_WRITTEN)),
    'histogram without its last barrier': ('histogram', r'bar\.sync\s+0;', -1, '', RACE),
    'histogram without its second barrier': ('histogram', r'bar\.sync\s+0;', 1, '', RACE),
    'reduce with one slice too many': ('reduce', r'(add\.s32\s+%r\d+, %r\d+), 511;', 0, r'\1, 1023;', PLACE),
    'columns without a barrier': ('columns', r'bar\.sync\s+0;', 0, '', RACE),
    'gradients of another mean': ('gradients', r'sub\.rn\.ftz\.f32(\s+%f\d+, %f\d+, %f\d+;\s+mul)', -1, r'add.rn.ftz.f32\1', DIFFERS),
    'norm with another moment': ('norm', r'0f3F666666', 0, '0f3F000000', DIFFERS),
    'adam with another rate': ('adam', r'0f3DCCCCD0|0f3DCCCCCD', 0, '0f3E4CCCCD',
                               DIFFERS),
    'adam beyond the last parameter': ('adam', r'setp\.ge\.u64', 0, 'setp.gt.u64', PLACE),
    'patterns of another row': ('patterns', r'shr\.u64(\s+%rd\d+, %rd\d+), 5;', -1, r'shr.u64\1, 6;', DIFFERS),
    'deep without a barrier': ('deep', r'bar\.sync\s+0;', 1, '', RACE),
    'keys that do not turn': ('keys', r'not\.b32', 0, 'mov.b32', DIFFERS),
    'rank without a barrier': ('rank', r'bar\.sync\s+0;', 1, '', RACE),
    'begin that keeps a loss': ('begin', r'st\.(global\.)?(u64|f32|b32|u32|v2\.f32|v2\.b32|v2\.u32|v4\.b32|v4\.u32|v4\.f32)[^;]*;',
                                -1, '', DIFFERS),
    'valid that forgets the tile': ('valid', r'add\.s32(\s+%r\d+, %r\d+), 1;', -1, r'add.s32\1, 0;', DIFFERS),
    # Whatever the keys are, it is a permutation; without one, looking for the next row might never end.
    'order of other keys': ('order', r'-1028477387', 0, '-1028477389', DIFFERS),
    'order beyond the last row': ('order', r'setp\.ge\.u32', 0, 'setp.gt.u32', '(%s|%s)' % (PLACE, DIFFERS)),
    'send of another part': ('send', r'(st\.global\.f32\s+\[%rd\d+)(\+\d+)?\]', -1, r'\1+4]', '(%s|%s|%s)' % (DIFFERS, PLACE, RACE)),
    'take that forgets to turn': ('take', r'(st\.global\.f32\s+\[%rd\d+)(\+\d+)?\]', 0, r'\1+8]', '(%s|%s|%s)' % (DIFFERS, PLACE, RACE)),
    'count with one row less': ('count', r'(cvt\.u64\.u32\s+%rd\d+, %r\d+;\s+)add\.s64', -1, r'\1sub.s64', DIFFERS),
    'count without a barrier': ('count', r'bar\.sync\s+0;', 0, '', RACE),
    'gram without its first barrier': ('gram', r'bar\.sync\s+0;', 0, '', RACE),
    'gram without its second barrier': ('gram', r'bar\.sync\s+0;', -1, '', RACE),
    'gram without a sign': ('gram', r'dp4a\.s32\.s32', 0, 'dp4a.u32.u32', DIFFERS),
    # The first comparison with the end of the rows begins a chunk, the second is a row's.
    'gram of one row more': ('gram', r'(?s)(setp\.ge\.u32\s+%p\d+, %r\d+, (%r\d+);.*?)setp\.ge\.u32(\s+%p\d+, %r\d+, \2;)', 0,
                             r'\1setp.gt.u32\3', '(%s|%s)' % (DIFFERS, PLACE)),
    'slices that forget one': ('slices', r'(ld\.global\.u64\s+%rd\d+, \[%rd\d+\];\s+)add\.s64(\s+%rd\d+), (%rd\d+), (%rd\d+);', -1,
                               r'\1sub.s64\2, \4, \3;', DIFFERS),
    'rows of another rounding': ('rows', r'mul\.rn\.f64', 3, 'add.rn.f64', DIFFERS),
    'dots that take a bit for another': ('dots', r'setp\.eq\.(s32|b32|u32|s64|b64)', -1, r'setp.ne.\1', DIFFERS),
    'gains without a barrier': ('gains', r'bar\.sync\s+0;', 1, '', RACE),
    'gains of another pattern': ('gains', r'or\.b32', 0, 'and.b32', '(%s|%s)' % (DIFFERS, PLACE)),
    'judge with another half': ('judge', r'0d3FE0000000000000', 0, '0d3FECCCCCCCCCCCCD', DIFFERS),
    'keep of another address': ('keep', r'(st\.global\.f32\s+\[%rd\d+)(\+\d+)?\]', 0, r'\1+2]', 'not aligned'),
    'pairs without a barrier': ('pairs', r'bar\.sync\s+0;', 0, '', RACE),
    'an instruction that is not known': ('reduce', r'add\.rn\.ftz\.f32', -1, 'tanh.approx.f32',
                                         'not known to the translator'),
}


def load(name):
    spec = importlib.util.spec_from_file_location('translate_ptx', os.path.join(FOLDER, name))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel_range(text, kernel):
    found = re.search(r'\.visible \.entry _Z\d+mt_gpu_%s_kernel[^{]*\{.*?^\}' % kernel, text, re.S | re.M)
    return found.start(), found.end()


def without_others(text, kernel):
    """Without the other kernels, which take longer to read than the one; lines keep their numbers."""
    return re.sub(r'\.visible \.entry _Z\d+mt_gpu_(?!%s_)\w*?_kernel[^{]*\{.*?^\}' % kernel,
                  lambda match: '\n' * match.group(0).count('\n'), text, flags=re.S | re.M)


def plant(text, fault):
    kernel, pattern, which, instead, _ = fault
    first, end = kernel_range(text, kernel)
    places = list(re.finditer(pattern, text[first:end]))
    try:
        place = places[which]
    except IndexError:
        sys.exit('%s has %d times: %s' % (kernel, len(places), pattern))
    return text[:first + place.start()] + place.expand(instead) + text[first + place.end():]


def limit_time():
    """Of the processor, whatever else the machine does: a kernel that never ends is a fault that is not told."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def run_one(folder, name, kernel, text, program, includes, cxx, translator):
    stem = os.path.join(folder, re.sub(r'\W', '-', name))
    with open(stem + '.cpp', 'w', encoding='utf-8') as file:
        file.write(translator.translate(without_others(text, kernel), 'mt_gpu_%s_kernel' % kernel))
    built = subprocess.run(cxx + FLAGS + ['-I' + one for one in includes] + ['-o', stem + '.so', stem + '.cpp'],
                           capture_output=True, text=True)
    if built.returncode != 0:
        return 'g++: ' + built.stderr[:300]
    run = subprocess.run([program], capture_output=True, text=True, preexec_fn=limit_time,
                         env=dict(os.environ, MINTERM_PTX_KERNELS=stem + '.so'))
    return run.stdout.strip() if run.returncode == 0 else 'ended with %d: %s' % (run.returncode, run.stderr[-300:])


def main():
    path, program, includes, cxx = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3].split(':'), sys.argv[4].split()
    names = sys.argv[5:] or list(FAULTS)
    translator = load('translate-ptx.py')
    missed = 0
    with open(path, encoding='utf-8') as file:
        right = file.read()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        run = lambda name, kernel, text: pool.submit(run_one, folder, name, kernel, text, program, includes, cxx, translator)
        unchanged = run('right', 'reduce', right)
        results = [(name, run(name, FAULTS[name][0], plant(right, FAULTS[name]))) for name in names]
        if unchanged.result() != 'none':
            sys.exit('the unchanged kernel has a fault: ' + unchanged.result())
        for name, result in results:
            told = result.result()
            caught = told.startswith('mt_gpu_%s_kernel' % FAULTS[name][0]) and re.search(FAULTS[name][4], told)
            print('%-40s %s: %s' % (name, 'caught' if caught else 'MISSED', told), flush=True)
            missed += not caught
    print('%d of %d faults were caught' % (len(names) - missed, len(names)))
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
