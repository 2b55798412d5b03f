# SPDX-License-Identifier: BSD-3-Clause
"""What a figure script returns, the index of all figures, and drawing those that are out of date."""

import errno
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deformbench_analysis.claims import claims_by_experiment
from deformbench_analysis import papers
from deformbench_analysis.errors import InputError, MissingData, line_of_exception
from deformbench_analysis.freshness import Digest, package_sources
from deformbench_analysis.json_files import read_object
from deformbench_analysis.output import write_text
from deformbench_analysis.papers import Paper
from deformbench_analysis.paths import figures_dir
from deformbench_analysis.results import Results
from deformbench_analysis.parallel import map_in_processes
from deformbench_analysis.tables import Table
from deformbench_analysis.trace import Trace


ON_REQUEST, ALWAYS = "on request", "always"  # when a script shows cells that joined: its SHOWS_JOINED


_NOWHERE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass
class FigureEntry:
    """A drawn figure: `files` by suffix (svg, pdf, png), `csv` with its numbers, `caption` as text."""

    title: str
    caption: str
    files: dict[str, Path]
    csv: Path
    failed: list[str] = field(default_factory=list)  # cells that ended badly, as drawn
    tables: list[str] = field(default_factory=list)  # HTML tables to stand below the figure


@dataclass(frozen=True)
class IndexEntry:
    """One line of a figures.json; `claims` are those of its experiments, unless the line names others."""

    id: str
    paper: str
    number: str  # as the paper calls it: "Figure 7"
    title: str
    experiments: list[str]
    claims: list[str]
    opens: int = 0  # rank below the findings on the front page; 0: not there

    @property
    def script(self) -> Path:
        """The script's file."""
        return papers.named(self.paper).scripts / f"{self.id}.py"


@dataclass
class Drawn:
    """An index entry with its figure, or with the reason why there is none."""

    index: IndexEntry
    entry: FigureEntry | None
    reason: str = ""
    redrawn: bool = False
    broken: bool = False  # the script itself failed; False if data are missing
    refused: bool = False  # its input is invalid


def load_index() -> list[IndexEntry]:
    """The figures of every known paper, each with its claims, in the order of the indexes."""
    naming = claims_by_experiment()
    found: dict[str, IndexEntry] = {}
    for paper in papers.known():
        path = paper.figure_index
        if not path.exists():
            continue
        try:
            entries = [_entry({"paper": paper.name, **line}, naming) for line in read_object(path)["figures"]]
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f'{path}: expected {{"figures": [{{id, number, title, experiments}}, …]}} ({error})'
            ) from error
        for entry in entries:
            _check(entry, paper)
            other = found.setdefault(entry.id, entry)
            if other is not entry:
                raise InputError(
                    f"figure {entry.id}: is of {other.paper} and of {entry.paper}, expected every figure to have an "
                    "id of its own"
                )
    return list(found.values())


def _check(entry: IndexEntry, paper: Paper) -> None:
    path = paper.figure_index
    if entry.paper != paper.name:
        raise InputError(f"{path}: {entry.id}: /paper: got {entry.paper!r}, expected {paper.name}")
    if not entry.script.exists():
        raise InputError(f"{path}: {entry.id}: no script {entry.script}")
    if not entry.experiments:
        raise InputError(f"{path}: {entry.id}: /experiments: empty, expected the experiments that the figure shows")


def _entry(line: dict[str, Any], naming: dict[str, list[str]]) -> IndexEntry:
    derived = {claim for experiment in line["experiments"] for claim in naming.get(experiment, [])}
    full: dict[str, Any] = {"claims": sorted(derived), **line}
    return IndexEntry(**full)


def machine_line(traces: Iterable[Trace]) -> str:
    """The machines that the traces come from, for a caption: CPU, threads, compiler."""
    lines: list[str] = []
    for trace in traces:
        about = trace.timing.provenance if trace.timing and trace.timing.provenance.get("cpu") else trace.provenance
        threads = int(about.get("threads", 1) or 1)
        lines.append(
            f"{about.get('cpu', 'unknown CPU')}, {threads} thread{'s' if threads > 1 else ''}, "
            f"{about.get('compiler', 'unknown compiler')}"
        )
    return "; ".join(dict.fromkeys(lines)) or "no machine recorded"


def write_table(table: Table, stem: Path) -> Path:
    """The figure's numbers as `stem`.csv, .html and .tex; returns the CSV."""
    return table.write(stem)[0]


def _digest_of_shared_sources() -> str:
    """Digest of the modules that every figure may depend on."""
    return Digest().sources([*figures_dir().glob("*.py"), *package_sources()]).hex()


