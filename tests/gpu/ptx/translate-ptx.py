#!/usr/bin/env python3
"""Translates the PTX of our kernels to C++ that runs in the host shim: nvcc's own code, on the CPU.

  translate-ptx.py KERNELS.ptx OUTPUT.cpp [--only KERNEL]

A register becomes a local variable of its size that holds bits and has no other type. An instruction becomes a call of the
function of its name in ptx-machine.h, which says what it does with these bits: add.rn.ftz.f32 is
ptx::add<ptx::f32, ptx::rn | ptx::ftz>. Labels and branches are those of C++. A kernel is entered in a table when the
program starts; the last one of a name is used, so that a changed kernel can be linked to the others (--only).

An instruction that is not known here is no error now, but a fault of the kernel when it runs: another nvcc may use
others, and the program is to be built all the same.

For every run of instructions between labels and branches there is a counter, and what it stands for: instructions,
of which in FP64, and bytes of the device's memory. docs/gpu.md has what comes of that.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ptx

WORDS = {'pred': 'bool', '8': 'uint8_t', '16': 'uint16_t', '32': 'uint32_t', '64': 'uint64_t'}
TYPES = {kind + size for kind in 'busf' for size in ('8', '16', '32', '64')} - {'f8', 'f16'}
# What may stand between an instruction's name and its type; the order of these does not matter.
MODES = {'rn', 'rz', 'rm', 'rp', 'rni', 'rzi', 'rmi', 'rpi', 'ftz', 'sat', 'approx'}
COMPARISONS = {'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'lo', 'ls', 'hi', 'hs', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu',
               'num', 'nan'}
# These are one function a name, with a result, and operands of the type at the end.
PLAIN = {'add', 'sub', 'mul', 'mul.lo', 'mul.hi', 'mul.wide', 'mad.lo', 'mad.wide', 'fma', 'div', 'rem', 'min', 'max',
         'neg', 'abs', 'and', 'or', 'xor', 'not', 'shl', 'shr', 'bfi', 'bfind', 'bfind.shiftamt', 'brev', 'popc', 'clz',
         'rcp', 'sqrt', 'ex2', 'selp', 'prmt'}
SPECIAL = {'%' + name + '.' + axis: 'ptx::%s ().%s' % (name, axis)
           for name in ('tid', 'ntid', 'ctaid', 'nctaid') for axis in 'xyz'}
SHARED = 'mt_shared_memory'


class Unknown(Exception):
    """An instruction that cannot be translated."""


def size_of(kind):
    return 1 if kind == 'pred' else int(kind[1:]) // 8


def word_of(kind):
    return WORDS[kind if kind == 'pred' else kind[1:]]


def register(name):
    return 'r_' + name[1:].replace('$', '_')


def label(name):
    return 'at_' + name.replace('$', '_')


def value(operand):
    if isinstance(operand, list):
        raise Unknown
    if operand in SPECIAL:
        return SPECIAL[operand]
    if operand.startswith('%'):
        return register(operand)
    if operand == SHARED:
        return '0u'                  # the only piece there is, from the beginning on
    if operand[:2] in ('0f', '0F'):
        return '0x%su' % operand[2:]
    if operand[:2] in ('0d', '0D'):
        return '0x%sull' % operand[2:]
    try:
        return '0x%xull' % (int(operand.rstrip('U'), 0) & (1 << 64) - 1)
    except ValueError:
        raise Unknown from None


def address(operand):
    """'[%rd1+8]' → what it starts from, the distance."""
    base, _, distance = operand.strip('[] ').partition('+')
    return base.strip(), int(distance or '0', 0)


class Writer:
    def __init__(self, function, number):
        self.function, self.number = function, number
        self.lines, self.blocks, self.unknown = [], [], []
        self.is_new_block = True
        self.own = {one.name: 'parameters[%d]' % i for i, one in enumerate(function.parameters)}
        if function.result:
            self.own[function.result] = 'result'

    def begin_block(self):
        self.lines.append('  counts[%d]++;' % len(self.blocks))
        self.blocks.append([0, 0, 0, 0])
        self.is_new_block = False

    def count(self, it):
        block = self.blocks[-1]
        block[0] += 1
        # Moves and branches about doubles are made by no FP64 unit.
        if 'f64' in it.parts and it.base not in ('ld', 'st', 'mov', 'selp'):
            block[1] += 1
        if it.base in ('ld', 'st') and 'param' not in it.parts and 'shared' not in it.parts:
            n = sum(len(one) for one in it.operands if isinstance(one, list)) or 1
            block[2 if it.base == 'ld' else 3] += n * size_of(it.parts[-1])

    def place(self, it, operand, n_bytes):
        base, distance = address(operand)
        space = it.parts[0] if it.parts[0] in ('global', 'shared') else 'generic'
        if it.parts[-1] not in TYPES or set(it.parts[:-1]) - {'global', 'shared', 'volatile', 'v2', 'v4'}:
            raise Unknown
        return 'ptx::place<ptx::%s> (shared, (uint64_t) %s + 0x%xull, %d, 0x%xu, %s)' % (
            'in_' + space, value(base), distance & (1 << 64) - 1, n_bytes, it.used_bytes & 0xffff,
            'true' if it.base == 'st' else 'false')

    def load_or_store(self, it):
        kind, loads = it.parts[-1], it.base == 'ld'
        where, what = (it.operands[1], it.operands[0]) if loads else (it.operands[0], it.operands[1])
        if it.parts[0] == 'param':
            base, distance = address(where)
            if distance != 0 or base not in self.own or isinstance(what, list):
                raise Unknown
            return '%s = %s;' % ((register(what), self.own[base]) if loads else (self.own[base], value(what)))
        each = what if isinstance(what, list) else [what]
        moves = ['%s = ptx::get<ptx::%s> (at, %d);' % (register(one), kind, i) if loads else
                 'ptx::put<ptx::%s> (at, %d, %s);' % (kind, i, value(one))
                 for i, one in enumerate(each) if one != '_']
        return '{ char *at = %s; %s }' % (self.place(it, where, len(each) * size_of(kind)), ' '.join(moves))

    def move(self, it):
        to, source = it.operands
        if isinstance(to, list):
            bits = 8 * size_of(it.parts[-1]) // len(to)
            return '{ uint64_t whole = %s; %s }' % (value(source), ' '.join(
                '%s = (uint%d_t) (whole >> %d);' % (register(one), bits, i * bits) for i, one in enumerate(to) if one != '_'))
        if isinstance(source, list):
            bits = 8 * size_of(it.parts[-1]) // len(source)
            return '%s = %s;' % (register(to), ' | '.join('(uint64_t) (uint%d_t) %s << %d' % (bits, value(one), i * bits)
                                                           for i, one in enumerate(source)))
        return '%s = %s;' % (register(to), value(source))

    def call(self, it):
        result, name, arguments = it.operands
        return '{ const uint64_t given[] = { %s }; %s = function_%s (shared, given); }' % (
            ', '.join(self.own[one] for one in arguments), self.own[result[0]], name)

    def convert(self, it):
        *modes, to, source = it.parts
        if set(modes) - MODES:
            raise Unknown
        return '%s = ptx::cvt<ptx::%s, ptx::%s, %s> (%s);' % (
            register(it.operands[0]), to, source, ' | '.join('ptx::' + mode for mode in modes) or '0', value(it.operands[1]))

    def exchange(self, it):
        if it.base == 'shfl' and it.parts[0] == 'sync' and it.parts[2] == 'b32':
            to, _, inside = it.operands[0].partition('|')
            return '{ bool inside; %s = ptx::shfl<ptx::%s> (%s, &inside, %d);%s }' % (
                register(to), it.parts[1], ', '.join(value(one) for one in it.operands[1:]), it.line,
                ' %s = inside;' % register(inside) if inside else '')
        if it.base == 'vote' and it.parts[:2] == ['sync', 'ballot']:
            return '%s = ptx::ballot (%s, %s, %d);' % (register(it.operands[0]), value(it.operands[1]),
                                                     value(it.operands[2]), it.line)
        raise Unknown

    def plain(self, it):
        *modes, kind = it.parts
        name = it.base
        if modes and name + '.' + modes[0] in PLAIN:
            name += '.' + modes.pop(0)
        if kind == 'pred' and name in ('and', 'or', 'xor', 'not'):
            modes = []
        elif name not in PLAIN or kind not in TYPES or set(modes) - MODES:
            raise Unknown
        return '%s = ptx::%s<ptx::%s, %s> (%s);' % (
            register(it.operands[0]), name.replace('.', '_') + '_', kind,
            ' | '.join('ptx::' + mode for mode in modes) or '0', ', '.join(value(one) for one in it.operands[1:]))

    def translate(self, it):
        base, parts = it.base, it.parts
        if base == 'dp4a' and len(parts) == 2:
            return '%s = ptx::dp4a<ptx::%s, ptx::%s> (%s);' % (
                register(it.operands[0]), parts[0], parts[1], ', '.join(value(one) for one in it.operands[1:]))
        if base in ('ld', 'st'):
            return self.load_or_store(it)
        if base == 'mov':
            return self.move(it)
        if base == 'bra':
            return 'goto %s;' % label(it.operands[0])
        if base in ('ret', 'exit'):
            return 'goto leave;'
        if base in ('bar', 'barrier') and parts[0] == 'sync' and it.operands == ['0']:
            return 'mt_host_barrier (%d);' % it.line
        if base == 'call':
            return self.call(it)
        if base == 'cvt':
            return self.convert(it)
        if base == 'cvta':
            base = {'global': '%s', 'shared': 'ptx::from_shared (shared, %s)'}.get(parts[-2])
            if base is None or parts[:2] == ['to', 'shared']:
                raise Unknown
            return '%s = %s;' % (register(it.operands[0]), base % value(it.operands[1]))
        if base == 'setp':
            if parts[0] not in COMPARISONS or set(parts[1:-1]) - {'ftz'} or '|' in it.operands[0]:
                raise Unknown
            return '%s = ptx::setp<ptx::is_%s, ptx::%s, %s> (%s, %s);' % (
                register(it.operands[0]), parts[0], parts[-1], 'ptx::ftz' if 'ftz' in parts else '0',
                value(it.operands[1]), value(it.operands[2]))
        if base in ('shfl', 'vote'):
            return self.exchange(it)
        return self.plain(it)

    def instruction(self, it):
        if self.is_new_block:
            self.begin_block()
        self.count(it)
        try:
            done = self.translate(it)
        except (Unknown, ValueError, IndexError, KeyError):
            done = 'ptx::unknown ("%s", %d);' % (it.name, it.line)
            self.unknown.append('%s, line %d: %s is not known' % (self.function.name, it.line, it.name))
        guard = 'if (%s%s) ' % ('!' if it.negated else '', register(it.guard)) if it.guard else ''
        self.lines.append('  %s%s' % (guard, done))
        self.is_new_block = it.base in ('bra', 'ret', 'exit')

    def write(self):
        for it in self.function.body:
            if isinstance(it, str):
                self.lines.append(it)
            elif isinstance(it, ptx.Label):
                self.lines.append('%s: ;' % label(it.name))
                self.is_new_block = True
            elif isinstance(it, ptx.Registers):
                names = [one for one in it.names if one.startswith('%')]
                if names:
                    self.lines.append('  %s %s;' % (word_of(it.type), ', '.join(register(one) for one in names)))
            elif isinstance(it, ptx.Parameter):
                self.own[it.name] = 'own_' + it.name
                self.lines.append('  uint64_t own_%s;' % it.name)
            else:
                self.instruction(it)
        return self.lines


def write_kernel(writer, out, told):
    function, number = writer.function, writer.number
    name = ptx.kernel_name(function.name)
    lines = writer.write()
    told += writer.unknown
    head = ('static uint64_t\nfunction_%s (char *shared, const uint64_t *parameters)' % function.name
            if not function.is_kernel else 'static void\nkernel_%d (const uint64_t *parameters)' % number)
    out.append('static uint64_t counts_%d[%d];' % (number, max(len(writer.blocks), 1)))
    out.append(head)
    out.append('{')
    out.append('  uint64_t *counts = counts_%d, result = 0;' % number)
    if function.is_kernel:
        out.append('  char *shared = (char *) mt_host_shared ();')
    out += lines
    out.append('leave:\n  %s;\n}' % ('(void) result' if function.is_kernel else 'return result'))
    out.append('static const MtHostCosts costs_%d[] = { %s };' % (
        number, ', '.join('{ %d, %d, %d, %d }' % tuple(block) for block in writer.blocks)))
    out.append('static const uint8_t sizes_%d[] = { %s };' % (
        number, ', '.join(str(size_of(one.type)) for one in function.parameters)))
    out.append('static MtHostTranslated translated_%d = { "%s", %d, sizes_%d, %s, %d, costs_%d, counts_%d };' % (
        number, name, len(function.parameters), number, 'kernel_%d' % number if function.is_kernel else 'NULL',
        len(writer.blocks), number, number))
    out.append('static const bool entered_%d = mt_host_enter_translated (&translated_%d);\n' % (number, number))


def translate(text, only=None, told=None):
    """The C++; what is not known is appended to @told."""
    functions = ptx.read(text)
    out = ['/* Made by translate-ptx.py. */', '#include "ptx-machine.h"', '']
    # What kernels call first.
    for number, function in enumerate(sorted(functions, key=lambda one: one.is_kernel)):
        if only is None or not function.is_kernel or ptx.kernel_name(function.name) == only:
            write_kernel(Writer(function, number), out, [] if told is None else told)
    return '\n'.join(out) + '\n'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('input')
    parser.add_argument('output')
    parser.add_argument('--only')
    args = parser.parse_args()
    with open(args.input, encoding='utf-8') as file:
        text = file.read()
    try:
        told = []
        out = translate(text, args.only, told)
        sys.stderr.write(''.join(line + '\n' for line in told))
    except ptx.PtxError as error:
        sys.exit('%s: %s' % (args.input, error))
    with open(args.output, 'w', encoding='utf-8') as file:
        file.write(out)
    return 0


if __name__ == '__main__':
    sys.exit(main())
