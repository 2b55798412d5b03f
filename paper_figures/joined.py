# SPDX-License-Identifier: BSD-3-Clause
"""Cells of methods that joined an experiment (`run --method`, `--program`, `--plugin`, `--set`) in figures: drawn
with --with-joined, labelled as joined, and never judged. A script that can show them sets
`SHOWS_JOINED = ON_REQUEST`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from deformbench_analysis import timing_marks
from deformbench_analysis.compare import settings_text
from deformbench_analysis.declarations import Declaration
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace
from paper_figures import style

NOTE = "Rows called joined are of methods run in addition to the declared ones; no verdict rests on them. "


def noted(caption: str, has_joined: bool, cells: Sequence[Trace]) -> str:
    """A caption with explanations of joined rows and marks."""
    return f"{NOTE * has_joined}{caption} {timing_marks.note(cells)}".strip()


@dataclass(frozen=True)
class JoinedRow:
    """The joined cells of one method with the same settings."""

    label: str
    cells: list[Trace]
    look: style.MethodStyle

    def failed(self) -> list[str]:
        """Lines for a caption on the cells that did not complete."""
        return [
            f"{self.label}: {c.label}: {c.status} ({c.status_reason})" for c in self.cells if c.status != "completed"
        ]


def shown(results: Results, identifier: str, tiers: Sequence[str] = ()) -> tuple[ExperimentData, list[JoinedRow]]:
    """The declared cells at the tiers (default: that of the results), and, if figures draw them, the joined
    rows. In that case declared rows run only by `--method`, without a list of the whole declaration, count as
    declared."""
    tiers = tiers or (results.tier,)
    data = results.experiment_at(identifier, tiers)
    if not results.draws_joined:
        return data, []
    own = list(data.cells)
    joined: dict[str, list[Trace]] = {}
    known = {cell.cell_id for cell in own}
    names = declared_names(results.declarations.get(identifier))
    for tier in tiers:
        more = results.with_joined(identifier, tier)
        is_listed = bool(results.experiment(identifier, tier).expected)
        for cell in more.cells:
            if cell.cell_id in known:
                continue
            known.add(cell.cell_id)
            settings = more.settings.get(cell.cell_id, {})
            if cell.method_name in names and not settings and not is_listed:
                own.append(cell)
            else:
                label = cell.method_name + (f" ({settings_text(settings)})" if settings else "")
                joined.setdefault(f"{label}, joined", []).append(cell)
    return replace(data, cells=own), rows_of(joined.items())


def rows_of(joined: Iterable[tuple[str, list[Trace]]]) -> list[JoinedRow]:
    """Dashed looks; labels marked if an interpreter ran the row or the machine was busy."""
    found = dict(joined)
    looks = style.row_looks(found).items()
    return [
        JoinedRow(label, found[label], replace(look, line="--", label=label + timing_marks.marks(found[label])))
        for label, look in looks
    ]


def declared_names(declaration: Declaration | None) -> set[str]:
    """Labels of the rows of a declaration, at any tier."""
    parts = [] if declaration is None else [declaration.data, *declaration.data["tiers"].values()]
    return {str(row.get("name", row.get("method"))) for part in parts for row in part.get("methods", [])}