def _digest(index: IndexEntry, results: Results, shared: str) -> str:
    """Digest of all that the figure depends on.

    Its script, the shared modules, the claims' bounds, and the experiment's files."""
    paper = papers.named(index.paper)
    digest = Digest(str(index), results.tier, str(results.draws_joined), shared, str(results.stale))
    beside = [p for p in paper.scripts.glob("*.py") if "\ndef make(" not in p.read_text(encoding="utf-8")]
    outside = (
        [p for p in paper.sources() if p.parent != paper.scripts and p != paper.verdicts] if paper.is_outside else []
    )
    digest.sources([index.script, *beside, *outside])
    digest.sources([paper.claims] if paper.claims.exists() else [])
    for identifier in index.experiments:
        digest.traces(results.files_of(identifier)).data(results.of_present_build(identifier))
        declaration = results.declarations.get(identifier)
        if declaration is not None:
            digest.data(declaration.data)
    return digest.hex()


def _load(stamp: Path, digest: str) -> FigureEntry | None:
    if not stamp.exists():
        return None
    data: dict[str, Any] = json.loads(stamp.read_text(encoding="utf-8"))
    folder = stamp.parent
    files = {k: folder / v for k, v in data["files"].items()}
    csv = folder / data["csv"]
    if data["digest"] != digest or not all(p.exists() for p in [*files.values(), csv]):
        return None
    return FigureEntry(data["title"], data["caption"], files, csv, data["failed"], data["tables"])


def _store(stamp: Path, digest: str, entry: FigureEntry) -> None:
    data = {
        "digest": digest,
        "title": entry.title,
        "caption": entry.caption,
        "failed": entry.failed,
        "tables": entry.tables,
        "files": {k: p.name for k, p in entry.files.items()},
        "csv": entry.csv.name,
    }
    write_text(stamp, json.dumps(data, indent=1, ensure_ascii=False))


def draw(index: IndexEntry, results: Results, out: Path, force: bool = False, shared: str | None = None) -> Drawn:
    """Draws one figure into out/<paper>/ unless it is up to date. Missing data are a reason, not an error.
    `shared`: digest of the shared sources, computed once for several figures."""
    folder = out / index.paper
    stamp = folder / f"{index.id}.json"
    digest = _digest(index, results, _digest_of_shared_sources() if shared is None else shared)
    if not force:
        stored = _load(stamp, digest)
        if stored is not None:
            return Drawn(index, stored)
    folder.mkdir(parents=True, exist_ok=True)  # a script may write into it itself
    stamp.unlink(missing_ok=True)  # an older figure must not pass for this run's
    first = results.experiment(index.experiments[0])
    if not first.cells and not any(results.with_joined(i).cells for i in index.experiments):
        return Drawn(index, None, first.why_empty)
    try:
        paper = papers.named(index.paper)
        script = papers.module(paper, f"{paper.figures}.{index.id}")
        shows_joined = getattr(script, "SHOWS_JOINED", "")
        if not first.cells and shows_joined != ALWAYS and not (shows_joined and results.draws_joined):
            how = "; `--with-joined` draws what joined" if shows_joined else ""
            return Drawn(index, None, first.why_empty + how)
        entry: FigureEntry = script.make(results, folder)
    except MissingData as reason:
        return Drawn(index, None, str(reason))
    except InputError as error:
        return Drawn(index, None, str(error), refused=True)
    except (
        Exception,
        SystemExit,
    ) as error:  # a broken script must not prevent the other figures; the run still fails
        if isinstance(error, OSError) and error.errno in _NOWHERE_TO_WRITE:
            raise  # nor could the other figures, nor a page, be written
        return Drawn(index, None, line_of_exception(error, str(index.script)), broken=True)
    _store(stamp, digest, entry)
    return Drawn(index, entry, redrawn=True)


def draw_all(
    results: Results,
    out: Path,
    only: Iterable[str] = (),
    force: bool = False,
    of_papers: Collection[str] | None = None,
) -> list[Drawn]:
    """Figures of all known papers or of `of_papers`; `only` restricts them to named ids or papers."""
    wanted = set(only)
    of = [i for i in load_index() if of_papers is None or i.paper in of_papers]
    selected = [i for i in of if not wanted or {i.id, i.paper, f"{i.paper}/{i.id}"} & wanted]

    shared = _digest_of_shared_sources()

    def draw_one(index: IndexEntry) -> tuple[Drawn, dict[str, dict[str, Any]]]:
        return draw(index, results, out, force, shared), results.measured

    drawn = []
    for one, measured in map_in_processes(
        draw_one, selected, "figures drawn", lambda index: results.bytes_of(index.experiments)
    ):
        drawn.append(one)
        for tier, values in measured.items():  # by a worker process, while drawing
            results.measured.setdefault(tier, {}).update(values)
    return drawn
