#!/usr/bin/env python3
"""Writes the tables of docs/gpu.md: what ptxas says of each kernel, and what a step should cost.

  tools/gpu-figures.py            rewrite the tables between the markers (needs nvcc)
  tools/gpu-figures.py --check    fail if a kernel spills, or if the tables are not these
  tools/gpu-figures.py --counts PROGRAM         the same, and the counts of tests/gpu/count-gpu-ptx
  tools/gpu-figures.py --check-counts PROGRAM   fail if nvcc's code does not do what the table of counts says
  tools/gpu-figures.py --all      tell of every architecture that nvcc knows, and fail if a kernel spills or has a stack

Times on devices are computed, not measured: counted instructions and bytes against a share of published peaks, and
assumed times of a launch and a call.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = os.path.join(TOP, 'docs', 'gpu.md')
ARCHES = ['sm_75', 'sm_80', 'sm_86', 'sm_90']

# Published peaks: bytes a second, thread instructions a second (half of the float operations, which count a multiplication
# with an addition as two), the same in double; bytes of memory
GPUS = {
    'RTX 3090 (the paper\'s)': (936e9, 17.8e12, 0.278e12, 24e9),
    'A100 80 GB': (2039e9, 9.75e12, 4.85e12, 80e9),
    'H100 SXM': (3350e9, 33.5e12, 16.8e12, 80e9),
}
REACHED = .5         # of these peaks: an assumption
BUS = 20e9           # bytes a second over PCIe 4 × 16, from pinned memory
LAUNCH = 2.5e-6      # a small kernel that waits for the one before it, in a stream
GRAPH = 1.5e-6       # the same inside a graph
CALL = 15e-6         # copies in, a copy out, and a thread that is woken: what a call of exact sums takes without its kernels

STEP = (2048, 22, 9, 50, 6)      # rows, columns, bits, nodes, inputs: what is counted (tests/gpu/count-gpu-ptx.c)
COUNTED_ROWS = 2048
STEP_KERNELS = ['planes', 'nodes', 'head', 'histogram', 'reduce', 'columns', 'gradients', 'norm', 'adam', 'choose', 'tables',
                'codes']

# The search on made-up rows, by minterm-cli bench refine --rows N --json, and the same with --sums cpu: seconds of one core
# that the default takes, what exact sums are asked for, and the seconds of the search outside of them.
# Measured on 19 November 2026 on one core of a shared machine, once.
SEARCHES = {
    16000: dict(cpu=.296, rest=5.416 - 5.042, puts=520, scores=481, scored=34927, reads=479, grams=70, tiles=130, gains=322,
                rules=5469),
    64000: dict(cpu=2.764, rest=24.993 - 23.386, puts=616, scores=396, scored=39979, reads=394, grams=58, tiles=147, gains=344,
                rules=6979),
}


def find_nvcc():
    return shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')


def ptxas(nvcc, arch):
    """{kernel: (registers, barriers, stack, spilled bytes)}"""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [nvcc, '-cubin', '-o', os.path.join(folder, 'out'), '-std=c++17', '-O3', '--fmad=false', '-ftz=true',
             '-arch=' + arch, '-Xptxas=-v', '-I' + os.path.join(TOP, 'src', 'gpu'),
             '-I' + os.path.join(TOP, 'src', 'core'), os.path.join(TOP, 'src', 'gpu', 'mt-gpu-module.cu')],
            capture_output=True, text=True, check=True)
    kernels, name, stack, spilled = {}, None, 0, 0
    for line in run.stderr.splitlines():
        entry = re.search(r"Compiling entry function '_Z\d+(mt_gpu_\w+?_kernel)", line)
        frame = re.search(r'(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads', line)
        used = re.search(r'Used (\d+) registers', line)
        if entry:
            name = entry.group(1)
        elif frame and name and name not in kernels:
            stack, spilled = int(frame.group(1)), int(frame.group(2)) + int(frame.group(3))
        elif used and name:
            barriers = re.search(r'used (\d+) barriers', line)
            kernels[name] = (int(used.group(1)), int(barriers.group(1)) if barriers else 0, stack, spilled)
    return kernels


def read_counts(text):
    """{(what, kernel): [threads, instructions, doubles, bytes read, bytes written]}, from lines of count-gpu-ptx."""
    return {(line.split()[0], re.sub('mt_gpu_|_kernel', '', line.split()[1])): [int(it) for it in line.split()[2:]]
            for line in text.splitlines() if line.strip()}


def counts_table(counts):
    lines = ['| of | kernel | threads | instructions | in double | bytes read | bytes written |', '|---|---|---|---|---|---|---|']
    lines += ['| %s | %s | %s |' % (what, kernel, ' | '.join(str(it) for it in numbers))
              for (what, kernel), numbers in counts.items()]
    return '\n'.join(lines)


def counts_of_doc(text):
    inside = re.search('<!-- counts -->\n(.*?)<!-- end -->', text, re.S).group(1)
    rows = [[it.strip() for it in line.strip('|\n ').split('|')] for line in inside.splitlines()[2:]]
    return {(row[0], row[1]): [int(it) for it in row[2:]] for row in rows}


def seconds_of(numbers, gpu, times=1):
    """Of one kernel, without its launch."""
    _, instructions, doubles, read, written = numbers
    bandwidth, rate, double_rate, _ = gpu
    return times * max(instructions / rate, doubles / double_rate, (read + written) / bandwidth) / REACHED


def step_seconds(counts, gpu, nets, launch):
    """Of a step of so many nets at once: kernels one after the other, each no shorter than its launch."""
    return sum(max(launch, seconds_of(counts['step', kernel], gpu, nets)) for kernel in STEP_KERNELS)


def epoch_end_cost(rows, columns, bits, nodes, fan_in, batch):
    """Bytes moved and launches of the end of an epoch: validation rows scored and ranked, states kept."""
    literals = columns * bits
    padded = -(-nodes // 16) * 16
    params = 2 * padded * literals + padded * 2 + literals
    tiles = -(-rows // batch)
    moved = rows * (-(-columns // 16) * 16 + 4 + columns) + 2 * literals * rows / 8 + nodes * rows / 8 + params * 32
    moved += rows * (8 * 3 * 4 + 16 + 2 * 15 * 4 / 2)      # keys sorted by 4 bits; half of them looked up
    return moved, tiles * 5 + 3


def model_memory(rows, columns, bits, nodes, batch):
    """Bytes on the device: shared rows; a net, of which a fifth of the rows validate it; its state on the bus."""
    literals = columns * bits
    padded = -(-nodes // 16) * 16
    params = 2 * padded * literals + padded * 2 + literals
    shared = rows * (-(-columns // 16) * 16 + -(-columns // 8) * 8 * 4 + 4)
    net = params * 32 + padded * literals * 4 + 2 * rows * 4 + batch * (columns + literals / 8 + nodes / 8 + 12)
    return shared, net + .2 * rows * 16, params * 12


def microseconds(seconds):
    return '%.1f' % (seconds * 1e6)


def resource_table(nvcc):
    by_arch = {arch: ptxas(nvcc, arch) for arch in ARCHES}
    spills = sorted({name for kernels in by_arch.values() for name, it in kernels.items() if it[3] > 0})
    lines = ['| kernel | ' + ' | '.join(ARCHES) + ' | barriers | stack | spills |', '|---|' + '---|' * (len(ARCHES) + 3)]
    for name in sorted(by_arch[ARCHES[0]]):
        all_of = [by_arch[arch][name] for arch in ARCHES]
        lines.append('| `%s` | %s | %d | %d | %d |' % (
            name, ' | '.join(str(it[0]) for it in all_of), all_of[0][1], max(it[2] for it in all_of),
            max(it[3] for it in all_of)))
    return '\n'.join(lines), spills


def step_table(counts):
    total = [sum(counts['step', kernel][i] for kernel in STEP_KERNELS) for i in range(5)]
    lines = ['One step of %d rows, %d columns × %d bits, %d nodes of fan-in %d: ' % STEP +
             '%.1f M thread instructions, %.1f k of them in double, %.1f MB asked of memory, %d launches.' % (
                 total[1] / 1e6, total[2] / 1e3, (total[3] + total[4]) / 1e6, len(STEP_KERNELS)), '',
             '| device | work µs | chain of launches in a graph µs | one model, µs a step '
             '| 64 models, µs a step and model |', '|---|---|---|---|---|']
    for name, gpu in GPUS.items():
        work = sum(seconds_of(counts['step', kernel], gpu) for kernel in STEP_KERNELS)
        lines.append('| %s | %s | %s | %s | %s |' % (
            name, microseconds(work), microseconds(len(STEP_KERNELS) * GRAPH),
            microseconds(step_seconds(counts, gpu, 1, GRAPH)), microseconds(step_seconds(counts, gpu, 64, GRAPH) / 64)))
    return '\n'.join(lines)


def search_seconds(counts, gpu, rows):
    """(calls, kernels, the bus) of one search's exact sums."""
    it = SEARCHES[rows]
    one, many = counts['score-1', 'rows'], counts['score-64', 'rows']
    dots = [b - a for a, b in zip(counts['score-1', 'dots'], counts['score-64', 'dots'])]
    planes = [b - a for a, b in zip(one, many)]
    share = rows / COUNTED_ROWS
    kernels = (seconds_of(one, gpu, it['scores'] * share) + seconds_of(planes, gpu, it['scored'] / 63 * share) +
               seconds_of(dots, gpu, it['scored'] / 63 * share) + seconds_of(counts['gram-64', 'gram'], gpu, it['tiles'] * share) +
               seconds_of(counts['gains-16', 'gains'], gpu, it['rules'] / 16 * share))
    n_calls = it['puts'] + it['scores'] + 2 * it['reads'] + it['grams'] + it['gains']
    n_launches = 4 * it['scores'] + 2 * it['grams'] + 2 * it['gains']
    # Columns of numbers: their scores go up, residuals and curvatures come down.
    bus = (it['scores'] * 8 + it['reads'] * 8) * rows / BUS + it['puts'] * rows / 8 / BUS
    return n_calls * CALL + n_launches * LAUNCH, kernels, bus


