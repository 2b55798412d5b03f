# SPDX-License-Identifier: BSD-3-Clause
"""Mutated files of the assignment's mesh format, beside a second parser: both read the same mesh, or both refuse the
same line."""

import math
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from trials import Tools, faults_of, run

sys.path.append(str(Path(__file__).resolve().parents[2] / "analysis"))

from deformbench_analysis.assignment_mesh import Mesh, Refused, area, parse, volume  # noqa: E402

NUMBERS = re.compile(r"(\w+): (\d+) vertices, (\d+) tetrahedra, volume (\S+) m³, surface (\S+) m²")
JUNK = [b"nan", b"inf", b"1e999", b"1e-400", b"0x10", b"--1", b"+-1", b"1.5.2", b"", b"\xff", b"\0", b"x", b"t", b"v", b"#", b"\r",
        b"9" * 40, b"-9223372036854775809", b"2147483648", b"3.0", b"1e0", b"+2"]  # fmt: skip


@dataclass
class Setup:
    tools: Tools
    samples: list[bytes]


def prepare(tools: Tools, scratch: Path) -> Setup:
    folder = Path(__file__).resolve().parents[1] / "model/meshes"
    samples = [path.read_bytes() for path in sorted(folder.glob("*.mesh"))]
    assert len(samples) >= 3
    return Setup(tools, samples)


def mutated(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    way = rng.randrange(10)
    nodes = sum(line.startswith(b"v") for line in lines)
    if way == 0:  # an index or a coordinate
        words[rng.randrange(len(words))] = rng.choice([b"%d" % nodes, b"-1", b"%d" % (nodes - 1), b"0"])
    elif way == 1:  # five numbers, or three
        words += [b"1"] if rng.random() < 0.7 else []
        words = words if rng.random() < 0.7 else words[:-1]
    elif way == 2:
        words[rng.randrange(len(words))] = rng.choice(JUNK)
    lines[at] = b" ".join(words)
    if way == 3:
        lines = [line.rstrip(b"\r") + rng.choice([b"\r", b"\r\r", b"", b" \t"]) for line in lines]
    elif way == 4:
        del lines[at]
    elif way == 5:
        lines.insert(
            at, rng.choice([lines[rng.randrange(len(lines))], b"f 1 2 3", b"", b"v 1 2 3", b"t 0 1 2 3", b"# x"])
        )
    elif way == 6:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    changed = bytearray(b"\n".join(lines))
    if way == 7:
        del changed[rng.randrange(len(changed) + 1) :]
    elif way >= 8 and changed:
        for _ in range(rng.choice([1, 2, 10])):
            place = rng.randrange(len(changed) + 1)
            changed[place : place + rng.randrange(2)] = rng.choice([bytes([rng.randrange(256)]), *JUNK])
    return bytes(changed)


def refused_line(message: str) -> int | None:
    found = re.match(r"[^\n]*?mutated\.mesh:(\d+): ", message)
    return int(found[1]) if found else None


def close(a: float, b: float, scale: float) -> bool:
    return not math.isfinite(scale) or abs(a - b) <= 1e-9 * scale


def differences(mesh: Mesh, out: str) -> list[str]:
    found = NUMBERS.match(out)
    if not found or found[1] != "assignment_text":
        return [f"read as {out.strip()!r}"]
    if (int(found[2]), int(found[3])) != (len(mesh.nodes), len(mesh.elements)):
        return [f"{len(mesh.nodes)} nodes and {len(mesh.elements)} elements, read as {out.strip()!r}"]
    reach = max(abs(x) for node in mesh.nodes for x in node)
    if reach > 1e50:  # cubes of coordinates overflow
        return []
    faults = []
    if not close(float(found[4]), volume(mesh), len(mesh.elements) * reach**3):
        faults.append(f"volume {volume(mesh)!r}, read as {found[4]}")
    whole = all(len(set(corners)) == 4 for corners in mesh.elements)
    if whole and not close(float(found[5]), area(mesh), len(mesh.elements) * reach**2):
        faults.append(f"area {area(mesh)!r}, read as {found[5]}")
    return faults


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    data = rng.choice(setup.samples)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = mutated(data, rng)
    path = folder / "mutated.mesh"
    path.write_bytes(data)
    end = run([setup.tools.mesh_reader, path], folder, 20)
    faults = faults_of(end, {0, 2}, one_line=True)
    if faults:
        return faults
    try:
        mesh = parse(data)
    except Refused as refused:
        if end.code == 0:
            return [f"read, where the second parser refuses line {refused.line}"]
        line = refused_line(end.err)
        if line is None:
            return [f"refused without a line: {end.err.strip()}"]
        # A file that begins with another word may be refused as one of the other formats that share .mesh.
        is_ours = re.match(rb"(?:[ \t\r\f\v\n]|#[^\n]*(?:\n|$))*[vt](?:[ \t\r\f\v\n#]|$)", data) is not None
        return [f"line {refused.line} is wrong, refused with {line}"] if is_ours and line != refused.line else []
    if end.code != 0:
        return [f"the second parser reads it: {end.err.strip()}"]
    return differences(mesh, end.out)
