# SPDX-License-Identifier: BSD-3-Clause
"""Puts a report into a site, all or nothing. The report is made whole in a hidden folder of the site, then renamed;
the index is renamed last, so that readers never meet half of either."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from deformbench_analysis import pack_check
from deformbench_analysis.errors import InputError
from deformbench_analysis.json_files import read_object
from deformbench_analysis.output import write_text
from deformbench_analysis.pack import Packed, pack, sha256_of
from deformbench_analysis.paths import project_root
from paper_figures.entry import load_index
from paper_figures.publishing import agreement, feeds, threads, trends
from paper_figures.publishing.feeds import ARCHIVE, FRONT, Published
from paper_figures.report.templating import render

STAGING = ".publishing"
MARK = '<meta name="generator" content="deformbench publish">'  # of an index that may be renewed
_LINK = re.compile(r'(?:href|src)="([^"#?]*)')
_TRACE = re.compile(r'<a href="\.\./[^"]*\.h5"')  # beside the report, and not in the site
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
_TEXTS = (".html", ".json", ".csv", ".svg", ".obj", ".node", ".ele", ".mesh")


def require_apart(site: Path, folders: Sequence[Path]) -> None:
    """InputError unless the site is a new folder, an empty one or a site, and apart from what is published."""
    for folder in folders:
        one, two = site.resolve(), folder.resolve()
        if one.is_relative_to(two) or two.is_relative_to(one):
            raise InputError(f"--site {site}: is within {folder}, or the other way round; expected a folder apart")
    index = site / "index.html"
    if site.exists() and not site.is_dir():
        raise InputError(f"--site {site}: is no folder")
    if index.exists() and MARK.encode() not in index.read_bytes()[:2000]:
        raise InputError(f"{index}: is not a page of `deformbench publish`, expected a site, or a folder without index")


@contextmanager
def staging(site: Path) -> Iterator[Path]:
    """A hidden folder of the site to write in, one publisher at a time. A site that was not there before is gone
    again when the block fails."""
    is_new = not site.exists()
    site.mkdir(parents=True, exist_ok=True)
    folder = site / STAGING
    handle = os.open(site, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)  # of a publish that was killed
        folder.mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if is_new and not any(site.iterdir()):
            site.rmdir()
        os.close(handle)


def copy_report(pages: Path, folder: Path) -> set[str]:
    """Copies the front page, all that pages link to, and the figures with their numbers; returns the paths. What links
    to a trace beside the report is text. InputError where a page links to anything else that is not there."""
    copied: dict[str, str] = {FRONT: FRONT}  # path → page that names it
    waiting = [FRONT]
    while waiting:
        name = waiting.pop()
        if not (pages / name).is_file() or name.startswith(("../", "/")):
            raise InputError(f"{pages / copied[name]}: links to {name}, expected a file of the report (report --force)")
        if name.endswith(".html"):
            text = _TRACE.sub("<a", (pages / name).read_text(encoding="utf-8"))
            found = [unquote(unescape(t)) for t in _LINK.findall(text) if t and not _ELSEWHERE.match(t)]
            new = {posixpath.normpath(posixpath.join(posixpath.dirname(name), t)) for t in found} - set(copied)
            copied |= dict.fromkeys(new, name)
            waiting += new
    for index in load_index():
        stamp = pages / index.paper / f"{index.id}.json"
        if f"{index.paper}.html" in copied and stamp.exists():
            drawn = read_object(stamp)
            copied |= {f"{index.paper}/{n}": FRONT for n in [*drawn["files"].values(), drawn["csv"]]}
    for name in copied:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".html"):
            write_text(folder / name, _TRACE.sub("<a", (pages / name).read_text(encoding="utf-8")))
        else:
            shutil.copyfile(pages / name, folder / name)
    return set(copied)


def archive(results: Path, folder: Path, with_traces: bool) -> tuple[Packed, list[str]]:
    """Packs the results into the report and checks the archive as a stranger does; returns what the check found."""
    packed = pack(results, folder / ARCHIVE, with_traces)
    with tempfile.TemporaryDirectory(dir=folder.parent) as unpacked:
        found = pack_check.findings(pack_check.check(folder / ARCHIVE, Path(unpacked)), "")
        require_no_path(Path(unpacked), [results])
    return packed, found


def require_no_path(folder: Path, inputs: Sequence[Path]) -> None:
    """InputError where a text tells a folder of this computer: of the user, of the tree, or one that was read."""
    known = {p.resolve() for p in (Path.home(), project_root(), Path.cwd(), *inputs)} - {Path("/")}
    told = re.compile(rb"(?<![\w./-])(" + b"|".join(re.escape(os.fsencode(p)) for p in sorted(known)) + rb")(?![\w.-])")
    for path in sorted(p for p in folder.rglob("*") if p.suffix in _TEXTS and p.is_file()):
        if found := told.search(path.read_bytes()):
            raise InputError(
                f"publish: {path.relative_to(folder)}: tells the folder {os.fsdecode(found[1])}, expected results whose files are "
                "named from the folder of the run"
            )


def place(site: Path, report: Path, feed: Mapping[str, Any], replace: bool) -> bool:
    """Gives the staged report its name and renews the index; whether the report is new or another than before. What
    fails leaves both as they were. InputError where the name is taken by other content, or a feed is none."""
    write_text(report / feeds.FILE, json.dumps(feed, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    final, own = site / report.name, feeds.read(report)
    others = [p for p in sorted(site.iterdir()) if not p.name.startswith(".") and (p / feeds.FILE).is_file()]
    index = index_page([own, *(feeds.read(p) for p in others if p != final)])
    is_there = final.exists()
    is_new = not is_there or _digests(report) != _digests(final)
    if is_there and is_new and not replace:
        raise InputError(f"{final}: is there with other content, expected a new name (--machine) or --replace")
    if is_new:
        _rename(report, final, is_there)
    try:
        path = site / "index.html"
        if not path.exists() or path.read_text(encoding="utf-8") != index:
            write_text(path, index)
    except BaseException:  # a key of the terminal, too
        if is_new:
            _rename(final, report, is_there)
        raise
    return is_new


def _digests(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): sha256_of(p) for p in folder.rglob("*") if p.is_file()}


def _rename(one: Path, two: Path, exchange_both: bool) -> None:
    """With `exchange_both` two folders change names at once, which os.rename cannot: readers would meet neither."""
    if not exchange_both:
        os.rename(one, two)
        return
    at_here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(at_here, os.fsencode(one), at_here, os.fsencode(two), exchange) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(two))


def index_page(reports: Sequence[Published]) -> str:
    """The page over all reports, the newest first."""
    ordered = sorted(reports, key=lambda r: (r.data["date"], r.name), reverse=True)
    rows = agreement.rows(ordered)
    return render(
        "site.html",
        reports=ordered,
        more={text: r.link(file) for file, text in feeds.MORE.items() for r in ordered[::-1] if file in r.more},
        numbers={report.name: number for number, report in enumerate(ordered, start=1)},
        machines=sorted({report.machine for report in ordered}),
        sentences=[*agreement.sentences(rows), *agreement.bits(ordered), *threads.sentences(ordered)],
        over_threads=[(r, e) for r in ordered for e in r.over_threads if not e["same_bits"]],
        trends=trends.trends(ordered),
        curve_size=(trends.WIDTH, trends.HEIGHT),
        differing=[row for row in rows if row.differs],
        same=[row for row in rows if not row.differs],
    )
