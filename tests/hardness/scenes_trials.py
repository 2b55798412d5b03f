# SPDX-License-Identifier: BSD-3-Clause
"""Mutated scene files: types, ranges, nesting, indices, huge numbers. Each is a scene,
or is refused with one line."""

import copy
import json
import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from declarations_trials import mutate_place, text_of
from trials import ROOT, Tools, faults_of, run

EXAMPLES = ROOT / "experiments" / "scenes" / "examples"
# Registered scenes with what the examples have not, small.
EXPORTED = ["held_tetrahedron", "loaded_tetrahedron", "particle_cloud", "box_on_net", "constraint_samples"]


@dataclass
class Setup:
    tools: Tools
    documents: list[dict[str, Any]]
    methods: list[str]


def prepare(tools: Tools, scratch: Path) -> Setup:
    documents = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(EXAMPLES.glob("*.json"))]
    for name in EXPORTED:
        end = run([tools.deformbench, "export-scene", name], scratch)
        assert end.code == 0, end.err
        documents.append(json.loads(end.out))
    methods = ["linear_fem", "warped_fem", "implicit_fem", "explicit_fem", "pbd", "xpbd"]
    return Setup(tools, documents, methods)


def mutate(document: dict[str, Any], rng: random.Random, others: list[dict[str, Any]]) -> None:
    def special(way: int, parent: Any, key: int | str) -> bool:
        if way == 2:  # a part of another scene, whose indices and names need not fit
            part = rng.choice(sorted(other := rng.choice(others)))
            document[part] = copy.deepcopy(other[part])
        elif way == 3 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[int(key)]))
        elif way == 4 and isinstance(parent[key], (int, float)):
            parent[key] = rng.choice([-1, 0, 1, 3, 7, 10**6, 2**31, -0.0, 1e-300, 1e300, 0.5])
        else:
            return False
        return True

    mutate_place(document, rng, special)


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    document = copy.deepcopy(rng.choice(setup.documents))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        mutate(document, rng, setup.documents)
        if not document:
            break
    for mesh in EXAMPLES.iterdir():
        if mesh.suffix != ".json":
            shutil.copy(mesh, folder)
    path = folder / "scene.json"
    path.write_bytes(text_of(document, rng))
    end = run([setup.tools.deformbench, "export-scene", path, "--to", "again.json"], folder, 20)
    faults = faults_of(end, {0, 2}, one_line=end.code == 2)
    if end.code != 0:
        return faults
    # What can be read can be written, and reads back to the same.
    twice = run([setup.tools.deformbench, "export-scene", "again.json", "--to", "twice.json"], folder, 20)
    faults += faults_of(twice, {0})
    if not faults and (folder / "again.json").read_bytes() != (folder / "twice.json").read_bytes():
        faults.append("an exported scene reads back to another one")
    if rng.random() < 0.3:
        words = [setup.tools.deformbench, "simulate", path, "--method", rng.choice(setup.methods), "--steps", "2"]
        words += ["--channels", "kinetic_energy", "--out", "out", "--set", "time_limit_s=10"]
        faults += faults_of(run(words, folder, 40), {0, 2, 4, 5})
    return faults
