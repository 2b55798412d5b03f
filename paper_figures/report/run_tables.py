# SPDX-License-Identifier: BSD-3-Clause
"""Machine and program, how the cells ended, measurements and limitations, as tables and lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from deformbench_analysis.claims import Claim
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.tables import Column, Table
from deformbench_analysis.trace import Trace
from paper_figures.report.content import Content, notes_of

_FACTS = [
    ("CPU", "cpu"),
    ("cores", "cores"),
    ("threads", "threads"),
    ("load at start (1 min)", "load_1min"),
    ("frequency governor", "governor"),
    ("host", "host"),
    ("compiler", "compiler"),
    ("flags", "flags"),
    ("commit", "git_commit"),
    ("tree", "git_state"),
    ("Eigen", "eigen_version"),
    ("Spectra", "spectra_version"),
    ("HDF5", "hdf5_version"),
]
_RANGES = ("load_1min",)


def provenance_table(traces: Sequence[Trace]) -> str:
    """What the traces say of machine and program: every distinct value, so that a mixture shows."""
    rows = []
    for label, key in _FACTS:
        values = [t.provenance[key] for t in traces if t.provenance.get(key) not in (None, "")]
        if not values:
            continue
        if key in _RANGES and all(isinstance(v, (int, float)) for v in values):
            text = f"{min(values):.2f} … {max(values):.2f}"
        else:
            text = "; ".join(
                f"{v}" + (f" ({n} traces)" if len(set(map(str, values))) > 1 else "")
                for v, n in Counter(map(str, values)).most_common(6)
            )
        rows.append(f"<tr><td>{label}</td><td>{escape(text)}</td></tr>")
    methods = sorted({(t.method_id, str(t.provenance.get("method_fingerprint", ""))[:12]) for t in traces})
    rows.append(
        "<tr><td>methods (fingerprint)</td><td>" + escape("; ".join(f"{m} {f}" for m, f in methods)) + "</td></tr>"
    )
    ends = sorted(str(t.provenance["finished"]) for t in traces if t.provenance.get("finished"))
    if ends:
        rows.append(f"<tr><td>finished (UTC)</td><td>{escape(ends[0])} … {escape(ends[-1])}</td></tr>")
    return f"<table class=facts><tbody>{''.join(rows)}</tbody></table>"


def status_table(experiments: Iterable[ExperimentData]) -> str:
    """Cells by how they ended; every one that did not complete is named with its reason."""
    table = Table(
        [
            Column("experiment"),
            Column("declared"),
            Column("completed"),
            Column("ended otherwise, as declared"),
            Column("ended otherwise, undeclared"),
            Column("no trace"),
            Column("timed"),
        ]
    )
    undeclared: list[str] = []
    declared: list[str] = []
    absent: list[str] = []
    for e in experiments:
        unexpected = e.unexpected()
        table.add(
            e.id,
            len(e.cells) + len(e.missing),
            len(e.select()),
            len([c for c in e.failed() if e.ended_as_declared(c)]),
            len(unexpected),
            len(e.missing),
            sum(1 for c in e.cells if c.timing_path.exists()),
        )
        for cell in e.cells:
            if cell.status == "completed" and e.ended_as_declared(cell):
                continue
            what = f"{escape(e.id)}: {escape(cell.label)}: {escape(cell.status)}"
            reason = escape(cell.status_reason or "no reason recorded")
            if e.ended_as_declared(cell):
                declared.append(f"<li>{what} as declared — {reason}</li>")
            elif cell.status == "completed":
                undeclared.append(
                    f"<li class=failed>{what}, but declared to end {escape(e.expected_status(cell))}</li>"
                )
            else:
                undeclared.append(f"<li class=failed>{what} — {reason}</li>")
        if not e.cells:
            absent.append(f"<li>{escape(e.id)}: {escape(e.reason or f'not run ({len(e.missing)} cells)')}</li>")
            continue
        for name, coordinates in e.missing:
            shown = ", ".join(f"{k.rsplit('.', 1)[-1]}={v}" for k, v in coordinates.items())
            absent.append(f"<li>{escape(e.id)}: {escape(name)} ({escape(shown)}): not run</li>")
    named = undeclared + declared + absent
    limit = 60
    more = f"<li>… and {len(named) - limit} more; `deformbench status` lists all</li>" if len(named) > limit else ""
    return table.html() + (
        f"<ul class=sans style='font-size:.84rem'>{''.join(named[:limit])}{more}</ul>"
        if named
        else "<p>Every declared cell completed.</p>"
    )


def measurement_table(content: Content, experiments: Iterable[str]) -> str:
    """All measurements of the experiments, as HTML."""
    wanted = set(experiments)
    table = Table([Column("measurement"), Column("value"), Column("unit"), Column("definition"), Column("note")])
    for name, entry in content.measurer.registry.items():
        if entry.experiment in wanted:
            value = content.measurer(name)
            table.add(
                name, "–" if value.value is None else f"{value.value:.6g}", entry.unit, entry.definition, value.note
            )
    return f"<div class=scroll>{table.html()}</div>" if table.rows else "<p>No measurement is defined.</p>"


def limitations(content: Content, paper: str) -> str:
    """What a paper's page says about its limits, as HTML."""
    items = [escape(line) for line in notes_of(paper).get("limitations", [])]
    claims: list[Claim] = [v.claim for v in content.judgement.verdicts if v.claim.paper == paper]
    items += [f"{escape(c.id)}: {escape(d)}" for c in claims for d in c.deviations]
    items += [f"{escape(c.id)}: not published, and needed to decide: {escape(c.missing)}" for c in claims if c.missing]
    return "<ul>" + "".join(f"<li>{line}</li>" for line in items) + "</ul>" if items else "<p>None recorded.</p>"
