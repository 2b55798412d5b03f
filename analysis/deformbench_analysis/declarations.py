# SPDX-License-Identifier: BSD-3-Clause
"""Declarations (docs/declarations.md), as far as reading results needs them: which cells belong to a tier.

A trace belongs to a tier when its resolved spec contains all that the declaration, patched with the tier, says. This
needs neither the methods' defaults nor the hash, and it leaves out traces of an earlier wording of the declaration.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .paths import experiments_dir
from .trace import Trace, look_up

TIERS = ("smoke", "paper", "large")


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), value)
    return result


def same(left: Any, right: Any) -> bool:
    """Equality in which 1 and 1.0 agree, and a number read from JSON agrees with itself printed and parsed."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return math.isclose(left, right, rel_tol=1e-12, abs_tol=0.0)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right))
    return bool(left == right)


def contains(whole: Any, part: Any) -> bool:
    """True when every key that `part` names has that value in `whole`, recursively."""
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(k in whole and contains(whole[k], v) for k, v in part.items())
    return same(whole, part)


Axis = list[dict[str, Any]]  # one dictionary (path → value) a point; a zip moves several paths together


def axes_of(sweep: Mapping[str, Any]) -> list[Axis]:
    axes: list[Axis] = []
    for key, value in sweep.items():
        if isinstance(value, Mapping):
            columns = value.get("zip")
            if not isinstance(columns, Mapping) or len({len(v) for v in columns.values()}) != 1:
                raise InputError(f'sweep {key}: expected a list, or {{"zip": …}} of lists of one length')
            axes.append([dict(zip(columns, row)) for row in zip(*columns.values())])
        else:
            axes.append([{key: point} for point in value])
    return axes


@dataclass(frozen=True)
class Declaration:
    path: Path
    data: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def exploratory(self) -> bool:
        return bool(self.data.get("exploratory", False))

    @property
    def doc(self) -> str:
        return str(self.data.get("doc", ""))

    def at_tier(self, tier: str) -> dict[str, Any] | None:
        """The declaration with the tier's patch applied; None when it has no such tier."""
        patch = self.data.get("tiers", {}).get(tier)
        if patch is None:
            return None
        base = {k: v for k, v in self.data.items() if k != "tiers"}
        return dict(merge_patch(base, patch))

    def _method_axes(self, declared: Mapping[str, Any], entry: Mapping[str, Any]) -> list[Axis]:
        return axes_of(declared.get("sweep", {})) + axes_of(entry.get("sweep", {}))

    def matches(self, trace: Trace, tier: str) -> bool:
        """Whether the trace is a cell of this declaration at this tier."""
        declared = self.at_tier(tier)
        if declared is None:
            return False
        for entry in declared.get("methods", []):
            if entry.get("name", entry.get("method")) != trace.method_name:
                continue
            return self._matches_entry(trace, declared, entry)
        return False

    def _matches_entry(self, trace: Trace, declared: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
        spec = trace.spec
        axes = self._method_axes(declared, entry)
        swept = {path for axis in axes for point in axis[:1] for path in point}
        method = {"id": entry.get("method"), "parameters": entry.get("parameters", {})}
        partial: dict[str, Any] = {
            "scene": declared.get("scene", {}),
            "method": method,
            "schedule": declared.get("schedule", {}),
        }
        for key in ("channels", "ensemble", "threads", "seed"):
            if key in declared:
                partial[key] = declared[key]
        for path in swept:  # the sweep decides these, not the base
            _remove(partial, path)
        if not contains(spec, partial):
            return False
        for axis in axes:
            applicable = [
                p for p in axis[0] if not (p.startswith("method.parameters.") and look_up(spec, p, _ABSENT) is _ABSENT)
            ]
            if applicable and not any(
                all(same(trace.value(p, _ABSENT), point[p]) for p in applicable) for point in axis
            ):
                return False
        return True

    def expected_status(self, trace: Trace, tier: str) -> str:
        """How the declaration says the cell ends: the first entry of `expect` that fits it, else completed."""
        for entry in (self.at_tier(tier) or {}).get("expect", []):
            if all(_agrees(look_up(trace.spec, path), wanted) for path, wanted in entry.get("where", {}).items()):
                return str(entry["status"])
        return "completed"

    def expected_points(
        self, tier: str, parameters_of: Mapping[str, set[str]] | None = None
    ) -> list[tuple[str, dict[str, Any]]]:
        """(method's label, coordinates) of every cell. `parameters_of` (label → names) drops what a method lacks."""
        declared = self.at_tier(tier)
        if declared is None:
            return []
        points: list[tuple[str, dict[str, Any]]] = []
        for entry in declared.get("methods", []):
            name = entry.get("name", entry.get("method"))
            known = (parameters_of or {}).get(name)
            axes = self._method_axes(declared, entry)
            if known is not None:
                axes = [
                    a
                    for a in axes
                    if not all(p.startswith("method.parameters.") and p.split(".")[2] not in known for p in a[0])
                ]
            for combination in itertools.product(*axes):
                coordinates: dict[str, Any] = {}
                for point in combination:
                    coordinates.update(point)
                points.append((name, coordinates))
        return points


_ABSENT = object()


def _agrees(value: Any, wanted: Any) -> bool:
    """A value against a value, a list of values, or {"min": a, "max": b}."""
    if isinstance(wanted, list) and not isinstance(value, list):
        return any(same(value, w) for w in wanted)
    if isinstance(wanted, Mapping) and isinstance(value, (int, float)):
        return bool(wanted.get("min", -math.inf) <= value <= wanted.get("max", math.inf))
    return same(value, wanted)


def _remove(tree: dict[str, Any], path: str) -> None:
    """Removes the value at a dotted path, copying the dictionaries on the way."""
    head, _, rest = path.partition(".")
    if head not in tree:
        return
    if not rest:
        tree.pop(head)
    elif isinstance(tree[head], Mapping):
        tree[head] = dict(tree[head])
        _remove(tree[head], rest)


def load_declaration(path: Path) -> Declaration:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: not a readable JSON declaration ({error})") from error
    if not isinstance(data, dict) or "id" not in data:
        raise InputError(f"{path}: a declaration is an object with the key id")
    return Declaration(path, data)


def all_declarations(folder: Path | None = None) -> dict[str, Declaration]:
    """Every declaration of the tree by id: JSON files with `id` and `tiers` below experiments/."""
    root = folder or experiments_dir()
    found: dict[str, Declaration] = {}
    for path in sorted(root.glob("*/*.json")):
        if path.parent.name in ("harness", "benchmarks"):
            continue
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and "id" in data and "tiers" in data:
            found[data["id"]] = Declaration(path, data)
    return found
