"""Reads PTX, the assembly language that nvcc makes of kernels, as far as nvcc uses it for ours.

read() gives the functions of a text. A function's body is a list of what stands there, in order: Instruction, Label,
Registers, Parameter, and the strings '{' and '}' for scopes. Nothing is interpreted here but the form.
"""
import dataclasses
import re


class PtxError(Exception):
    pass


@dataclasses.dataclass
class Instruction:
    line: int
    guard: str            # the predicate register that decides whether it runs, '' if it always does
    negated: bool         # it runs where the predicate is false
    base: str             # add
    parts: list           # rn, ftz, f32
    operands: list        # strings; a list of strings for {…}
    used_bytes: int       # of a load: one bit a byte; -1: all of them

    @property
    def name(self):
        return '.'.join([self.base] + self.parts)


@dataclasses.dataclass
class Label:
    name: str


@dataclasses.dataclass
class Registers:
    type: str
    names: list


@dataclasses.dataclass
class Parameter:
    type: str
    name: str


@dataclasses.dataclass
class Function:
    name: str
    is_kernel: bool
    result: str           # the name of its result, '' for none
    parameters: list      # Parameter, ...
    body: list


FUNCTION = re.compile(r'(?:\.visible\s+|\.weak\s+)?\.(entry|func)\s*(?:\(([^)]*)\))?\s*([\w$]+)\s*\(([^)]*)\)([^{};]*)([{;])')
PARAMETER = re.compile(r'\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+([\w$]+)(\[\d+\])?')
KERNEL = re.compile(r'_Z\d+(mt_gpu_\w+?_kernel)')
PRAGMA_BYTES = re.compile(r'\.pragma\s+"used_bytes_mask\s+(\w+)"')


def kernel_name(mangled):
    """What the sources call it."""
    found = KERNEL.match(mangled)
    return found.group(1) if found else mangled


def without_comments(text):
    text = re.sub(r'/\*.*?\*/', lambda found: re.sub(r'[^\n]', ' ', found.group()), text, flags=re.S)
    return re.sub(r'//[^\n]*', '', text)


def end_of_block(text, at):
    """Behind the brace that closes the one before @at."""
    depth = 1
    while depth > 0:
        found = re.compile(r'[{}]').search(text, at)
        if found is None:
            raise PtxError('a brace is not closed')
        depth += 1 if found.group() == '{' else -1
        at = found.end()
    return at


def split_operands(text):
    """'%r1, {%r2, %r3}, [%rd4+8]' → three, the second a list."""
    found = re.findall(r'\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|[^,\s][^,]*', text)
    return [[one.strip() for one in operand[1:-1].split(',')] if operand[0] in '{(' else operand.strip()
            for operand in found]


def read_registers(text):
    """'%r<3>' and '%a, %b' alike."""
    names = []
    for one in text.split(','):
        counted = re.fullmatch(r'\s*([%\w$]+)<(\d+)>\s*', one)
        names += ['%s%d' % (counted.group(1), i) for i in range(int(counted.group(2)))] if counted else [one.strip()]
    return names


def read_statement(text, line, used_bytes):
    declared = re.fullmatch(r'\.reg\s+\.(\w+)\s+(.*)', text, re.S)
    if declared:
        return Registers(declared.group(1), read_registers(declared.group(2)))
    declared = PARAMETER.fullmatch(text)
    if declared:
        if declared.group(3):
            raise PtxError('line %d: parameters of many bytes are not supported' % line)
        return Parameter(declared.group(1), declared.group(2))
    if text.startswith('.'):
        raise PtxError('line %d: %s' % (line, text))
    found = re.fullmatch(r'(?:@(!?)(%[\w$]+)\s+)?([\w.:]+)\s*(.*)', text, re.S)
    if not found:
        raise PtxError('line %d: %s' % (line, text))
    base, *parts = found.group(3).split('.')
    return Instruction(line, found.group(2) or '', found.group(1) == '!', base, parts, split_operands(found.group(4)),
                       used_bytes)


def read_body(text, line):
    body, at, used_bytes = [], 0, -1
    token = re.compile(r'\s*(?:(\$?[\w$]+):(?!:)|([{}])|([^;{}]*(?:\{[^{}]*\}[^;{}]*)*);)')
    while text[at:].strip():
        # A brace at the beginning of a statement opens a scope; within one it holds a vector.
        start = at + len(text[at:]) - len(text[at:].lstrip())
        here = line + text.count('\n', 0, start)
        if text[start] in '{}':
            body.append(text[start])
            at = start + 1
            continue
        found = token.match(text, at)
        if not found:
            raise PtxError('line %d: %s' % (here, text[start:start + 60]))
        at = found.end()
        if found.group(1):
            body.append(Label(found.group(1)))
            continue
        statement = found.group(3).strip()
        if statement.startswith('.pragma'):
            mask = PRAGMA_BYTES.match(statement)
            used_bytes = int(mask.group(1), 0) if mask else used_bytes
            continue
        body.append(read_statement(statement, here, used_bytes))
        used_bytes = -1
    return body


def read(text):
    text = without_comments(text)
    functions, at = [], 0
    while True:
        found = FUNCTION.search(text, at)
        if not found:
            return functions
        at = found.end()
        if found.group(6) == ';':        # declared, not yet there
            continue
        end = end_of_block(text, at)
        result = PARAMETER.search(found.group(2) or '')
        body = read_body(text[at:end - 1], 1 + text.count('\n', 0, at))
        functions.append(Function(found.group(3), found.group(1) == 'entry', result.group(2) if result else '',
                                  [Parameter(one[0], one[1]) for one in PARAMETER.findall(found.group(4))], body))
        at = end
