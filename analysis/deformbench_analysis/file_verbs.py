# SPDX-License-Identifier: BSD-3-Clause
"""The verbs that carry results elsewhere: paraview, surfaces, view, pack and merge."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import errors, mesh_frames, pack as packing, paraview as paraview_files, surface_files, view as viewer
from .merge import Conflicts, merge as merge_folders
from .options import add_json, add_moved
from .output import one_line, tell
from .paths import results_folder


def paraview(args: argparse.Namespace) -> int:
    """A .pvd per trace, and a .vtu per frame."""
    for trace in mesh_frames.traces_below(results_folder(args.dir)):
        for path in paraview_files.write(trace, Path(args.to)):
            print(path)
    return errors.EXIT_OK


def surfaces(args: argparse.Namespace) -> int:
    """A file per frame with the surface of the body."""
    for trace in mesh_frames.traces_below(results_folder(args.dir)):
        files = surface_files.write(trace, Path(args.to), args.format)
        print(f"{files[0].parent}: {len(files)} files")
    return errors.EXIT_OK


def view(args: argparse.Namespace) -> int:
    """A page that plays the frames of one or two traces."""
    scenes = viewer.write([Path(p) for p in args.traces], Path(args.to), args.member)
    lines, facts = [], []
    for path, scene in zip(args.traces, scenes):
        about = scene.about
        said = [f"{len(about['times'])} frames, {scene.size / 1e6:.2f} MB", *about["notes"]]
        lines.append(f"{args.to}: {one_line(about['title'])}: {'; '.join(said)}")
        fields = [field["name"] for field in about["fields"]]
        known = {key: about[key] for key in ("title", "status", "times", "steps", "notes")}
        facts.append({"trace": path, **known, "fields": fields, "bytes": scene.size})
    tell(lines, {"page": args.to, "scenes": facts}, args.json)
    return errors.EXIT_OK


def pack(args: argparse.Namespace) -> int:
    """Specs, CSV and checksums of a folder of results in one archive."""
    folder = Path(args.dir)
    archive = Path(args.to) if args.to else folder.absolute().with_name(folder.absolute().name + ".tar.gz")
    packed = packing.pack(folder, archive, args.traces)
    line = f"{args.to or archive}: {packed.traces} cells, {packed.csv_files} CSV files"
    tell([line], {"archive": str(args.to or archive), **asdict(packed)}, args.json)
    if packed.without_scene:
        print(
            f"{packed.without_scene} cells without their scene file, which has changed since they were run or is gone",
            file=sys.stderr,
        )
    return errors.EXIT_OK


def merge(args: argparse.Namespace) -> int:
    """Folders of results in one; what differs or was left behind is said."""
    try:
        merged = merge_folders([Path(f) for f in args.folders], Path(args.out), args.by_machine, args.stale)
    except Conflicts as conflicts:
        tell([*map(one_line, conflicts.lines)], {"out": None, "conflicts": conflicts.lines}, args.json)
        raise
    line = (
        f"{args.out}: {merged.cells} cells, {merged.timings} timings, of {len(merged.machines)} machines; "
        f"{merged.repeated} files were in several folders, and equal"
    )
    machines = [{"host": host, "processor": processor} for host, processor in sorted(merged.machines)]
    tell([line], {"out": args.out, **asdict(merged), "machines": machines, "conflicts": []}, args.json)
    if len(processors := sorted({processor for _, processor in merged.machines})) > 1:
        print(f"cells of {len(processors)} kinds of processor: {', '.join(processors)}", file=sys.stderr)
    for count, what in (
        (merged.unlisted, "traces that no list of their experiment names, left out"),
        (merged.stale, "files of other sources than their list, left out"),
        (merged.unfinished, "unfinished traces (.part), left out; `deformbench run` goes on"),
        (len(merged.missing), f"listed cells without a trace, such as {(merged.missing or [''])[0]}"),
    ):
        if count:
            print(f"{count} {what}", file=sys.stderr)
    return errors.EXIT_UNEXPECTED_END if merged.missing else errors.EXIT_OK


def add_to(verbs: Any) -> None:
    """Adds the verbs to the command line: `verbs` is what ArgumentParser.add_subparsers returns."""
    one = verbs.add_parser(
        "paraview", help="write frames as VTK files: one .vtu per frame, and a .pvd with their times"
    )
    one.add_argument(
        "dir", nargs="?", metavar="DIR|TRACE", help="a trace, or a folder of traces (default: results/<machine>)"
    )
    one.add_argument("--to", default="paraview", metavar="DIR", help="where the files go (default: paraview)")
    add_moved(one, "--out", "--to")
    one.set_defaults(run=paraview)
    one = verbs.add_parser(
        "surfaces", help="write the surface of every frame, cut as it is at that time, as OBJ or PLY with normals"
    )
    one.add_argument("dir", metavar="TRACE", help="a trace, or a folder of traces")
    one.add_argument("--format", choices=surface_files.FORMATS, default="obj")
    one.add_argument("--to", default="surfaces", metavar="DIR", help="where the files go (default: surfaces)")
    add_moved(one, "--out", "--to")
    one.set_defaults(run=surfaces)
    one = verbs.add_parser("view", help="write a page (HTML, one file) that plays the frames of one or two traces")
    one.add_argument("traces", nargs="+", metavar="TRACE", help="one trace, or two to see side by side")
    one.add_argument("--to", default="view.html", metavar="FILE", help="page to write (default: view.html)")
    add_moved(one, "--out", "--to")
    add_json(one)
    one.add_argument("--member", type=int, metavar="K", help="member of an ensemble, from 0 (default: the first)")
    one.set_defaults(run=view)
    one = verbs.add_parser(
        "pack", help="archive the specs, series (CSV) and checksums of a folder of results, for a paper's supplement"
    )
    one.add_argument("dir", metavar="DIR", help="folder of traces")
    one.add_argument("--to", metavar="FILE", help="archive to write (default: DIR.tar.gz)")
    add_moved(one, "--out", "--to")
    add_json(one)
    one.add_argument("--traces", action="store_true", help="include the traces themselves")
    one.set_defaults(run=pack)
    one = verbs.add_parser(
        "merge", help="join folders of results of several machines or shards; equal cells once, nothing on conflicts"
    )
    one.add_argument("folders", nargs="+", metavar="DIR", help="folders of results, also of several machines")
    one.add_argument("--out", required=True, metavar="DIR", help="folder to make, new or empty")
    one.add_argument("--by-machine", action="store_true", help="a folder per kind of processor, as below results/")
    one.add_argument("--stale", action="store_true", help="join results of several builds, too")
    add_json(one)
    one.set_defaults(run=merge)
