#!/usr/bin/python3
"""Writes docs/performance.md and its plots from a CSV of the benchmark; the benchmark's summary comes by stdin.

Run by `./dev bench --report CSV`. Needs gnuplot.
"""

import csv
import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "performance"

LIMITS = ["limit_copy", "limit_stream", "limit_inplace", "limit_transpose"]
COMPUTING = ["sinter", "sinter_xsimd", "hand", "loop_gcc", "loop_clang", "eigen", "xtensor", "onnxruntime", "numpy"]
TYPES = ["float32", "float16", "int32", "int16", "int8", "uint32", "uint16", "uint8"]
ON_D3D12 = ["sinter_d3d12", "hlsl_hand", "three_dispatches", "hlsl_copy", "copy_buffer_region"]
LAYOUTS = ["packed_rows", "padded_rows", "transposed", "nhwc_to_nchw", "broadcast"]

WHAT = {
    "chain3": "`threshold(shrink(scale_bias(x)))`, out of place",
    "chain3_inplace": "The same chain over its own input",
    "chain10": "Ten operators: those three, three times, then scale_bias",
    "shrink": "One operator, shrink",
}


class Rows:
    """The CSV's rows, found by what they are about."""

    def __init__(self, file):
        with open(file, newline="") as lines:
            self.all = list(csv.DictReader(lines))
        for row in self.all:
            row["bytes"] = int(row["bytes"] or 0)
            row["threads"] = int(row["threads"])

    def select(self, **wanted):
        return [row for row in self.all if all(row[key] == value for key, value in wanted.items())]

    def speed(self, **wanted):
        """GB/s of the one row, or None."""
        found = self.select(**wanted)
        return float(found[0]["gb_per_s"]) if found and found[0]["gb_per_s"] else None

    def values(self, key, **wanted):
        """The different values of a column, in the CSV's order."""
        return list(dict.fromkeys(row[key] for row in self.select(**wanted)))


def size_text(count):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count} B"


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def table(header, lines):
    text = "| " + " | ".join(header) + " |\n|" + "---|" * len(header) + "\n"
    return text + "".join("| " + " | ".join(line) + " |\n" for line in lines)


# --- the machine and what ran on it ---


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    lines = dict(re.findall(r"^([^:]+):\s+(.*)$", output_of("lscpu"), re.MULTILINE))
    parts = [f"{lines.get('Model name', 'unknown processor')}, {os.cpu_count()} processors"]
    for level in ("L1d", "L2", "L3"):
        if f"{level} cache" in lines:
            parts.append(f"{level} {lines[f'{level} cache']}")
    flags = lines.get("Flags", "").split()
    sets = [f for f in ("avx2", "avx512f", "avx512bw", "avx512vbmi", "avx512_fp16", "asimd") if f in flags]
    if "Hypervisor vendor" in lines or "hypervisor" in flags:
        parts.append("a virtual machine")
    return ", ".join(parts) + (f"; {' '.join(sets)}" if sets else "")


def versions():
    found = [f"sinter {output_of('git', 'describe', '--always', '--dirty').strip()}"]
    for compiler in ("g++", "clang++-19"):
        first = output_of(compiler, "--version").splitlines()
        if first:
            found.append(first[0])
    for file in sorted((ROOT / ".deps").glob("*/versions")):
        if file.parent.name in ("highway", "xsimd", "xtensor", "onnxruntime"):
            found += [" ".join(line.split()[:2]) for line in file.read_text().splitlines()]
    for package in ("libeigen3-dev", "python3-numpy", "libtbb-dev", "libbenchmark-dev"):
        version = output_of("dpkg-query", "-W", "-f", "${Version}", package).strip()
        if version:
            found.append(f"{package} {version}")
    return found


# --- tables ---


def best_limit(rows, **wanted):
    return max((rows.speed(contender=c, **wanted) or 0 for c in LIMITS), default=0) or None


def contenders_of(rows, case, names, **wanted):
    present = rows.values("contender", case=case, **wanted)
    return [name for name in names if name in present]


def speed_table(rows, case, dtype):
    """One line per size and number of threads, one column per contender."""
    columns = contenders_of(rows, case, COMPUTING + LIMITS, dtype=dtype)
    lines = []
    for count, threads in dict.fromkeys((r["bytes"], r["threads"]) for r in rows.select(case=case, dtype=dtype)):
        label = size_text(count) + (f", {threads} threads" if threads > 1 else "")
        found = [rows.speed(case=case, dtype=dtype, bytes=count, threads=threads, contender=c) for c in columns]
        lines.append([label] + [number(value) for value in found])
    return table(["GB/s"] + columns, lines)


