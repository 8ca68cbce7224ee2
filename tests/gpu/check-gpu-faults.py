#!/usr/bin/env python3
"""Plants a fault in each family of kernels and sees that the self-test of minterm-cli notices.

Faults that change no result where the threads of a block run one after another, or only now and then, are planted in
a module that looks at every access (mt-gpu-host-check.cpp) instead.

  check-gpu-faults.py SOURCE MINTERM-CLI CXX [FAMILY...]

A fault is one small replacement in one source. The mutated sources are built for the CPU as a module, which
minterm-cli loads as it would the real one. The unchanged sources must pass. A replacement whose text is not
there exactly once is an error: a test that no longer tests anything.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

# family: (file, text, what stands there instead), ...
FAULTS = {
    'choose': [
        ('mt-gpu-choose.cu', '(other == score && other_index < index)', '(other == score && other_index > index)'),
        ('mt-gpu-choose.cu', '#define CHOOSE_TOLERANCE  4e-7', '#define CHOOSE_TOLERANCE  4e-2'),
    ],
    'planes': [('mt-gpu-nodes.cu', 'code > i && code <= group.n_thresholds', 'code > i && code < group.n_thresholds')],
    'tables': [('mt-gpu-nodes.cu', 'uint32_t bits = __ballot_sync (MT_FULL_WARP, z > 0.0);',
                'uint32_t bits = __ballot_sync (MT_FULL_WARP, z > 0.01);')],
    'nodes': [
        ('mt-gpu-nodes.cu', 'return (x[k - 1] & yes) | (~x[k - 1] & no);', 'return (x[k - 1] & no) | (~x[k - 1] & yes);'),
        ('mt-gpu-nodes.cu', 'out |= (uint32_t) (z > 0.0) << r;', 'out |= (uint32_t) (z > 0.5) << r;'),
    ],
    'head': [
        ('mt-gpu-head.cu', 'table[i + 1] = i < group.n_thresholds ? sum : w[i];', 'table[i + 1] = w[i];'),
        ('mt-gpu-head.cu', 'g[0] = weight * (p - y);', 'g[0] = p - y;'),
        ('mt-gpu-head.cu', 'g[0] = weight * (e - y);', 'g[0] = weight * e;'),
        ('mt-gpu-head.cu', '(c == truth ? 1.0f : 0.0f)', '(c == truth ? 0.9f : 0.0f)'),
    ],
    'histogram': [
        ('mt-gpu-sums.cu', 'out[i] = above += totals[i + 1];', 'out[i] = above = totals[i + 1];'),
        # a barrier that is missing
        ('mt-gpu-sums.cu', '      totals[code] = sum;\n    }\n  __syncthreads ();', '      totals[code] = sum;\n    }'),
    ],
    'reduce': [('mt-gpu-sums.cu', 'slice < (n + MT_GPU_SLICE - 1) / MT_GPU_SLICE;',
                'slice < (n + MT_GPU_SLICE - 1) / MT_GPU_SLICE - (n < 200);')],
    'columns': [('mt-gpu-sums.cu', '*out = sum * (1.0f / (float) tile.n);', '*out = sum / (float) (tile.n + 1);')],
    'gradients': [('mt-gpu-gradients.cu', '(up - mean)', '(up + mean)')],
    'norm': [('mt-gpu-adam.cu', 'm.shape.clip / sqrtf (squares) : 1.0f', 'm.shape.clip / squares : 1.0f')],
    'adam': [
        ('mt-gpu-adam.cu', '(1.0f - ADAM_BETA2) * (g * g)', '(1.0f - ADAM_BETA2) * g'),
        ('mt-gpu-adam.cu', 'mean * progress->correct1', 'mean * progress->correct2'),
    ],
    'patterns': [('mt-gpu-deep.cu', '(p % 32) & 1u) << i;', '(p % 32) & 1u) << (i ^ 1);')],
    'deep': [
        ('mt-gpu-deep.cu', 'through += sums[v] * active[(size_t) v * h + u];', 'through += sums[v];'),
        ('mt-gpu-deep.cu', 'extra += m.params[weights + u] * (out[u] * open);', 'extra += m.params[weights + u] * open;'),
    ],
    'judge': [
        ('mt-gpu-judge.cu', 'standing->learning_rate *= 0.5;', 'standing->learning_rate *= 0.9;'),
        ('mt-gpu-judge.cu', 'standing->waited = standing->waited_plateau = 0;', 'standing->waited_plateau = 0;'),
        ('mt-gpu-judge.cu', 'm.best[i] = m.params[at];', 'm.best[i] = 0.0f;'),
    ],
    'valid': [('mt-gpu-judge.cu', 'm.progress->valid = mt_gpu_add (m.progress->valid, loss);',
               'm.progress->valid = loss;')],
    'keep': [('mt-gpu-judge.cu', 'm.last_square[i] = m.square[at];', '')],
    'keys': [
        ('mt-gpu-metric.cu', 'return bits >> 31 ? ~bits : bits | 0x80000000u;', 'return bits | 0x80000000u;'),
        ('mt-gpu-metric.cu', 'return eta[c * stride] - largest - logf (sum);', 'return eta[c * stride];'),
    ],
    'rank': [
        ('mt-gpu-metric.cu', '(also && sorted[middle] == key)', 'false'),
        ('mt-gpu-metric.cu', 'shift < 32; shift += 8', 'shift < 24; shift += 8'),
    ],
    'pairs': [('mt-gpu-pairs.cu', 'part_h += rows_h[row];', 'part_h += rows_r[row];')],
    'begin': [('mt-gpu-judge.cu', 'progress->loss = progress->valid = MtGpuPair { 0.0f, 0.0f };',
               'progress->valid = MtGpuPair { 0.0f, 0.0f };')],
    'gram': [('mt-gpu-exact.cu', 'top * 65536;', 'top * 65535;')],
    'rows': [('mt-gpu-exact.cu', 'score += weights[j];', 'score -= weights[j];')],
    'dots': [('mt-gpu-exact.cu', 'plane == NULL || (plane[r / 32]', 'plane != NULL && (plane[r / 32]')],
    'gains': [('mt-gpu-exact.cu', 'by = is_on ? -rule.weight', 'by = is_on ? rule.weight')],
    'slices': [('mt-gpu-exact.cu', 'slice < n_slices; slice++)\n    sum +=', 'slice < n_slices; slice++)\n    sum =')],
    'codes': [('mt-gpu-head.cu', 'table[0] = 0.0f;', 'table[0] = 0.01f;')],
}
# The same, for the module that looks at every access: races, places, contents.
CHECKED_FAULTS = {
    'block sum': [
        # the barrier after everybody has read
        ('mt-gpu.h', '    sum += scratch[i];\n  __syncthreads ();\n', '    sum += scratch[i];\n'),
    ],
    'best': [('mt-gpu-choose.cu', '        index = indices[i];\n      }\n  __syncthreads ();',
              '        index = indices[i];\n      }')],
    'winners': [('mt-gpu-choose.cu', '        found[round] = last;\n    }\n  __syncthreads ();',
                 '        found[round] = last;\n    }')],
    'histogram': [('mt-gpu-sums.cu', 'threadIdx.x] += from[p];\n  __syncthreads ();', 'threadIdx.x] += from[p];')],
    'reduce': [('mt-gpu-sums.cu', 'slice < (n + MT_GPU_SLICE - 1) / MT_GPU_SLICE;',
                'slice <= (n + MT_GPU_SLICE - 1) / MT_GPU_SLICE;')],
    'planes': [('mt-gpu-nodes.cu', 'if (lane == i % 32)', 'if (lane == i % 32 || lane == 0)')],
    'nodes': [('mt-gpu-nodes.cu', 'node >= m.shape.n_nodes || mt_gpu_is_over (m, number)',
               'node > m.shape.n_nodes || mt_gpu_is_over (m, number)')],
    'head': [('mt-gpu-head.cu', 'if (threadIdx.x == 0)\n    m.losses', 'm.losses')],
    'deep': [('mt-gpu-deep.cu', '  __syncthreads ();\n  for (uint32_t u', '  for (uint32_t u')],
    'adam': [('mt-gpu-adam.cu', 'i >= m.shape.n_params ||', 'i > m.shape.n_params ||')],
    'rank': [('mt-gpu-metric.cu', '    counts[(from[i] >> shift & (METRIC_DIGITS - 1)) * width + t]++;\n  __syncthreads ();',
              '    counts[(from[i] >> shift & (METRIC_DIGITS - 1)) * width + t]++;')],
    'pairs': [('mt-gpu-pairs.cu', '      all_h += (double) part_h;\n      __syncthreads ();',
               '      all_h += (double) part_h;')],
}
CHECKED_FLAGS = ['-DMT_GPU_HOST_CHECKED', '-fsanitize=thread']
FLAGS = ['-std=c++17', '-O1', '-fPIC', '-ffp-contract=off', '-fno-math-errno', '-w']


def build(cxx, source, folder, output, checked):
    include = ['-I' + folder, '-I' + os.path.join(source, 'src', 'core')]
    objects = []
    for name in ['mt-gpu-host.cpp', 'mt-gpu-host-runtime.cpp'] + ['mt-gpu-host-check.cpp'] * checked + \
                ['mt-gpu-module-host.cpp']:
        target = os.path.join(os.path.dirname(output), name + '.o')
        is_module = name == 'mt-gpu-module-host.cpp'
        # The shim is the same for all.
        if is_module or not os.path.exists(target):
            subprocess.run(cxx + FLAGS + CHECKED_FLAGS * (checked and is_module) + include +
                           ['-c', os.path.join(folder, 'host', name), '-o', target], check=True)
        objects.append(target)
    subprocess.run(cxx + ['-shared', '-o', output] + objects, check=True)


def selftest(cli, module):
    """None: nothing is wrong; else what is."""
    run = subprocess.run([cli, 'gpu-selftest', '--quick', '--json'], capture_output=True, text=True,
                         env=dict(os.environ, MINTERM_CUDA_MODULE=module), timeout=600)
    if run.returncode < 0:
        return 'signal %d' % -run.returncode
    checks = json.loads(run.stdout)['checks']
    failed = [check['name'] for check in checks if check['state'] == 'failed']
    if not failed and run.returncode != 0:
        sys.exit('the self-test did not run: ' + run.stderr)
    return '%s (%d of %d)' % (failed[0], len(failed), len(checks)) if failed else None


def plant(text, fault):
    name, there, instead = fault
    if text.count(there) != 1:
        sys.exit('%s has %d times: %s' % (name, text.count(there), there))
    return text.replace(there, instead)


def run_list(source, cli, cxx, faults, families, checked):
    missed = 0
    with tempfile.TemporaryDirectory() as top:
        folder, module = os.path.join(top, 'gpu'), os.path.join(top, 'module.so')
        shutil.copytree(os.path.join(source, 'src', 'gpu'), folder)
        build(cxx, source, folder, module, checked)
        wrong = selftest(cli, module)
        if wrong is not None:
            sys.exit('the unchanged sources fail: ' + wrong)
        for family in families:
            for fault in faults.get(family, []):
                path = os.path.join(folder, fault[0])
                with open(path, encoding='utf-8') as file:
                    right = file.read()
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(plant(right, fault))
                build(cxx, source, folder, module, checked)
                wrong = selftest(cli, module)
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(right)
                print('%-10s %-9s %s: %s' % (family, 'caught' if wrong else 'MISSED', fault[2].strip() or 'left out',
                                             wrong or ''), flush=True)
                missed += wrong is None
    return missed


def main():
    source, cli, cxx = sys.argv[1], sys.argv[2], sys.argv[3].split()
    families = sys.argv[4:]
    missed = run_list(source, cli, cxx, FAULTS, families or list(FAULTS), False)
    missed += run_list(source, cli, cxx, CHECKED_FAULTS, families or list(CHECKED_FAULTS), True)
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
