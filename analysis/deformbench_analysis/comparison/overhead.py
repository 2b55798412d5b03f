# SPDX-License-Identifier: BSD-3-Clause
"""What the protocol costs a method that is a program: its own time of a step,
and what asking and answering takes beside it."""

from collections.abc import Iterable

from ..tables import Column, Table
from ..trace import Trace
from .pairs import Compared

PROGRAM, PROTOCOL = "program", "protocol"  # phases of a timing pass (docs/program_protocol.md)


def shares(cell: Trace) -> tuple[float, float, float] | None:
    """Milliseconds per step of the program and of the protocol, and the protocol's share: medians over all steps of
    all repeats. None for a method that is no program, and where the cell was not timed."""
    timing = cell.timing
    if timing is None or not {PROGRAM, PROTOCOL} <= set(timing.phase_names):
        return None
    return timing.phase_ms(PROGRAM), timing.phase_ms(PROTOCOL), timing.phase_share(PROTOCOL)


def overhead_table(experiments: Iterable[Compared]) -> Table | None:
    """A row per timed cell of a program; None where there is none."""
    table = Table(
        [
            Column("experiment"),
            Column("method"),
            Column("point"),
            Column("vertices"),
            Column("program", "ms/step", ".3g"),
            Column("protocol", "ms/step", ".3g"),
            Column("protocol's share", "1", ".3g"),
        ],
        caption="Programs: their own time of a step, and what the protocol adds (medians)",
    )
    for one in experiments:
        for cell in {c.cell_id: c for of in one.cells for c in of}.values():
            found = shares(cell)
            if found is not None:
                shape = cell.scene_shape("rest_positions")
                table.add(one.id, one.marked(cell), one.point(cell), shape[0] if shape else None, *found)
    return table if table.rows else None
