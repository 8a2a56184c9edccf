"""Makes a test of every C++ block in a page of Markdown.

    make_tests.py ROOT PAGE OUTPUT.inc

- A block with a main function is a program: it compiles and runs as it stands.
- Any other block is a fragment. The fragments under one heading run one after the other in one function, each in a
  scope inside of the scope before, so that it may use the earlier names and may take them again. A fragment that
  begins with template, struct or namespace stands before the function.
- A block of the language text that follows is what the block before it prints. Where it begins with "sinter: " and
  ends with a code, "[shape]", it is the error that the fragment throws.
- Comments of Markdown, which readers of the page do not see, say more about the next block:
      given: CODE               declarations that the fragment takes for granted
      compiled, not run: WHY
      not compiled: WHY
White space in outputs does not count, so that long lines may be broken.
"""

import re
import sys
from pathlib import Path

MAIN = re.compile(r"^int main\((.*)\) \{", re.M)
OUTSIDE = re.compile(r"\A(//.*\n)*(template|struct|namespace)\b")
INCLUDE = re.compile(r"^#include .*\n?", re.M)
COMMENT = re.compile(r"<!-- (given|compiled, not run|not compiled):\s*(.*?)-->", re.S)


class Block:
    def __init__(self, language, line):
        self.language = language
        self.line = line
        self.lines = []
        self.notes = {}

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks_by_heading(page):
    """Pairs of a heading and the blocks below it."""
    sections = [("", [])]
    block, comment, notes = None, None, {}
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r"( *)```(\w*)$", line)
        if block is not None:
            if fence and not fence[2]:
                block = None
            else:
                block.lines.append(line.removeprefix(indent))
            continue
        if fence:
            indent = fence[1]
            block = Block(fence[2], number + 1)
            block.notes, notes = notes, {}
            sections[-1][1].append(block)
            continue
        if comment is None and line.startswith("<!-- "):
            comment = ""
        if comment is not None:
            comment += line + "\n"
            if line.endswith("-->"):
                found = COMMENT.match(comment)
                if found:
                    notes[found[1]] = found[2]
                comment = None
        elif line.startswith("#"):
            sections.append((line.lstrip("# "), []))
    return sections


def literal(text):
    return 'R"~(' + text + ')~"'


def program(block, page, outside):
    """A program in a namespace of its own, where main is an ordinary function."""
    name = f"program_at_{block.line}"
    body = INCLUDE.sub("\n", block.text).rstrip()
    if not body.endswith("}"):
        sys.exit(f"{page}:{block.line}: a program ends with the end of main")
    body = MAIN.sub(r"int main_function(\1) {", body)[:-1] + "    return 0;\n}"
    outside.append(f'namespace {name} {{\n#line {block.line} "{page}"\n{body}\n}}\n')
    return f"    CHECK({name}::main_function() == 0);\n"


def fragment(block, page, outside):
    text = INCLUDE.sub("\n", block.text)
    code = f'#line {block.line} "{page}"\n{text}'
    if OUTSIDE.match(text):
        outside.append(code)
        return ""
    return code


def test_of(heading, blocks, page, outside):
    body, scopes = "", 0
    for i, block in enumerate(blocks):
        if block.language != "cpp" or "not compiled" in block.notes:
            continue
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        expected = following.text.strip() if following and following.language == "text" else None
        given = INCLUDE.sub("", block.notes.get("given", "")).strip() + "\n"
        if MAIN.search(block.text):
            code = program(block, page, outside)
        else:
            code = fragment(block, page, outside)
        if not code:
            continue
        body += "{\n" + given
        scopes += 1
        if "compiled, not run" in block.notes:
            code = f"[[maybe_unused]] const auto not_run = [&] {{\n{code}}};\n"
        elif expected and expected.startswith("sinter: "):
            code = f"docs::expect_error({literal(expected)}, [&] {{\n{code}}});\n"
        else:
            body += "docs::capture captured;\n"
            code += f"captured.expect({literal(expected)});\n" if expected is not None else "captured.end();\n"
        body += code
    if not body:
        return ""
    title = f"{page}: {heading}".replace('"', '\\"')
    return f'TEST_CASE("{title}") {{\ndocs::run([] {{\n{body}{"}" * scopes}\n}});\n}}\n'


def main():
    root, page, output = sys.argv[1:]
    sections = blocks_by_heading(Path(root, page))
    includes = {}
    for _, blocks in sections:
        for block in blocks:
            if block.language == "cpp" and "not compiled" not in block.notes:
                lines = INCLUDE.findall(block.notes.get("given", "") + "\n" + block.text)
                includes.update(dict.fromkeys(line.split("//")[0].strip() for line in lines))
    outside = []
    tests = [test_of(heading, blocks, page, outside) for heading, blocks in sections]
    name = re.sub(r"\W", "_", page)
    lines = ['#include "docs/page.hpp"\n', *(line + "\n" for line in includes)]
    lines += [f"\nnamespace {name} {{\nnamespace {{\n\n", *outside, *tests, "\n}\n}\n"]
    Path(output).write_text("".join(lines))


main()
