# SPDX-License-Identifier: BSD-3-Clause
"""Machine and program, how the cells ended, measurements and limitations, as tables and lists."""

from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from deformbench_analysis.results import ExperimentData
from deformbench_analysis.tables import Table
from deformbench_analysis.trace import Trace
from paper_figures.report.content import Content, notes_of
from paper_figures.report.templating import part

_FACTS = [
    ("CPU", "cpu"),
    ("cores", "cores"),
    ("threads", "threads"),
    ("load at start (1 min)", "load_1min"),
    ("frequency governor", "governor"),
    ("compiler", "compiler"),
    ("flags", "flags"),
    ("commit", "git_commit"),
    ("tree", "git_state"),
    ("Eigen", "eigen_version"),
    ("Spectra", "spectra_version"),
    ("HDF5", "hdf5_version"),
]
_RANGES = ("load_1min",)
_NAMED = 60  # cells that did not complete, in the list below the table


def provenance_table(traces: Sequence[Trace]) -> Markup:
    """The facts as a table."""
    return part("facts", facts(traces))


def facts(traces: Sequence[Trace]) -> list[tuple[str, str]]:
    """What the traces say of machine and program, but for the host's name: label and every distinct value, so that a
    mixture shows."""
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
        rows.append((label, text))
    methods = sorted({(t.method_id, str(t.provenance.get("method_fingerprint", ""))[:12]) for t in traces})
    rows.append(("methods (fingerprint)", "; ".join(f"{m} {f}" for m, f in methods)))
    ends = sorted(str(t.provenance["finished"]) for t in traces if t.provenance.get("finished"))
    return rows + ([("finished (UTC)", f"{ends[0]} … {ends[-1]}")] if ends else [])


def status_table(experiments: Iterable[ExperimentData]) -> Markup:
    """Cells by how they ended; every one that did not complete is named with its reason."""
    table = Table.of(
        "experiment; declared; completed; ended otherwise, as declared; ended otherwise, undeclared; no trace; timed"
    )
    undeclared: list[str] = []
    declared: list[str] = []
    absent: list[str] = []
    for e in experiments:
        table.add(
            e.id,
            len(e.cells) + len(e.missing),
            len(e.select()),
            len([c for c in e.failed() if e.ended_as_declared(c)]),
            len(e.unexpected()),
            len(e.missing),
            sum(1 for c in e.cells if c.timing_path.exists()),
        )
        for cell in e.cells:
            what, reason = f"{e.id}: {cell.label}: {cell.status}", cell.status_reason or "no reason recorded"
            if cell.status == "completed" and e.ended_as_declared(cell):
                continue
            if e.ended_as_declared(cell):
                declared.append(f"{what} as declared — {reason}")
            elif cell.status == "completed":
                undeclared.append(f"{what}, but declared to end {e.expected_status(cell)}")
            else:
                undeclared.append(f"{what} — {reason}")
        if not e.cells:
            absent.append(f"{e.id}: {e.reason or f'not run ({len(e.missing)} cells)'}")
            continue
        for name, coordinates in e.missing:
            shown = ", ".join(f"{k.rsplit('.', 1)[-1]}={v}" for k, v in coordinates.items())
            absent.append(f"{e.id}: {name} ({shown}): not run")
    named = [(line, True) for line in undeclared] + [(line, False) for line in declared + absent]
    return part("status", table, named[:_NAMED], len(named) - _NAMED)


def measurement_table(content: Content, experiments: Iterable[str]) -> Table:
    """All measurements of the experiments."""
    wanted = set(experiments)
    table = Table.of("measurement; value; unit; definition; note")
    for name, entry in content.measurer.registry.items():
        if entry.experiment in wanted:
            value = content.measurer(name)
            table.add(
                name, "–" if value.value is None else f"{value.value:.6g}", entry.unit, entry.definition, value.note
            )
    return table


def limitations(content: Content, paper: str) -> list[str]:
    """What a paper's page says about its limits."""
    items = [str(line) for line in notes_of(paper).get("limitations", [])]
    claims = [j.claim for j in content.claims(paper) if j.judged]
    items += [f"{c.id}: {d}" for c in claims for d in c.deviations]
    return items + [f"{c.id}: not published, and needed to decide: {c.missing}" for c in claims if c.missing]
