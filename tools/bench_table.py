#!/usr/bin/env python3
"""Makes the Markdown tables of the benchmark from its JSON files.

    tools/bench_table.py [--into docs/performance.md] FILE...

Of several runs with the same number of threads the tables show medians, of the ratios too: each is
taken within a run. With --into, the tables replace what is between the markers of that file.
docs/performance.md says what the columns mean.
"""
import argparse
import datetime
import json
import pathlib
import platform
import re
import statistics
import sys

BEGIN, END = "<!-- benchmark: begin -->", "<!-- benchmark: end -->"


def time_text(ns):
    if not ns:
        return "–"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 999.5 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns" if ns < 999.5 else f"{ns:.0f} ns"


def bytes_text(count):
    if not count:
        return "–"
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} B"


def ratio_text(value):
    if not value:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.3g}"


def target_text(target):
    if target["ratio"]:
        return f"{target['ratio']:g} × ideal"
    return time_text(target["call_ns"]) if target["call_ns"] else ""


def table(header, rows, left=1):
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("|" + "|".join(["---"] * left + ["--:"] * (len(header) - left)) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_text():
    kib = int(re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1))
    return f"{kib / 2**20:.0f} GiB"


def caches_text():
    found = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (index / "type").read_text().strip() != "Instruction":
            found.append(f"L{(index / 'level').read_text().strip()} {(index / 'size').read_text().strip()}")
    return ", ".join(found)


def together(runs):
    """Runs with the same number of threads as one, whose cases have a part for each run."""
    merged = {}
    for run in sorted(runs, key=lambda run: run["threads"]):
        first = merged.setdefault(run["threads"], {**run, "runs": 0, "cases": {}})
        first["runs"] += 1
        for case in run["cases"]:
            first["cases"].setdefault(case["name"], {**case, "parts": []})["parts"].append(case)
    for run in merged.values():
        run["cases"] = list(run["cases"].values())
    return list(merged.values())


def over_runs(case, figure):
    """The median over the runs that have the figure; 0 when none has."""
    figures = [figure(part) for part in case["parts"]]
    return statistics.median([value for value in figures if value] or [0])


def time_in(part, name):
    return next((t["median_ns"] for t in part["timings"] if t["name"] == name), 0)


def median_of(case, name):
    return over_runs(case, lambda part: time_in(part, name))


def best_in(part, peers):
    return min((ns for ns in (time_in(part, name) for name in peers) if ns), default=0)


def quotient(a, b):
    return a / b if b else 0


def peers_of(run):
    names = []
    for case in run["cases"]:
        for timing in case["timings"]:
            if timing["name"] not in names + ["Belay", "touch"]:
                names.append(timing["name"])
    return names


def operator_rows(run, one_thread, peers):
    for case in run["cases"]:
        if not case["timings"]:
            continue
        ours = median_of(case, "Belay")
        ideal = over_runs(case, lambda part: part["ideal_ns"])
        times = {name: median_of(case, name) for name in peers}
        wrong = {t["name"] for part in case["parts"] for t in part["timings"] if not t["agrees"]}
        row = [case["name"], bytes_text(case["bytes"]), time_text(ideal), time_text(ours)]
        row += [time_text(times[name]) + (" (differs)" if name in wrong else "") for name in peers]
        row += [
            ratio_text(over_runs(case, figure))
            for figure in (
                lambda part: quotient(time_in(part, "Belay"), part["ideal_ns"]),
                lambda part: quotient(best_in(part, peers), part["ideal_ns"]),
                lambda part: quotient(time_in(part, "Belay"), best_in(part, peers)),
            )
        ]
        if one_thread is run:
            row.append(target_text(case["target"]))
        else:
            alone = next((c for c in one_thread["cases"] if c["name"] == case["name"]), None)
            row.append(ratio_text(median_of(alone, "Belay") / ours) if alone else "–")
        yield row


def operator_table(run, one_thread):
    peers = peers_of(run)
    header = ["case", "bytes", "ideal", "Belay"] + peers
    header += ["Belay / ideal", "best peer / ideal", "Belay / best peer"]
    header.append("target" if one_thread is run else "gain over 1 thread")
    return table(header, list(operator_rows(run, one_thread, peers)))


def machine_table(runs):
    """GB/s of each kind and size; a column for each number of threads."""
    rows = {}
    for run in runs:
        for case in run["cases"]:
            if case["timings"]:
                continue
            for limit in case["limits"]:
                if limit["threads"] == run["threads"]:
                    rows.setdefault(case["name"], {})[run["threads"]] = limit
    if not rows:
        return None
    header = ["traffic, working set"]
    for run in runs:
        header += [f"{run['threads']} thread{'s' * (run['threads'] > 1)}, GB/s", "loop"]
    body = []
    for name, limits in rows.items():
        row = [name]
        for run in runs:
            limit = limits.get(run["threads"])
            row += [f"{limit['gigabytes_per_second']:.3g}", limit["loop"]] if limit else ["–", ""]
        body.append(row)
    return table(header, body)


def report(runs):
    runs = together(runs)
    lines = [
        f"{datetime.date.today()}, {cpu_name()} ({caches_text()}), {memory_text()},"
        f" Linux {platform.release()}."
        + (" A quick run: 3 repetitions, rough figures." if runs[0]["quick"] else "")
        + (f" Medians of {runs[0]['runs']} runs." if runs[0]["runs"] > 1 else "")
    ]
    if runs[0].get("absent_peers"):
        lines.append(f"Not installed, and so left out: {runs[0]['absent_peers']}.")
    for run in runs:
        title = f"Operators, {run['threads']} thread{'s' * (run['threads'] > 1)}"
        if run["fork_join_ns"]:
            title += f" (one fork-join: {time_text(run['fork_join_ns'])})"
        lines += ["### " + title, operator_table(run, runs[0])]
    machine = machine_table(runs)
    if machine:
        lines += ["### The machine", machine]
    return "\n\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    text = report([json.loads(file.read_text()) for file in arguments.files])
    if arguments.into is None:
        sys.stdout.write(text)
        return
    page = arguments.into.read_text()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    arguments.into.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