def search_table(counts):
    lines = ['| rows | device | calls ms | kernels ms | bus ms | the rest on the CPU ms | together ms | one core ms | two cores ms '
             '| times as fast as one core | as two |', '|---|---|---|---|---|---|---|---|---|---|---|']
    for rows, it in SEARCHES.items():
        for name, gpu in GPUS.items():
            parts = [*search_seconds(counts, gpu, rows), it['rest']]
            lines.append('| %d | %s | %s | %.0f | %.0f | %.0f | %.1f | %.1f |' % (
                rows, name, ' | '.join('%.0f' % (1e3 * part) for part in parts), 1e3 * sum(parts), 1e3 * it['cpu'],
                1e3 * it['cpu'] / 2, it['cpu'] / sum(parts), it['cpu'] / 2 / sum(parts)))
    return '\n'.join(lines)


def graphs(steps, cells):
    """As choose_graph_steps() of mt-gpu-launch.cu."""
    parts = -(-steps // max(1, min(256, int(2 ** 31 / cells))))
    return 'in one graph' if parts == 1 else 'in %d launches of two graphs' % (parts + 1)


def sweep_table(counts):
    rows, columns, bits, nodes, fan_in, batch, nets, epochs = 100000, 22, 9, 50, 6, 2048, 240, 60
    train, valid = int(rows * .8), int(rows * .2)
    steps = -(-train // batch)
    end_moved, end_launches = epoch_end_cost(valid, columns, bits, nodes, fan_in, batch)
    shared, net, _ = model_memory(rows, columns, bits, nodes, batch)
    launches = steps * len(STEP_KERNELS) + end_launches + 4
    lines = ['A sweep of %d nets over the same %d rows, %d columns × %d bits, %d nodes of fan-in %d, batches of %d, '
             '%d epochs: %.0f MB for the rows, %.1f MB a net, %d launches an epoch, %s.' % (
                 nets, rows, columns, bits, nodes, fan_in, batch, epochs, shared / 1e6, net / 1e6, launches,
                 graphs(steps, nets * batch * (nodes + columns))), '',
             '| device | nets at once | steps of an epoch ms | end of an epoch ms | whole sweep s | one by one s |',
             '|---|---|---|---|---|---|']
    for name, gpu in GPUS.items():
        at_once = min(nets, int((gpu[3] * .9 - shared) / net))
        parts = []
        for together in (at_once, 1):
            step = steps * step_seconds(counts, gpu, together, GRAPH)
            end = max(together * end_moved / gpu[0] / REACHED, (end_launches + 4) * GRAPH)
            parts += [step, end]
        lines.append('| %s | %d | %.1f | %.1f | %.1f | %.1f |' % (
            name, at_once, parts[0] * 1e3, parts[1] * 1e3, (parts[0] + parts[1]) * -(-nets // at_once) * epochs,
            (parts[2] + parts[3]) * nets * epochs))
    return '\n'.join(lines)


def fill(text, marker, table):
    pattern = re.compile('(<!-- %s -->\n).*?(<!-- end -->)' % marker, re.S)
    if not pattern.search(text):
        raise SystemExit('docs/gpu.md has no marker "%s"' % marker)
    return pattern.sub(lambda match: match.group(1) + table + '\n' + match.group(2), text)


def tell_all(nvcc):
    known = subprocess.run([nvcc, '--list-gpu-code'], capture_output=True, text=True, check=True).stdout.split()
    bad = 0
    for arch in [it for it in known if int(re.sub(r'\D', '', it)) >= 75]:
        kernels = ptxas(nvcc, arch)
        most = max(kernels, key=lambda name: kernels[name][0])
        wrong = sorted(name for name, it in kernels.items() if it[2] or it[3])
        bad += len(wrong)
        print('%s: %d kernels, at most %d registers (%s), %s' % (
            arch, len(kernels), kernels[most][0], most, 'spills or a stack: ' + ', '.join(wrong) if wrong else 'no spills, no stack'))
    return 1 if bad else 0


def check_counts(program, old):
    """Of another nvcc they may differ by a little."""
    now, told = read_counts(subprocess.run([program], capture_output=True, text=True, check=True).stdout), counts_of_doc(old)
    wrong = [key for key in now.keys() | told.keys()
             if key not in now or key not in told or
             any(abs(a - b) > .02 * max(a, b, 1000) for a, b in zip(now[key], told[key]))]
    for key in sorted(wrong):
        print('%s of %s: docs/gpu.md says %s, nvcc\'s code does %s' % (key[1], key[0], told.get(key), now.get(key)))
    return 1 if wrong else 0


def main():
    nvcc = find_nvcc()
    with open(DOC, encoding='utf-8') as file:
        old = file.read()
    if '--check-counts' in sys.argv:
        return check_counts(sys.argv[-1], old)
    if nvcc is None:
        print('nvcc is not here')
        return 77
    if '--all' in sys.argv:
        return tell_all(nvcc)
    resources, spills = resource_table(nvcc)
    if '--counts' in sys.argv:
        counts = read_counts(subprocess.run([sys.argv[-1]], capture_output=True, text=True, check=True).stdout)
    else:
        counts = counts_of_doc(old)
    new = old
    for marker, table in {'resources': resources, 'counts': counts_table(counts), 'steps': step_table(counts),
                          'sweep': sweep_table(counts), 'search': search_table(counts)}.items():
        new = fill(new, marker, table)
    if spills:
        print('these kernels spill registers: ' + ', '.join(spills))
        return 1
    if '--check' in sys.argv:
        if new != old:
            print('docs/gpu.md is not up to date: run tools/gpu-figures.py')
            return 1
        return 0
    with open(DOC, 'w', encoding='utf-8') as file:
        file.write(new)
    return 0


if __name__ == '__main__':
    sys.exit(main())
