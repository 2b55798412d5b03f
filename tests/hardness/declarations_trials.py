# SPDX-License-Identifier: BSD-3-Clause
"""Mutated declarations: types, ranges, nesting, huge counts, odd Unicode. Each is run or refused with one line."""

import copy
import functools
import json
import operator
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trials import ROOT, Tools, faults_of, run

ODD_TEXTS = [
    "", " ", "\u0000", "../../x", "/etc/passwd", "a" * 5000, "\ud83d\ude00", "\u202egnp.", "e\u0301", "\ufeff", "NaN",
    "\n", "%s%n", "$scene.parameters.x", "../", "con\\nul", "\u200b", "İ", "-1", "true",
]  # fmt: skip
ODD_NUMBERS: list[Any] = [
    0, -1, 1, 2, 3, 0.5, -0.0, 1e-320, 1e308, -1e308, 2**31 - 1, 2**31, 2**32 + 2, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1,
    2**64, 10**9, 10**30,
]  # fmt: skip
RAW = ["1e999", "-1e999", "9" * 400, "NaN", "Infinity", "0x10", "01", "+1", "1.", ".5", "'a'", "[1,]", "{", "\\u12"]
PLACE = "PLACE-OF-RAW-TEXT"


@dataclass
class Setup:
    tools: Tools
    documents: list[dict[str, Any]]


def prepare(tools: Tools, scratch: Path) -> Setup:
    paths = sorted((ROOT / "experiments").glob("*/declarations/*.json"))
    return Setup(tools, [json.loads(p.read_text(encoding="utf-8")) for p in paths])


def places_in(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inner:
        found += places_in(value, (*path, key))
    return found


def nested(rng: random.Random) -> Any:
    value: Any = 1
    for _ in range(rng.choice([3, 50, 400])):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def odd_value(rng: random.Random, old: Any) -> Any:
    way = rng.randrange(10)
    if way <= 1:
        return rng.choice(ODD_NUMBERS)
    if way == 2 and isinstance(old, (int, float)) and not isinstance(old, bool):
        return (
            old * rng.choice([-1, 0, 1e-12, 1e12, 2**20])
            if isinstance(old, float)
            else old * rng.choice([-1, 0, 2, 1000])
        )
    if way == 3:
        return rng.choice(ODD_TEXTS)
    if way == 4:
        return rng.choice([None, True, False, [], {}, [[]], [None], {"": ""}])
    if way == 5:
        return nested(rng)
    if way == 6:
        return [old] * rng.choice([0, 1, 2, 30, 2000])
    if way == 7:
        return PLACE
    if way == 8 and isinstance(old, str):
        at = rng.randrange(len(old) + 1)
        return old[:at] + rng.choice(ODD_TEXTS) + old[at:]
    return {str(rng.choice(ODD_TEXTS))[:60]: old}


def mutate_place(document: dict[str, Any], rng: random.Random, special: Callable[[int, Any, int | str], bool]) -> None:
    """Deletes a place in a document, adds a key beside it, or puts something odd there. `special` may do something
    else with the way that was drawn (2 to 7), the parent of the place and its key there, and says whether it did."""
    path = rng.choice(places_in(document))
    parent, key = functools.reduce(operator.getitem, path[:-1], document), path[-1]
    way = rng.randrange(8)
    if way == 0:
        del parent[key]
    elif way == 1 and isinstance(parent, dict):
        parent[rng.choice(ODD_TEXTS) or "unknown"] = odd_value(rng, parent[key])
    elif not special(way, parent, key):
        parent[key] = odd_value(rng, parent[key])


def mutate(document: dict[str, Any], rng: random.Random) -> None:
    def special(way: int, _parent: Any, _key: int | str) -> bool:
        if way == 2:
            big = list(range(rng.choice([2, 151, 3000, 10**5])))
            path = rng.choice(["seed", "schedule.steps", "scene.parameters.length_m", "a..b"])
            sweep = document.setdefault("sweep", {})  # which an earlier mutation may have made anything
            document["sweep"] = {**(sweep if isinstance(sweep, dict) else {}), path: big}
        elif way == 3:
            keys = ["threads", "time_limit_s", "paper", "id", "ensemble", "expect", "schedule", "sweep"]
            document[rng.choice(keys)] = odd_value(rng, rng.choice(ODD_NUMBERS))
        return way in (2, 3)

    mutate_place(document, rng, special)


def text_of(document: dict[str, Any], rng: random.Random) -> bytes:
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    text = text.replace(f'"{PLACE}"', rng.choice(RAW))
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    way = rng.random()
    if way < 0.05:
        del data[rng.randrange(len(data)) :]
    elif way < 0.10:
        for _ in range(rng.choice([1, 5])):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif way < 0.12:
        depth = rng.choice([200, 5000, 100_000])
        data = bytearray(b'{"a":' * depth if rng.random() < 0.5 else b"[" * depth)
    elif way < 0.13:
        data = bytearray(rng.choice([b"", b" ", b"null", b"[]", b"\xff\xfe{}", b"\xef\xbb\xbf" + bytes(data)]))
    return bytes(data)


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    document = copy.deepcopy(rng.choice(setup.documents))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        mutate(document, rng)
    path = folder / "mutated.json"
    path.write_bytes(text_of(document, rng))
    words = [setup.tools.deformbench, "run", path, "--tier", rng.choice(["smoke", "smoke", "paper"]), "--out", "out"]
    plan = run([*words, "--dry-run"], folder, 20)
    faults = faults_of(plan, {0, 2, 5}, one_line=plan.code == 2)
    # What is small enough is also begun. A declaration may ask for hours: the time limit of a cell is set, and kept.
    if plan.code == 0 and len(plan.out.splitlines()) <= 2 and rng.random() < 0.3:
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            return faults
        if not isinstance(document.get("time_limit_s", 1), (int, float)):
            return faults
        document["time_limit_s"] = 1
        for tier in document["tiers"].values():
            tier.pop("time_limit_s", None)
        path.write_text(json.dumps(document), encoding="utf-8")
        faults += faults_of(run(words, folder, 60), {0, 2, 4, 5})
        outside = [p for p in folder.parent.rglob("*.h5") if folder / "out" not in p.parents]
        faults += [f"a trace outside --out: {p}" for p in outside]
    return faults
