"""What the site has besides the files of docs/: pages of the root, and the heads of the operators' headers."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
ROOT_PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
HEADS = "<!-- heads of include/sinter/ops -->"


def on_files(files, config):
    for name in ROOT_PAGES:
        files.append(File(name, ROOT, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    markdown = markdown.replace(HEADS, operator_heads())
    # In tables GitHub wants a bar in code to be escaped, and the site's converter does not.
    markdown = re.sub(r"`[^`\n]*`", lambda code: code[0].replace(r"\|", "|"), markdown)
    markdown = re.sub(r"(?<![\w/`(\[])docs/(\w+\.md)(?!`)", r"[docs/\1](\1)", markdown)
    return re.sub(r"<!-- .*?-->\n?", "", markdown, flags=re.S)  # notes for the tests, tests/docs/make_tests.py


def operator_heads():
    return "\n".join(
        section for path in sorted((ROOT / "include/sinter/ops").glob("*.hpp")) if (section := head_of(path))
    )


def head_of(path):
    """The comment that a header begins with. Its first line is "name: what it computes"; headers that are not operators
    have no line "Source:"."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    if not any(line.startswith("Source:") for line in lines):
        return ""
    name, _, formula = lines[0].partition(": ")
    text = "\n".join(lines[1:]).replace("*", r"\*").replace("<", "&lt;").replace("Source:", "\n\nSource:")
    return f"### {name}\n\n`{formula}`\n{text}\n"
