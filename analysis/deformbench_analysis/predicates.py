# SPDX-License-Identifier: BSD-3-Clause
"""Predicates as people write them, and the comparisons that they stand for (docs/claims_format.md).

`{"<measurement> <op> <bound>": "<origin>", …}` stands for `{"all": [comparison, …]}`, and a regime may say what it
changes of the predicate of its claim. Everything else is written out."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import InputError
from .nearest_names import suggestion

Predicate = dict[str, Any]
DIFFERENCES = ("without", "instead_of", "also")
_NOTE = "note on "


def is_control(comparison: Mapping[str, Any]) -> bool:
    """Whether the row asks what the experiment can tell, not what the claim says."""
    return str(comparison.get("origin", "")).startswith(("control:", "counter:"))


def leaves_of(predicate: Mapping[str, Any]) -> Iterator[Predicate]:
    """Every comparison of a predicate, however deep it stands."""
    if "measurement" in predicate:
        yield dict(predicate)
    for key in ("all", "any"):
        for part in predicate.get(key, []):
            yield from leaves_of(part)
    if "not" in predicate:
        yield from leaves_of(predicate["not"])


def written_out(predicate: Mapping[str, Any], where: str) -> Predicate:
    """A predicate that obeys the schema, with its rows as comparisons. InputError names `where`."""
    if "measurement" in predicate:
        return _with_ordered_bounds(dict(predicate), where)
    if "not" in predicate:
        return {"not": written_out(predicate["not"], f"{where}/not")}
    form = next((key for key in ("all", "any") if key in predicate), "")
    parts = predicate[form] if form else predicate
    inside = f"{where}/{form}" if form else where
    if isinstance(parts, Mapping):
        return {form or "all": comparisons(parts, inside)}
    return {form: [written_out(part, f"{inside}/{index}") for index, part in enumerate(parts)]}


def comparisons(rows: Mapping[str, Any], where: str) -> list[Predicate]:
    """The comparisons of a table of rows."""
    found = [_of_row(key, said, f"{where}/{key}") for key, said in rows.items() if not key.startswith(_NOTE)]
    for key, text in rows.items():
        if not key.startswith(_NOTE):
            continue
        noted = [c for c in found if c["measurement"] == key.removeprefix(_NOTE)]
        if not noted:
            raise InputError(f"{where}/{key}: no row has this measurement, expected a note on one of the table")
        for comparison in noted:
            comparison["note"] = text
    return found


def _of_row(key: str, said: Any, where: str) -> Predicate:
    measurement, op, bound = key.split(" ", 2)
    try:
        value = json.loads(bound)
    except ValueError as error:
        raise InputError(f"{where}: {bound!r}, expected a number") from error
    more = said if isinstance(said, Mapping) else {"origin": said}
    return _with_ordered_bounds({"measurement": measurement, "op": op, "value": value, **more}, where)


def _with_ordered_bounds(comparison: Predicate, where: str) -> Predicate:
    if comparison["op"] == "in" and not comparison["value"][0] < comparison["value"][1]:
        raise InputError(f"{where}/value: {comparison['value']}, expected [low, high]")
    return comparison


def in_regime(difference: Mapping[str, Any], predicate: Mapping[str, Any], where: str) -> Predicate:
    """The predicate of a regime that leaves comparisons of the claim's predicate out, replaces some,
    or adds to them."""
    whole = predicate.get("all", [])
    names = [comparison.get("measurement") for comparison in whole]
    if not whole or None in names:
        raise InputError(f"{where}: refers to the predicate, expected one that is a table of rows")
    instead = {n: comparisons(rows, f"{where}/instead_of/{n}") for n, rows in difference.get("instead_of", {}).items()}
    without: list[str] = difference.get("without", [])
    for name in [*instead, *without]:
        if name not in names:
            raise InputError(f"{where}: {name!r} is no measurement of the predicate{suggestion(name, names)}")
        if name in without and (name in instead or without.count(name) > 1):
            raise InputError(f"{where}: {name!r} is left out twice")
    changed = {**instead, **{name: [] for name in without}}
    kept: list[Predicate] = []
    for comparison in whole:
        kept += changed.get(comparison["measurement"], [comparison])
        if comparison["measurement"] in changed:
            changed[comparison["measurement"]] = []  # a second comparison of it is replaced by the same rows
    return {"all": kept + comparisons(difference.get("also", {}), f"{where}/also")}
