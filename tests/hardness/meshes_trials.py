# SPDX-License-Identifier: BSD-3-Clause
"""Mutated mesh files of every format that is read: each is a mesh, or is refused with one line."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

from trials import Tools, faults_of, run

NUMBERS = [b"0", b"-1", b"1e999", b"nan", b"inf", b"1e-400", b"2147483648", b"-9223372036854775809", b"999999999999999999999",
           b"1e308", b"4294967297", b"0x1p3", b"--1", b"1.5.2", b"", b"\xff", b"1000000000", b"3"]  # fmt: skip
SURFACES = (".obj", ".off", ".ply", ".stl")


@dataclass
class Setup:
    tools: Tools
    samples: list[Path]


def prepare(tools: Tools, scratch: Path) -> Setup:
    samples = scratch / "samples"
    samples.mkdir()
    end = run([tools.mesh_reader, "--samples", samples], scratch)
    assert end.code == 0, end.err
    found = sorted(samples.iterdir())
    for path in found:
        assert run([tools.mesh_reader, path], scratch).code == 0, path
    return Setup(tools, found)


def mutated(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        way = rng.randrange(9)
        at = rng.randrange(len(changed)) if changed else 0
        if way == 0:
            changed[at : at + 1] = bytes([rng.randrange(256)])
        elif way == 1:
            changed[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80"])
        elif way == 2:
            del changed[at:]
        elif way == 3:
            del changed[at : at + rng.choice([1, 8, 100])]
        elif way == 4:
            changed[at:at] = changed[rng.randrange(len(changed) + 1) :][: rng.choice([1, 50, 5000])]
        elif way in (5, 6):
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", bytes(changed)))
            if numbers:
                one = rng.choice(numbers[: rng.choice([6, len(numbers)])])  # counts stand in front
                changed[one.start() : one.end()] = rng.choice(NUMBERS)
        elif way == 7:
            lines = bytes(changed).splitlines(keepends=True)
            if len(lines) > 1:
                a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[a], lines[b] = lines[b], lines[a]
                changed = bytearray(b"".join(lines))
        else:
            changed[at:at] = rng.choice(
                [b"\r", b"\0", b"#", b"\n" * 1000, b" " * 100_000, b"\xef\xbb\xbf", b"9" * 50_000]
            )
    return bytes(changed)


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    sample = rng.choice(setup.samples)
    for beside in setup.samples:  # TetGen has two files
        if beside.stem == sample.stem:
            (folder / beside.name).write_bytes(beside.read_bytes())
    path = folder / sample.name
    path.write_bytes(mutated(sample.read_bytes(), rng))
    end = run([setup.tools.mesh_reader, path], folder, 20)
    faults = faults_of(end, {0, 2}, one_line=True)
    if sample.suffix in SURFACES and rng.random() < 0.3:
        faults += simulated(setup, path, folder)
    if sample.suffix not in SURFACES and rng.random() < 0.5:
        faults += in_a_scene(setup, path, folder)
    return faults


def in_a_scene(setup: Setup, mesh: Path, folder: Path) -> list[str]:
    """A scene file with the mesh is written out as lists, or refused with a line that names the place in the
    scene."""
    scene = folder / "scene.json"
    material = {"id": "one", "young_modulus_pa": 1e5, "poisson_ratio": 0.3, "density_kg_m3": 1000}
    document = {
        "format": "deformbench-scene",
        "format_version": 1,
        "name": "mutated",
        "time_step_s": 0.01,
        "body": {"kind": "tetrahedra", "meshes": [{"file": mesh.name}]},
        "materials": [material],
        "prescribed_motions": [{"vertices": {"boundary": True}}],
    }
    scene.write_text(json.dumps(document), encoding="utf-8")
    end = run([setup.tools.deformbench, "export-scene", scene, "--to", "lists.json"], folder, 20)
    faults = faults_of(end, {0, 2}, one_line=end.code == 2)
    if end.code == 2 and "scene.json: " not in end.err:
        faults.append(f"the refusal does not name the scene: {end.err.strip()}")
    return faults


def simulated(setup: Setup, surface: Path, folder: Path) -> list[str]:
    scene = folder / "scene.json"
    parameters = {"model": str(surface), "length_m": 1.0, "cell_size_m": 0.25}
    scene.write_text(json.dumps({"name": "animal", "parameters": parameters}), encoding="utf-8")
    words = [setup.tools.deformbench, "simulate", scene, "--method", "linear_fem", "--steps", "2", "--out", "out"]
    return faults_of(run(words, folder, 40), {0, 2}, one_line=False)
