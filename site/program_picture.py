#!/usr/bin/env python3
"""Prints docs/images/one_definition.svg: a program as a graph, and beside each instruction its line of the shader.

Both are read from docs/one_definition.md, where the tests compare them with what a program prints.
"""

import html
import pathlib
import re

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
ROW = 26
TOP = 58
NODES = 150  # where the graph's nodes lie, and right of them the columns of text
PROGRAM = 185
SHADER = 430
WIDTH = 940


def instructions(page):
    """(operation, the rows of its operands, whether it is computed once), in the program's order."""
    for line in re.findall(r"^ ?\d+  (.+)$", page, re.MULTILINE):
        words = line.split()
        operands = [int(w) for w in words[1:] if w.isdigit()]
        yield line.removesuffix("once").rstrip(), operands, words[-1] == "once"


def shader_lines(page):
    body = re.search(r"uint4 compute\(uint4 e0\)\n\{\n(.*?)\n    return", page, re.DOTALL).group(1)
    return [line.strip() for line in body.splitlines()]


def text(x, y, content, **attributes):
    extra = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<text x="{x}" y="{y}"{extra}>{html.escape(content)}</text>'


def arc(source, target):
    """From an operand's node down to the instruction that reads it, to the left of the nodes."""
    y0, y1 = (TOP + row * ROW for row in (source, target))
    reach = NODES - 14 - 12 * (target - source)
    return f'<path d="M{NODES} {y0} C{reach} {y0} {reach} {y1} {NODES} {y1}"/>'


def picture(page):
    program = list(instructions(page))
    shader = shader_lines(page)
    if len(program) != len(shader):
        raise SystemExit(f"{len(program)} instructions and {len(shader)} lines of the shader")
    height = TOP + len(program) * ROW + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        '<g font-family="sans-serif" font-size="14" font-weight="bold" fill="#333">',
        text(20, 28, "shrink as a graph"),
        text(PROGRAM, 28, "its program"),
        text(SHADER, 28, "the shader"),
        '</g><g fill="none" stroke="#8aa4c8" stroke-width="1.5">',
    ]
    parts += [arc(o, row) for row, (_, operands, _) in enumerate(program) for o in operands]
    parts.append('</g><g font-family="monospace" font-size="13" fill="#222">')
    for row, ((what, _, once), line) in enumerate(zip(program, shader)):
        y = TOP + row * ROW
        parts.append(f'<circle cx="{NODES}" cy="{y}" r="6" fill="{"#e9a23b" if once else "#2f6db5"}"/>')
        parts.append(text(PROGRAM, y + 4, f"{row:2d}  {what}", style="white-space:pre"))
        parts.append(text(SHADER, y + 4, line))
    y = height - 14
    parts += [
        '</g><g font-family="sans-serif" font-size="12" fill="#555">',
        f'<circle cx="26" cy="{y - 4}" r="5" fill="#2f6db5"/>',
        text(38, y, "for every element"),
        f'<circle cx="176" cy="{y - 4}" r="5" fill="#e9a23b"/>',
        text(188, y, "once: depends on scalars alone"),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


print(picture((DOCS / "one_definition.md").read_text()), end="")
