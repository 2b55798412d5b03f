# SPDX-License-Identifier: BSD-3-Clause
"""A comparison as tables: pairs, errors and parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..cell_errors import WHOLE_CURVE
from ..compare import settings_text
from ..results import same
from ..tables import Column, Table
from ..timing_marks import note
from ..trace import Trace
from .accuracy import Error
from .pairs import Compared, Pair
from .sides import Side


def outcome(pair: Pair) -> str:
    """What became of a pair, in words."""
    if pair.why_not:
        return f"not compared: {pair.why_not}"
    if pair.ratio is None:
        return f"no ratio: {pair.why_untimed}"
    return pair.ratio.verdict + (f" ({pair.ratio.reason})" if pair.ratio.reason else "")


def pair_table(one: Compared, sides: Sequence[Side]) -> Table:
    """A row per pair: step time over the baseline's with its interval, and the errors of both. Cells without a
    counterpart, and those without a trace, have a row too."""
    names = list(dict.fromkeys((e.when, e.what) for found in one.errors.values() for e in found))
    apart = any(p.apart is not None for p in one.pairs) and not names
    table = Table(
        [Column(name) for name in ("point", "baseline", "compared")]
        + [Column(name, "1", ".3f") for name in ("time ratio", "95 % from", "to")]
        + [Column("pairs"), Column("outcome")]
        + [Column(f"{who}: error {when}", "1", ".3g") for when, _ in names for who in ("baseline", "compared")]
        + ([Column("apart", "1", ".3g")] if apart else []),
        caption=f"{one.id}: {sides[0].text} and {', '.join(s.text for s in sides[1:])}"
        + (
            "; errors: " + "; ".join(dict.fromkeys(what for _, what in names))
            if names
            else "; no reference, so that there are no errors"
        ),
    )
    if explained := note([cell for of in one.cells for cell in of]):
        table.caption += f". {explained}"
    for pair in one.pairs:
        ratio = pair.ratio
        numbers: list[float | None]
        numbers = [None, None, None, None] if ratio is None else [ratio.value, ratio.low, ratio.high, ratio.pairs]
        values = [error_of(one, cell, name) for name in names for cell in (pair.baseline, pair.other)]
        far = [None if pair.apart is None else pair.apart.value] if apart else []
        shown = [one.point(pair.baseline), one.marked(pair.baseline), one.marked(pair.other)]
        table.add(*shown, *numbers, outcome(pair), *values, *far)
    for cell in one.alone:
        own = [error_of(one, cell, name) for name in names]
        is_baseline = sides[0].matches(cell)
        blank = [v for value in own for v in ((value, None) if is_baseline else (None, value))]
        entry = (one.marked(cell), "–") if is_baseline else ("–", one.marked(cell))
        end = "" if cell.status == "completed" else f"; {cell.status}: {cell.status_reason}"
        where = one.point(cell)
        table.add(where, *entry, *[None] * 4, f"no counterpart{end}", *blank, *([None] if apart else []))
    for name, at in one.missing:
        table.add(settings_text(at) or "–", "–", name, *[None] * 4, "no trace", *[None] * (2 * len(names) + apart))
    return table


def error_of(one: Compared, cell: Trace, name: tuple[str, str]) -> float | None:
    """The cell's error of this name, or None."""
    for error in one.errors.get(cell.cell_id, []):
        if (error.when, error.what) == name:
            return error.value
    return None


def main_error(errors: Sequence[Error]) -> Error | None:
    """The one that is drawn against time: of the whole curve where there is one."""
    known = [e for e in errors if e.value is not None]
    return next((e for e in known if e.when == WHOLE_CURVE), known[0] if known else None)


DIFFERS, SAME, LACKS = "differs", "the same", "not a parameter of all"


@dataclass(frozen=True)
class ParameterRow:
    """Values of a parameter, side by side; None where a side has no such parameter. `kind`: DIFFERS where the sides
    that have it differ, LACKS where one has no such parameter, else SAME."""

    name: str
    values: list[list[Any] | None]
    kind: str


def parameters(one: Compared) -> list[ParameterRow]:
    """The resolved parameters of every side's method in this experiment, each with all values that its cells have."""
    names = sorted({n for of in one.cells for c in of for n in c.value("method.parameters", {})})
    rows = []
    for name in names:
        values: list[list[Any] | None] = []
        for of in one.cells:
            found: list[Any] = []
            has = False
            for cell in of:
                own = cell.value("method.parameters", {})
                if name in own:
                    has = True
                    if not any(same(own[name], v) for v in found):
                        found.append(own[name])
            values.append(found if has else None)
        present = [v for v, of in zip(values, one.cells) if of]  # a side without cells here says nothing
        known = [v for v in present if v is not None]
        kind = LACKS if len(known) < len(present) else SAME
        rows.append(ParameterRow(name, values, kind if all(same(v, known[0]) for v in known) else DIFFERS))
    return rows
