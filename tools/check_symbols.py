#!/usr/bin/env python3
"""Compares the symbols exported by the libraries with a list, in both directions.

The list holds one "library symbol" pair per line; "-" as symbol says that the library must exist
and export nothing. Empty lines and lines that start with # are skipped.
"""

import argparse
import os
import subprocess
import sys

LINKER_SYMBOLS = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def read_list(path):
    """Returns {library: set of symbols} from the list file."""
    expected = {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            fields = line.split()
            if not fields or fields[0].startswith("#"):
                continue
            if len(fields) != 2:
                raise ValueError(f"{path}:{number}: expected 'library symbol'")
            library, symbol = fields
            symbols = expected.setdefault(library, set())
            if symbol != "-":
                if symbol in symbols:
                    raise ValueError(f"{path}:{number}: {library} {symbol} is listed twice")
                symbols.add(symbol)
    if not expected:
        raise ValueError(f"{path}: the list is empty")
    return expected


def exported_symbols(nm, library):
    """Returns the dynamic symbols that a library defines, without version suffixes."""
    result = subprocess.run(
        [nm, "-D", "--defined-only", library], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise RuntimeError(f"{nm} failed on {library}: {result.stderr.strip()}")
    symbols = set()
    for line in result.stdout.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        kind, symbol = fields[-2], fields[-1]
        name, _, version = symbol.partition("@")
        # The linker adds an absolute symbol for each version node of a version script.
        is_version_node = kind == "A" and version.lstrip("@") in ("", name)
        if name not in LINKER_SYMBOLS and not is_version_node:
            symbols.add(name)
    return symbols


def compare(library, path, expected, nm):
    """Prints the differences of one library; returns their number."""
    if not os.path.isfile(path):
        print(f"{library}: not found at {path}")
        return 1
    actual = exported_symbols(nm, path)
    missing = sorted(expected - actual)
    extra = sorted(actual - expected)
    for symbol in missing:
        print(f"{library}: - {symbol} (listed, but not exported)")
    for symbol in extra:
        print(f"{library}: + {symbol} (exported, but not listed)")
    if not missing and not extra:
        print(f"{library}: {len(actual)} symbols match")
    return len(missing) + len(extra)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lib_dir", help="directory with the built libraries")
    parser.add_argument("symbol_list", help="file with the expected symbols")
    parser.add_argument("--nm", default="nm", help="symbol lister to run")
    args = parser.parse_args()
    try:
        expected = read_list(args.symbol_list)
        differences = sum(
            compare(library, os.path.join(args.lib_dir, library), symbols, args.nm)
            for library, symbols in sorted(expected.items())
        )
    except (OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if differences:
        print(f"{differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
