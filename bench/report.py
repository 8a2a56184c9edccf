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


IN_LAYOUTS = ["sinter", "sinter_xsimd", "loop_gcc", "loop_clang"]


def layouts_table(rows):
    columns = IN_LAYOUTS
    lines = []
    for case in LAYOUTS:
        for count in rows.values("bytes", case=case):
            one = dict(case=case, bytes=count, threads=1)
            found = [rows.speed(contender=c, **one) for c in columns] + [best_limit(rows, **one)]
            lines.append([case, size_text(count)] + [number(value) for value in found])
    return table(["GB/s", "size"] + columns + ["best limit"], lines)


def microseconds(row):
    return float(row["median_ns"]) * 1e-3


def times_of_operators(rows, size):
    """By contender: microseconds by the number of operators; and those of the fastest limit."""
    found, limit = {}, {}
    chains = [c for c in dict.fromkeys(r["case"] for r in rows.all) if re.fullmatch(r"chain\d+", c)]
    for case in sorted(chains, key=lambda c: int(c[5:])):
        for row in rows.select(case=case, dtype="float32", bytes=size, threads=1):
            count = int(case[5:])
            if row["contender"] in LIMITS:
                limit[count] = min(limit.get(count, float("inf")), microseconds(row))
            else:
                found.setdefault(row["contender"], {})[count] = microseconds(row)
    # Who takes part in one chain alone has no curve.
    return {name: found[name] for name in COMPUTING if len(found.get(name, {})) > 1}, limit


def times_of_members(rows, family):
    """By contender: microseconds by what follows the family's name in the case's."""
    found = {}
    for row in rows.all:
        if row["case"].startswith(family):
            found.setdefault(row["contender"], {})[row["case"].removeprefix(family)] = microseconds(row)
    return found


def times_table(label, times, limit=None):
    """One line per number of operators, rank or stride."""
    columns = {**times, **({"best limit": limit} if limit else {})}
    members = list(dict.fromkeys(m for values in columns.values() for m in values))
    lines = [
        [str(m).removeprefix("_")] + [number(values.get(m)) for values in columns.values()] for m in members
    ]
    return table([f"{label}; microseconds"] + list(columns), lines)


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


# Why sinter is behind, where neither what a call costs nor the speed of a copy tells it. The first entry counts whose
# expression fits the case, the type and the peer, and whose sizes hold the row's.
ANY_SIZE = (0, 1 << 62)
SMALL = (0, 4 << 10)
IN_MEMORY = (64 << 20, 1 << 62)
CAUSES = [
    ("d3d12", ANY_SIZE, "the same arithmetic; sinter selects by masks, the other by choices"),
    (
        r"(rank|stride|broadcast|transposed|nhwc|p\w+_rows)\S* \S+ sinter_xsimd",
        ANY_SIZE,
        "both take the same way around their kernels; the machine's speed changes between repetitions",
    ),
    ("rank", ANY_SIZE, "every few rows are a call of the kernel, and its beginning costs as much as a row"),
    (
        "stride",
        ANY_SIZE,
        "elements that lie apart are copied into a block before the kernel reads them, so that reading and computing"
        " take turns; a loop does both at once",
    ),
    (
        "broadcast",
        ANY_SIZE,
        "each row repeats its element into memory first; a loop keeps it in a register",
    ),
    ("nhwc_to_nchw", ANY_SIZE, "three planes are gathered by shuffles into a block before the kernel reads them"),
    (r"\S+ int32 hand", ANY_SIZE, "NaN becomes 0 and a scale of 1 copies, which hand leaves out"),
    (r"\S+ (float16|uint16)", IN_MEMORY, "conversions bind, and memory, whose speed changes from run to run"),
    (r"\S+ \S+ sinter_xsimd", SMALL, "the instruction set is chosen when the program runs"),
    (
        r"chain3_inplace|\S+ \S+ sinter_xsimd",
        IN_MEMORY,
        "memory binds, and how fast it is changes from run to run",
    ),
    (
        "",
        IN_MEMORY,
        "memory binds: sinter stores past the caches, the peer through them, and which is faster changes with the size"
        " and from run to run",
    ),
    (r"\S+ \S+ sinter_xsimd", ANY_SIZE, "the same instructions, ordered for this processor by -march=native"),
    (r"\S+ float\d+ hand", ANY_SIZE, "the same arithmetic, ordered by hand"),
]


