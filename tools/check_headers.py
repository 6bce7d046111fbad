#!/usr/bin/env python3
"""Compiles every public header alone, for several compilers and language standards.

Each header is included by a tiny source file and only checked for syntax. All headers must pass as
C++11 and C++20, the oldest and the newest that clients use; the headers under acl/ except the C++
overloads must also pass as C99.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys

CXX_STANDARDS = ["c++11", "c++20"]
C_STANDARDS = ["c99"]
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
CXX_ONLY = {"acl/acl_rt_api.h"}
C_COMPILERS = {"g++": "gcc", "clang++": "clang"}


def find_headers(include_dir):
    """Returns the paths of all headers below include_dir, relative to it and sorted."""
    headers = []
    for folder, _, names in os.walk(include_dir):
        for name in names:
            if name.endswith(".h"):
                path = os.path.relpath(os.path.join(folder, name), include_dir)
                headers.append(path.replace(os.sep, "/"))
    return sorted(headers)


def c_compiler_for(cxx):
    """Returns the C compiler that belongs to a C++ compiler, for example gcc-12 for g++-12."""
    folder, name = os.path.split(cxx)
    for cxx_name, c_name in C_COMPILERS.items():
        if name == cxx_name or name.startswith(cxx_name + "-"):
            return os.path.join(folder, c_name + name[len(cxx_name):])
    return None


def is_plain_c(header):
    return header.startswith("acl/") and header not in CXX_ONLY


def include_spellings(include_dir, header):
    """Yields (include directories, include spelling) pairs that a client may use for a header."""
    yield [include_dir], header
    if header.startswith("aclnn/"):
        yield [include_dir, os.path.join(include_dir, "aclnn")], header[len("aclnn/"):]
    elif header.startswith("acl/"):
        yield [os.path.join(include_dir, "acl")], header[len("acl/"):]
    elif header.startswith(("atb/", "hccl/")):
        yield [include_dir], header
    else:
        yield [include_dir, os.path.join(include_dir, "aclnn")], header


def compile_one(job):
    """Runs one compilation; returns (job, error text or None)."""
    compiler, language, standard, folders, spelling = job
    # The declaration keeps the unit non-empty. A second include checks the header guard.
    source = f'#include "{spelling}"\n#include "{spelling}"\nextern int header_check_anchor;\n'
    command = [compiler, f"-std={standard}", "-x", language, "-fsyntax-only", *WARNINGS]
    for folder in folders:
        command += ["-I", folder]
    result = subprocess.run(
        command + ["-"], input=source, capture_output=True, text=True, check=False
    )
    clean = result.returncode == 0 and not result.stderr.strip()
    return job, None if clean else (result.stderr or f"exit code {result.returncode}")


def make_jobs(include_dir, headers, compilers):
    jobs = []
    skipped = []
    for cxx in compilers:
        if shutil.which(cxx) is None:
            skipped.append(cxx)
            continue
        c_compiler = c_compiler_for(cxx)
        if c_compiler is not None and shutil.which(c_compiler) is None:
            skipped.append(c_compiler)
            c_compiler = None
        for header in headers:
            for folders, spelling in include_spellings(include_dir, header):
                jobs += [(cxx, "c++", std, folders, spelling) for std in CXX_STANDARDS]
                if c_compiler is not None and is_plain_c(header):
                    jobs += [(c_compiler, "c", std, folders, spelling) for std in C_STANDARDS]
    return jobs, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include_dir", help="root of the public headers")
    parser.add_argument("--cxx", nargs="+", default=["g++", "clang++"], help="C++ compilers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel compilers")
    args = parser.parse_args()

    include_dir = os.path.abspath(args.include_dir)
    headers = find_headers(include_dir)
    if not headers:
        print(f"no headers found in {include_dir}", file=sys.stderr)
        return 2
    jobs, skipped = make_jobs(include_dir, headers, args.cxx)
    for compiler in skipped:
        print(f"skipped: {compiler} is not installed")
    if not jobs:
        print("no compiler available, nothing was checked", file=sys.stderr)
        return 2

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, args.jobs)) as pool:
        for job, error in pool.map(compile_one, jobs):
            if error is not None:
                failures += 1
                compiler, _, standard, folders, spelling = job
                print(f"FAILED: {spelling} with {compiler} -std={standard} -I{' -I'.join(folders)}")
                print(error)
    print(f"{len(headers)} headers, {len(jobs)} compilations, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
