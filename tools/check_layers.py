#!/usr/bin/env python3
"""Checks which room includes which, and which room uses which library.

The table is the architecture: docs/architecture.md explains it. A file may include what its room
lists here, and its own room. Tests are free.
"""
import pathlib
import re
import sys

ROOMS = {
    "base": set(),
    "kernels": {"base"},
    "ops": {"base", "kernels"},
    "runtime": {"base"},
    "acl": {"base", "runtime"},
    "aclnn": {"base", "runtime", "ops"},
    "atb": {"base", "runtime", "ops"},
    "cli": {"base", "kernels", "runtime", "ops"},
}

# A library and the only files that may include it (paths, or folders with a final slash).
LIBRARIES = {
    "hwy/": ["src/kernels/"],
    "tbb/": ["src/runtime/parallel_tbb.cc"],
    "spdlog/": ["src/runtime/log.cc"],
    "nlohmann/": ["src/runtime/init_file.cc", "cli/"],
    "CLI/": ["cli/"],
}

# Public headers: only the faces speak them. Those under belay/ are Belay's own and belong to base.
PUBLIC = {"acl": "acl", "aclnn": "aclnn", "aclnnop": "aclnn", "opdev": "aclnn", "atb": "atb"}

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')


def room_of(path, root):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "src" else parts[0]


def complaints(path, root):
    room = room_of(path, root)
    name = path.relative_to(root).as_posix()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        first = target.split("/")[0]
        for library, homes in LIBRARIES.items():
            if target.startswith(library) and not any(name.startswith(home) for home in homes):
                yield f"{name}:{number}: {target} belongs to {', '.join(homes)}"
        if "/" not in target:
            continue
        if first == "belay":
            continue
        if (root / "include" / target).exists():
            face = PUBLIC.get(first)
            if room not in ("acl", "aclnn", "atb") or face not in (room, "acl"):
                yield f"{name}:{number}: public header {target} in room {room}"
        elif first in ROOMS and first != room and first not in ROOMS.get(room, set()):
            yield f"{name}:{number}: room {room} includes {target}; allowed: {sorted(ROOMS[room])}"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [
        path
        for folder in ("src", "cli")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".h", ".cc") and not path.name.endswith(("_test.cc", "_reference.cc"))
    ]
    found = [text for path in files for text in complaints(path, root)]
    print("\n".join(found) if found else f"{len(files)} files keep to their layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
