#!/usr/bin/env python3
"""Writes the tables of docs/gpu.md: what ptxas says of each kernel, and what a step should cost.

  tools/gpu-figures.py            rewrite the tables between the markers (needs nvcc)
  tools/gpu-figures.py --check    fail if a kernel spills, or if the tables are not these
  tools/gpu-figures.py --all      tell of every architecture that nvcc knows, and fail if a kernel spills or has a stack

Predictions are counted bytes and operations against published peaks, no measurement: a step cannot
be faster than the longest of memory, arithmetic and the chain of launches.
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

# name: bytes a second, float operations a second
GPUS = {
    'RTX 3090 (the paper\'s)': (936e9, 35.6e12),
    'A100 80 GB': (2039e9, 19.5e12),
    'H100 SXM': (3350e9, 66.9e12),
}
GPU_MEMORY = {'RTX 3090 (the paper\'s)': 24e9, 'A100 80 GB': 80e9, 'H100 SXM': 80e9}
BUS = 20e9           # bytes a second over PCIe 4 × 16, from pinned memory
LAUNCH = 2.5e-6      # a small kernel that waits for the one before it, in a stream
GRAPH = 1.5e-6       # the same inside a graph


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


def step_cost(rows, columns, bits, nodes, fan_in, outputs=1):
    """Bytes through memory, float and word operations, launches of one step of a standard net."""
    literals = columns * bits
    padded = -(-nodes // 16) * 16
    params = 2 * padded * literals + padded * (1 + outputs) + outputs * literals
    words = rows // 32
    moved = (rows * -(-columns // 16) * 16 + rows * 4 + rows * columns       # codes: read, order, kept
             + 2 * literals * words * 4                                      # planes: written, read
             + (fan_in + 2) * nodes * words * 4                              # nodes: inputs, out, read
             + 4 * outputs * rows * 4 + 2 * rows * columns                   # scores, gradients; codes again
             + params * (28 + 4 + 8)                                         # AdamW; gradients; choice and π
             + outputs * rows * nodes / 8)
    work = (rows * literals / 32 * 3 + nodes * words * 3 * 2 ** fan_in
            + outputs * rows * (nodes + columns) * 2 + outputs * rows * columns * 2
            + literals * nodes * (outputs * 4 + 10) + params * 12
            + nodes * literals * (fan_in + 1 + 4 * 12))
    return moved, work, 12


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


def step_table():
    shape = (2048, 22, 9, 50, 6)
    moved, work, launches = step_cost(*shape)
    lines = ['One step of %d rows, %d columns × %d bits, %d nodes of fan-in %d: %.2f MB moved, %.1f M operations, '
             '%d launches.' % (*shape, moved / 1e6, work / 1e6, launches), '',
             '| device | memory µs | arithmetic µs | launches µs | in a graph µs | one model, µs a step '
             '| 64 models, µs a step and model |', '|---|---|---|---|---|---|---|']
    for name, (bandwidth, peak) in GPUS.items():
        memory, arithmetic = moved / bandwidth, work / peak
        one = max(memory, arithmetic, launches * LAUNCH)
        many = max(64 * memory, 64 * arithmetic, launches * LAUNCH) / 64
        lines.append('| %s | %s | %s | %s | %s | %s | %s |' % (
            name, microseconds(memory), microseconds(arithmetic), microseconds(launches * LAUNCH),
            microseconds(launches * GRAPH), microseconds(one), microseconds(many)))
    return '\n'.join(lines)


def graphs(steps, cells):
    """As choose_graph_steps() of mt-gpu-launch.cu."""
    parts = -(-steps // max(1, min(256, int(2 ** 31 / cells))))
    return 'in one graph' if parts == 1 else 'in %d launches of two graphs' % (parts + 1)


def sweep_table():
    rows, columns, bits, nodes, fan_in, batch, nets, epochs = 100000, 22, 9, 50, 6, 2048, 240, 60
    step_moved, step_work, launches = step_cost(batch, columns, bits, nodes, fan_in)
    train, valid = int(rows * .8), int(rows * .2)
    steps = -(-train // batch)
    end_moved, end_launches = epoch_end_cost(valid, columns, bits, nodes, fan_in, batch)
    shared, net, state = model_memory(rows, columns, bits, nodes, batch)
    chain = (steps * launches + end_launches + 4) * GRAPH
    lines = ['A sweep of %d nets over the same %d rows, %d columns × %d bits, %d nodes of fan-in %d, batches of %d, '
             '%d epochs: %.0f MB for the rows, %.1f MB a net, %d launches an epoch, %s.' % (
                 nets, rows, columns, bits, nodes, fan_in, batch, epochs, shared / 1e6, net / 1e6,
                 steps * launches + end_launches + 4, graphs(steps, nets * batch * (nodes + columns))), '',
             '| device | nets at once | memory ms | arithmetic ms | chain of launches ms | orders over the bus ms '
             '| states back ms | an epoch of all nets ms | whole sweep s | one by one s |', '|---|' + '---|' * 9]
    for name, (bandwidth, peak) in GPUS.items():
        at_once = min(nets, int((GPU_MEMORY[name] * .9 - shared) / net))
        memory = at_once * (steps * step_moved + end_moved) / bandwidth
        arithmetic = at_once * steps * step_work / peak
        orders = at_once * train * 4 / BUS
        states = at_once * state / BUS
        epoch = max(memory, arithmetic, chain, orders, states)
        alone = max(memory / at_once, arithmetic / at_once, chain)
        rounds = -(-nets // at_once)
        lines.append('| %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |' % (
            name, at_once, memory * 1e3, arithmetic * 1e3, chain * 1e3, orders * 1e3, states * 1e3, epoch * 1e3,
            epoch * rounds * epochs, alone * nets * epochs))
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


def main():
    nvcc = find_nvcc()
    if nvcc is None:
        print('nvcc is not here')
        return 77
    if '--all' in sys.argv:
        return tell_all(nvcc)
    resources, spills = resource_table(nvcc)
    with open(DOC, encoding='utf-8') as file:
        old = file.read()
    new = fill(fill(fill(old, 'resources', resources), 'steps', step_table()), 'sweep', sweep_table())
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