def types_table(rows, case):
    """One line per type and size, one thread; the limits in one column."""
    columns = contenders_of(rows, case, ["sinter", "sinter_xsimd", "hand", "loop_gcc", "loop_clang"])
    lines = []
    for dtype in TYPES:
        for count in rows.values("bytes", case=case, dtype=dtype, threads=1):
            one = dict(case=case, dtype=dtype, bytes=count, threads=1)
            found = [rows.speed(contender=c, **one) for c in columns] + [best_limit(rows, **one)]
            lines.append([dtype, size_text(count)] + [number(value) for value in found])
    return table(["type", "size"] + columns + ["best limit"], lines)


def layouts_table(rows):
    columns = ["sinter", "sinter_xsimd", "loop_gcc", "loop_clang"]
    lines = []
    for case in LAYOUTS:
        for count in rows.values("bytes", case=case):
            one = dict(case=case, bytes=count, threads=1)
            found = [rows.speed(contender=c, **one) for c in columns] + [best_limit(rows, **one)]
            lines.append([case, size_text(count)] + [number(value) for value in found])
    return table(["GB/s", "size"] + columns + ["best limit"], lines)


def calls_table(rows):
    columns = rows.values("contender", case="call_overhead")
    lines = []
    for count in rows.values("bytes", case="call_overhead"):
        times = {r["contender"]: r["median_ns"] for r in rows.select(case="call_overhead", bytes=count)}
        lines.append([str(count // 4)] + [number(float(times[c])) if c in times else "" for c in columns])
    return table(["elements; ns"] + columns, lines)


def compile_table(rows):
    compiling = [r for r in rows.all if r["case"].startswith("compile_")]
    columns = list(dict.fromkeys(r["contender"] for r in compiling))
    lines = []
    for case, dtype in dict.fromkeys((r["case"], r["dtype"]) for r in compiling):
        times = {r["contender"]: r["min_ns"] for r in rows.select(case=case, dtype=dtype)}
        included = re.fullmatch(r"compile_include<(.*)>", case)
        what = (
            f"`#include <{included[1]}>`"
            if included
            else f"each further expression of {dtype}"
            if case == "compile_expression"
            else "one chain of 100 operators"
        )
        lines.append([what] + [f"{float(times[c]) * 1e-9:.2f}" if c in times else "" for c in columns])
    return table(["seconds, -O2"] + columns, lines)


# Why sinter is behind: the first entry that fits a row counts. Case, type, the smallest and the largest size.
CAUSES = [
    ("call_overhead", None, 0, 1 << 62, "checks and the plan of every call"),
    ("broadcast", None, 0, 1 << 62, "blocks are copied to scratch before the kernel reads them; a loop reads the vectors"
     " from registers"),
    ("transposed", None, 0, 1 << 62, "tiles of 16-byte squares through a block in L1; the limit holds whole cache lines"),
    ("nhwc_to_nchw", None, 0, 1 << 62, "three planes are gathered by shuffles into a block before the kernel reads them"),
    (None, None, 0, 4 << 10, "checks and the plan cost as much as the pass"),
    (None, "int32", 0, 1 << 62, "NaN becomes 0 and a scale of 1 copies, which hand and loops leave out"),
    (None, "uint32", 0, 1 << 62, "conversions between uint32 and float32 are faster in xsimd than in Highway"),
    (None, "float16", 0, 1 << 62, "conversions bind, not memory"),
    ("chain10", None, 0, 1 << 62, "arithmetic binds, not memory"),
    (None, None, 64 << 20, 1 << 62, "memory binds, and how fast it is changes between runs"),
]


def cause(row):
    for case, dtype, least, most, why in CAUSES:
        if case in (None, row["case"]) and dtype in (None, row["dtype"]) and least <= row["bytes"] <= most:
            return why
    return "not known"


def behind_table(rows):
    """Where a peer that computes the same is faster by more than a twentieth."""
    lines = []
    for own in rows.select(contender="sinter"):
        if not own["gb_per_s"]:
            continue
        one = {key: own[key] for key in ("case", "dtype", "bytes", "threads")}
        speed = {c: rows.speed(contender=c, **one) for c in COMPUTING[1:]}
        ratio = {c: float(own["gb_per_s"]) / v for c, v in speed.items() if v}
        faster = [f"{c} {r:.2f}" for c, r in sorted(ratio.items(), key=lambda pair: pair[1]) if r < 0.95]
        if faster:
            size = size_text(own["bytes"]) + (f", {own['threads']} threads" if own["threads"] > 1 else "")
            lines.append([own["case"], own["dtype"], size, ", ".join(faster), cause(own)])
    return table(["case", "type", "size", "sinter's speed as a part of", "cause"], lines) if lines else ""


def peers_table(rows):
    """The median of sinter's speed as a multiple of each peer's, over all rows that both have."""
    lines = []
    for peer in COMPUTING[1:]:
        ratios = []
        for other in rows.select(contender=peer):
            one = {key: other[key] for key in ("case", "dtype", "bytes", "threads")}
            own = rows.speed(contender="sinter", **one)
            if own and other["gb_per_s"]:
                ratios.append(own / float(other["gb_per_s"]))
        if ratios:
            ratios.sort()
            ends = [ratios[0], ratios[len(ratios) // 2], ratios[-1]]
            lines.append([peer, str(len(ratios))] + [f"{r:.2f}" for r in ends])
    return table(["peer", "rows", "lowest", "median", "highest"], lines)


def d3d12_table(rows):
    columns = contenders_of(rows, "d3d12_chain3", ON_D3D12)
    lines = []
    for dtype, count in dict.fromkeys((r["dtype"], r["bytes"]) for r in rows.select(case="d3d12_chain3")):
        one = dict(case="d3d12_chain3", dtype=dtype, bytes=count)
        lines.append([dtype, size_text(count)] + [number(rows.speed(contender=c, **one)) for c in columns])
    return table(["type", "size"] + columns, lines)


def d3d12_layouts_table(rows):
    cases = [c for c in rows.values("case", contender="sinter_d3d12") if rows.select(case=c, contender="hlsl_copy")]
    cases.remove("d3d12_chain3")
    lines = []
    for dtype in TYPES:
        ratios = []
        for case in cases:
            times = {r["contender"]: float(r["median_ns"]) for r in rows.select(case=case, dtype=dtype)}
            ratios.append(f"{times['hlsl_copy'] / times['sinter_d3d12']:.2f}" if times else "")
        if any(ratios):
            lines.append([dtype] + ratios)
    return table(["type"] + [case.removeprefix("d3d12_") for case in cases], lines)


# --- plots ---

COLOURS = ["#1f5fd0", "#17becf", "#2ca02c", "#bcbd22", "#8c564b", "#d62728", "#9467bd", "#ff7f0e", "#7f7f7f"]
COLOUR_OF = dict(zip(COMPUTING, COLOURS))
LIMIT_TITLE = "best limit: nothing computed"

SETTINGS = """
set terminal pngcairo size 860,500 font "sans,10" noenhanced
set grid ytics linecolor rgb "#dddddd"
set key below maxcols 5
set ylabel "GB/s, read and written"
set border 3
set xtics nomirror
set ytics nomirror
"""


def draw(name, commands):
    """Lets gnuplot draw docs/performance/NAME; returns NAME."""
    PLOTS.mkdir(parents=True, exist_ok=True)
    script = SETTINGS + f'set output "{PLOTS / name}"\n' + commands
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    return name


def data(points):
    return "\n".join(" ".join(str(field) for field in point) for point in points) + "\ne\n"


def plot_sizes(rows, case, dtype):
    """GB/s over size, one thread; the best limit as a dashed line. The name of the plot, or None."""
    one = dict(case=case, dtype=dtype, threads=1)
    sizes = sorted(rows.values("bytes", **one))
    if len(sizes) < 2:
        return None
    # How it is drawn, its title, and its values by size.
    dashed = 'dashtype 2 linewidth 2 linecolor rgb "black"'
    curves = [(dashed, LIMIT_TITLE, lambda n: best_limit(rows, bytes=n, **one))]
    for name in contenders_of(rows, case, COMPUTING, dtype=dtype, threads=1):
        style = f'linewidth {3 if name == "sinter" else 1.3} linecolor rgb "{COLOUR_OF[name]}"'
        curves.append((style, name, lambda n, name=name: rows.speed(bytes=n, contender=name, **one)))
    ticks = ", ".join(f'"{size_text(n)}" {n}' for n in sizes)
    points = "with linespoints pointtype 7 pointsize 0.6"
    plots = ", ".join(f'"-" {points} {style} title "{title}"' for style, title, _ in curves)
    commands = f"""
set title "{case}, {dtype}, 1 thread, by the input's size"
set logscale x 2
set logscale y
set xtics ({ticks})
plot {plots}
"""
    measured = [[(n, value(n)) for n in sizes if value(n)] for _, _, value in curves]
    return draw(f"{case}_{dtype}.png", commands + "".join(data(curve) for curve in measured))


def plot_layouts(rows):
    """Bars of the largest size of each layout."""
    cases = [(c, max(rows.values("bytes", case=c))) for c in LAYOUTS if rows.values("bytes", case=c)]
    if not cases:
        return None
    names = ["sinter", "sinter_xsimd", "loop_gcc", "loop_clang"]
    bars = [(f'linecolor rgb "{COLOUR_OF[n]}"', n, lambda one, n=n: rows.speed(contender=n, **one)) for n in names]
    bars.append(('linecolor rgb "black" fillstyle pattern 4', LIMIT_TITLE, lambda one: best_limit(rows, **one)))
    plots = ", ".join(f'"-" using 2:xtic(1) {style} title "{title}"' for style, title, _ in bars)
    heights = [
        [(f'"{c}\\n{size_text(n)}"', value(dict(case=c, bytes=n, threads=1)) or 0) for c, n in cases]
        for _, _, value in bars
    ]
    commands = f"""
set title "layouts, 1 thread"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9
set yrange [0:*]
set xtics font ",9"
set bmargin 7
plot {plots}
"""
    return draw("layouts.png", commands + "".join(data(points) for points in heights))


def image(name):
    return f"![{name[:-4]}](performance/{name})\n" if name else ""


# --- the page ---

METHOD = """\
Every number is the median of repetitions that were run in turns and in random order, so that what disturbs the machine
disturbs all alike. Compare numbers of one line: between lines the machine may have changed. GB/s counts bytes read and
bytes written. Elements are random, so that no branch can be predicted. Every contender's result is compared with the
scalar reference before it is measured: bit for bit, or with either rounding where a library may fuse a multiply-add."""

ABOUT_D3D12 = """\
The same chain as one kernel of sinter's, as one written by hand, and as three dispatches, beside a copy kernel and
Direct3D's own copy. On a software adapter, which has no memory of its own and computes in the program's process, the
times are processor time of all threads together, and instructions bind, not memory."""

ABOUT_LAYOUTS = """\
One thread. packed_rows and padded_rows: chain3 on rows of 1024 float32, without and with 16 more between them;
transposed: chain3 on the transpose of a square matrix of float32; nhwc_to_nchw: an image of bytes, channels last, to
normalized float16, channels first; broadcast: a matrix of float32 plus a row plus a column. The limit of a transpose is
one that is tiled by hand and computes nothing."""


def page(rows, summary, date):
    goals = summary[summary.index("Goals\n") + len("Goals\n") :].rstrip() if "Goals\n" in summary else ""
    contenders = summary.split("\nContenders\n", 1)[-1].split("\n\n", 1)[0] if "\nContenders\n" in summary else ""
    parts = [
        "# Performance",
        "Made by `./dev bench [--quick] --report FILE`, which measures first where there is no such FILE; its words are in\n"
        "`bench/report.py`.",
        f"Measured {date} on {machine()}.",
        textwrap.fill("Versions: " + "; ".join(versions()) + ".", 118, break_long_words=False, break_on_hyphens=False),
        METHOD,
        "## Who takes part\n\n```\n" + contenders + "\n```" if contenders else "",
        "## Against every peer\n\nsinter's speed as a multiple of each peer's, over all rows that both have.\n\n"
        + peers_table(rows),
        "## Where sinter is behind\n\nRows on which a peer is more than a twentieth faster. What a peer leaves out is"
        " said above.\n\n" + behind_table(rows),
        "## Goals\n\n```\n" + goals + "\n```" if goals else "",
    ]
    for case, what in WHAT.items():
        if not rows.select(case=case):
            continue
        parts.append(f"## {case}\n\n{what}.")
        if rows.select(case=case, dtype="float32"):
            parts += [image(plot_sizes(rows, case, "float32")), "float32:\n\n" + speed_table(rows, case, "float32")]
        if case == "chain3":
            parts += [image(plot_sizes(rows, case, dtype)) for dtype in ("float16", "uint8")]
        parts.append("Every type, one thread, GB/s:\n\n" + types_table(rows, case))
    if any(rows.select(case=case) for case in LAYOUTS):
        parts += [
            "## Layouts\n\n" + ABOUT_LAYOUTS,
            image(plot_layouts(rows)),
            layouts_table(rows),
        ]
    if rows.select(case="d3d12_chain3"):
        adapter = re.search(r"^Direct3D 12: (.*)$", summary, re.MULTILINE)
        parts += [
            "## Direct3D 12\n\n" + ABOUT_D3D12,
            f"Adapter, runtime, compiler: {adapter[1]}." if adapter else "",
            "GB/s:\n\n" + d3d12_table(rows),
            "sinter's kernel in every layout: its speed as a part of a copy kernel's over packed elements.\n\n"
            + d3d12_layouts_table(rows),
        ]
    if rows.select(case="call_overhead"):
        parts.append("## One call\n\nchain3 on a few elements of float32.\n\n" + calls_table(rows))
    if any(r["case"].startswith("compile_") for r in rows.all):
        parts.append("## Compile time\n\nProcessor time of one compiler run.\n\n" + compile_table(rows))
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def main():
    file = pathlib.Path(sys.argv[1])
    date = datetime.date.fromtimestamp(file.stat().st_mtime).isoformat()
    PAGE.write_text(page(Rows(file), sys.stdin.read(), date))
    print(f"wrote {PAGE.relative_to(ROOT)} and {PLOTS.relative_to(ROOT)}/")


main()
