# SPDX-License-Identifier: BSD-3-Clause
"""A page that plays an experiment, as `deformbench view` writes it, for every experiment of the report with frames: its
last run, where a sweep has gone farthest, beside another row's of the same scene. Pages load it as it is opened."""

import json
from pathlib import Path
from urllib.parse import quote

from deformbench_analysis import view
from deformbench_analysis.comparison.pairs import point_key
from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.freshness import Digest
from deformbench_analysis.output import write_text
from deformbench_analysis.parallel import map_in_processes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from paper_figures.report.content import Content

FOLDER = "scenes"
MOST_READ = 64_000_000  # bytes of a trace whose frames are read


def _has_frames(cell: Trace) -> bool:
    return cell.status == "completed" and cell.path.stat().st_size <= MOST_READ and cell.has_frames


def cells_to_play(data: ExperimentData) -> list[Trace]:
    """The last completed cell with frames, after one of another row on the same scene and schedule; or none."""
    last = next(filter(_has_frames, reversed(data.cells)), None)
    if last is None:
        return []
    beside = (c for c in data.cells if c.method_name != last.method_name and point_key(c) == point_key(last))
    return [*list(filter(_has_frames, beside))[:1], last]


def _play(data: ExperimentData, out: Path) -> str:
    """Path of the experiment's page from the folder of the report, unless it is up to date; empty where nothing
    moves."""
    cells = cells_to_play(data)
    if not cells:
        return ""
    page = out / FOLDER / f"{data.id}.html"
    stamp = page.with_suffix(".json")
    digest = Digest().sources([Path(view.__file__), *view.TEMPLATES.iterdir()]).traces(c.path for c in cells).hex()
    known = json.loads(stamp.read_text(encoding="utf-8")) if stamp.exists() else {}
    if known.get("digest") != digest or page.exists() != known["moves"]:
        try:
            shown = view.write([c.path for c in cells], page, most=view.MOST_BYTES // len(cells))
            moves = any(len(scene.about["times"]) > 1 for scene in shown)
        except (InputError, MissingData):  # no surface, or a single frame that is too large
            moves = False
        if not moves:
            page.unlink(missing_ok=True)
        write_text(stamp, json.dumps({"digest": digest, "moves": moves}))
    return quote(page.relative_to(out).as_posix()) if page.exists() else ""


def write(content: Content, out: Path) -> dict[str, str]:
    """Writes what is out of date; experiment → page, of those that play."""
    run = [e for e in content.experiments() if e.cells and e.id.partition("/")[0] in content.papers()]
    pages = map_in_processes(lambda e: _play(e, out), run, "scenes made to play", lambda e: len(e.cells))
    made = {data.id: page for data, page in zip(run, pages) if page}
    for old in (out / FOLDER).rglob("*.html"):
        if old.relative_to(out / FOLDER).with_suffix("").as_posix() not in made:
            old.unlink()
    return made