def cost_of_calls(rows):
    """Nanoseconds of a call on a few elements, by contender."""
    times = {}
    for row in rows.select(case="call_overhead"):
        times.setdefault(row["contender"], []).append(float(row["median_ns"]))
    return {name: sorted(values)[len(values) // 2] for name, values in times.items()}


def cause(rows, own, other):
    calls = cost_of_calls(rows)
    behind_by = float(own["median_ns"]) - float(other["median_ns"])
    if {own["contender"], other["contender"]} <= calls.keys():
        if behind_by <= 1.5 * (calls[own["contender"]] - calls[other["contender"]]):
            return "what a call costs besides its pass: checks, the plan, the choice of the instruction set"
    limit = best_limit(rows, **{key: own[key] for key in ("case", "dtype", "bytes", "threads")})
    if limit and float(own["gb_per_s"]) >= 0.95 * limit:
        return "memory binds: sinter is as fast as the best copy, within a twentieth"
    about = f"{own['case']} {own['dtype']} {other['contender']}"
    for expression, (least, most), why in CAUSES:
        if re.match(expression, about) and least <= own["bytes"] <= most:
            return why
    print(f"report.py: no cause for {own['case']} {own['dtype']} {place(own)}, {part(own, other)}", file=sys.stderr)
    return "not known"


# Who is compared with whom.
RIVALS = {"sinter": COMPUTING[1:], "sinter_d3d12": ["hlsl_hand", "three_dispatches"]}


def is_noise(own, other):
    """Nearly as fast, and repetitions of each lie among the other's."""
    near = float(own["median_ns"]) * 0.95 <= float(other["median_ns"])
    return near and float(own["min_ns"]) <= float(other["max_ns"])


def slower_rows(rows):
    """What is slower than a peer: sinter's row and the peer's."""
    for name, rivals in RIVALS.items():
        for own in rows.select(contender=name):
            if own["unit"] != "GB/s":
                continue
            one = {key: own[key] for key in ("case", "dtype", "bytes", "threads")}
            for other in rows.select(**one):
                if other["contender"] in rivals and float(other["median_ns"]) < float(own["median_ns"]):
                    yield own, other


def place(row):
    return size_text(row["bytes"]) + (f", {row['threads']} threads" if row["threads"] > 1 else "")


def part(own, other):
    return f"{other['contender']} {float(other['median_ns']) / float(own['median_ns']):.2f}"


def behind_table(rows):
    """A line for a row and a cause."""
    lines = {}
    for own, other in slower_rows(rows):
        if not is_noise(own, other):
            line = (own["case"], own["dtype"], place(own), cause(rows, own, other))
            lines.setdefault(line, []).append(part(own, other))
    cells = [[case, dtype, size, ", ".join(parts), why] for (case, dtype, size, why), parts in lines.items()]
    return table(["case", "type", "size", "sinter's speed as a part of", "cause"], cells)


def noise_list(rows):
    lines = {}
    for own, other in slower_rows(rows):
        if is_noise(own, other):
            lines.setdefault(f"{own['case']} {own['dtype']} {place(own)}", []).append(part(own, other))
    text = "; ".join(f"{row}: {', '.join(parts)}" for row, parts in lines.items())
    return textwrap.fill(text + ".", 118, break_long_words=False, break_on_hyphens=False) if text else "None."


def spread(rows):
    """From the fastest repetition to the slowest, as a part of the median: of half of the rows, and of nine in ten."""
    timed = [r for r in rows.all if r["unit"] == "GB/s"]
    widths = sorted((float(r["max_ns"]) - float(r["min_ns"])) / float(r["median_ns"]) for r in timed)
    return f"{widths[len(widths) // 2]:.0%}", f"{widths[len(widths) * 9 // 10]:.0%}"


def behind(rows):
    half, most = spread(rows)
    return (
        "Every row on which a peer's median is less than sinter's, and why. What a peer leaves out is said above.\n\n"
        + behind_table(rows)
        + "\n"
        + textwrap.fill(
            f"Not in that table: rows less than a twentieth apart whose repetitions overlap. There, it is the machine"
            f" that differs: from the fastest repetition to the slowest it is {half} of the median for half of all"
            f" rows, and up to {most} for nine in ten. sinter's speed as a part of the peer's:",
            118,
        )
        + "\n\n"
        + noise_list(rows)
    )


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
IN_MICROSECONDS = 'set ylabel "microseconds a pass"'

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


def style_of(contender):
    return f'linewidth {3 if contender == "sinter" else 1.3} linecolor rgb "{COLOUR_OF[contender]}"'


LIMIT_STYLE = 'dashtype 2 linewidth 2 linecolor rgb "black"'


def draw_lines(name, title, ticks, lines, settings=""):
    """Ticks: a number and its text. Lines: how each is drawn, its title, its values by number."""
    places = ", ".join(f'"{text}" {number}' for number, text in ticks.items())
    points = "with linespoints pointtype 7 pointsize 0.6"
    plots = ", ".join(f'"-" {points} {style} title "{title}"' for style, title, _ in lines)
    measured = "".join(data((n, value) for n, value in values.items() if value) for _, _, values in lines)
    return draw(name, f'set title "{title}"\n{settings}\nset xtics ({places})\nplot {plots}\n' + measured)


def draw_bars(name, title, labels, bars, settings=""):
    """Bars: how each is drawn, its title, its height at every label."""
    plots = ", ".join(f'"-" using 2:xtic(1) {style} title "{title}"' for style, title, _ in bars)
    heights = "".join(data((f'"{text}"', h or 0) for text, h in zip(labels, values)) for _, _, values in bars)
    commands = f"""
set title "{title}"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9
set yrange [0:*]
set xtics font ",9"
set bmargin 7
{settings}
plot {plots}
"""
    return draw(name, commands + heights)


def plot_sizes(rows, case, dtype):
    """GB/s over size, one thread; the best limit as a dashed line. The name of the plot, or None."""
    one = dict(case=case, dtype=dtype, threads=1)
    sizes = sorted(rows.values("bytes", **one))
    if len(sizes) < 2:
        return None
    lines = [(LIMIT_STYLE, LIMIT_TITLE, {n: best_limit(rows, bytes=n, **one) for n in sizes})]
    for name in contenders_of(rows, case, COMPUTING, dtype=dtype, threads=1):
        values = {n: rows.speed(bytes=n, contender=name, **one) for n in sizes}
        lines.append((style_of(name), name, values))
    return draw_lines(
        f"{case}_{dtype}.png",
        f"{case}, {dtype}, 1 thread, by the input's size",
        {n: size_text(n) for n in sizes},
        lines,
        f"set logscale x 2\nset logscale y\nset xrange [{sizes[0] / 1.5}:{sizes[-1] * 1.5}]",
    )


def plot_layouts(rows):
    """Bars of the largest size of each layout."""
    cases = [(c, max(rows.values("bytes", case=c))) for c in LAYOUTS if rows.values("bytes", case=c)]
    if not cases:
        return None
    all_of = [dict(case=c, bytes=n, threads=1) for c, n in cases]
    bars = [(bar_of(n), n, [rows.speed(contender=n, **one) for one in all_of]) for n in IN_LAYOUTS]
    bars.append(
        ('linecolor rgb "black" fillstyle pattern 4', LIMIT_TITLE, [best_limit(rows, **one) for one in all_of])
    )
    return draw_bars("layouts.png", "layouts, 1 thread", [f"{c}\\n{size_text(n)}" for c, n in cases], bars)


def bar_of(contender):
    return f'linecolor rgb "{COLOUR_OF[contender]}"'


def plot_operators(rows, size):
    """Time over the number of operators."""
    times, limit = times_of_operators(rows, size)
    if not times:
        return None
    counts = list(dict.fromkeys(count for values in times.values() for count in values))
    lines = [(LIMIT_STYLE, LIMIT_TITLE, limit)] + [(style_of(n), n, values) for n, values in times.items()]
    return draw_lines(
        f"operators_{size_text(size).replace(' ', '_')}.png",
        f"chains of float32, {size_text(size)}, 1 thread, by the number of operators",
        {count: count for count in counts},
        lines,
        IN_MICROSECONDS + '\nset logscale y\nset format y "%.0f"',
    )


def plot_ranks(rows):
    times = times_of_members(rows, "rank")
    if not times:
        return None
    lines = [(style_of(n), n, {int(m): value for m, value in values.items()}) for n, values in times.items()]
    ranks = {rank: rank for _, _, values in lines for rank in values}
    return draw_lines(
        "ranks.png", "chain3, float32, 256 KiB, 1 thread, by rank", ranks, lines, IN_MICROSECONDS + "\nset yrange [0:*]"
    )


def plot_strides(rows):
    times = times_of_members(rows, "stride")
    if not times:
        return None
    members = list(dict.fromkeys(m for values in times.values() for m in values))
    bars = [(bar_of(n), n, [values.get(m) for m in members]) for n, values in times.items()]
    return draw_bars(
        "strides.png",
        "chain3, float32, 256 KiB, 1 thread, by the input's stride",
        [m.removeprefix("_") for m in members],
        bars,
        IN_MICROSECONDS + "\nset logscale y\nset yrange [1:*]",
    )


def image(name):
    return f"![{name[:-4]}](performance/{name})\n" if name else ""


# --- the page ---

METHOD = """\
Every number is the median of repetitions that were run in turns and in random order, so that what disturbs the machine
disturbs all alike. Compare numbers of one line: between lines the machine may have changed. GB/s counts bytes read and
bytes written. Elements are random, so that no branch can be predicted. Every contender's result is compared with the
scalar reference before it is measured: bit for bit, or with either rounding where a library may fuse a multiply-add
or round float16 after every operator."""

ABOUT_D3D12 = """\
The same chain as one kernel of sinter's, as one written by hand, and as three dispatches, beside a copy kernel and
Direct3D's own copy. On a software adapter, which has no memory of its own and computes in the program's process, the
times are processor time of all threads together, and instructions bind, not memory."""

ABOUT_LAYOUTS = """\
One thread. packed_rows and padded_rows: chain3 on rows of 1024 float32, without and with 16 more between them;
transposed: chain3 on the transpose of a square matrix of float32; nhwc_to_nchw: an image of bytes, channels last, to
normalized float16, channels first; broadcast: a matrix of float32 plus a row plus a column. The limit of a transpose is
one that is tiled by hand and computes nothing."""


ABOUT_OPERATORS = """\
Microseconds of one pass over float32, one thread: scale_bias, shrink, threshold, and again from the first. In memory,
an operator more costs sinter what it computes; who runs operator by operator pays for the memory each time. Who took
longer than a second or so is left out."""

ABOUT_RANKS = """\
Microseconds of chain3 on 65536 elements of float32, one thread, to a packed output. Rank 1 is packed; the others have
rows of 64 elements, padded by 16, and as many dimensions above them, in the opposite order of the output's, so that no
two dimensions are one. The loops are as many nested ones."""

ABOUT_STRIDES = """\
Microseconds of chain3 on 65536 elements of float32, one thread, to a packed output. 1 to 16: the stride of an input of
one dimension, which reads so many times more cache lines; padded: rows of 1024, 16 more between them; reversed: from
the last to the first."""


def page(rows, summary, date):
    goals = summary[summary.index("Goals\n") + len("Goals\n") :].rstrip() if "Goals\n" in summary else ""
    contenders = summary.split("\nContenders\n", 1)[-1].split("\n\n", 1)[0] if "\nContenders\n" in summary else ""
    parts = [
        "# Performance",
        "Made by `./dev bench [--quick] --report FILE`, which measures first where there is no such FILE; its words\n"
        "are in `bench/report.py`.",
        f"Measured {date} on {machine()}.",
        textwrap.fill("Versions: " + "; ".join(versions()) + ".", 118, break_long_words=False, break_on_hyphens=False),
        METHOD,
        "## Who takes part\n\n```\n" + contenders + "\n```" if contenders else "",
        "## Against every peer\n\nsinter's speed as a multiple of each peer's, over all rows that both have.\n\n"
        + peers_table(rows),
        "## Where sinter is behind\n\n" + behind(rows),
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
    counted = {size: times_of_operators(rows, size) for size in (256 << 10, 64 << 20)}
    if any(times for times, _ in counted.values()):
        parts.append("## The number of operators\n\n" + ABOUT_OPERATORS)
    for size, (times, limit) in counted.items():
        if times:
            parts.append(image(plot_operators(rows, size)))
            parts.append(f"{size_text(size)}:\n\n" + times_table("operators", times, limit))
    for title, about, family, plot in (
        ("Ranks", ABOUT_RANKS, "rank", plot_ranks),
        ("Strides", ABOUT_STRIDES, "stride", plot_strides),
    ):
        times = times_of_members(rows, family)
        if times:
            parts += [f"## {title}\n\n" + about, image(plot(rows)), times_table(family, times)]
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
