# SPDX-License-Identifier: BSD-3-Clause
"""An archive of results for a paper's supplement: specs, CSV, checksums; the traces too if wanted.

specs/<path>.json      the resolved spec of each cell, which `deformbench run` accepts
csv/<path>/<clock>.csv its series of at most nine numbers per row, full precision, units in the header
scenes/<content>/      scene files of one's own with their meshes, by the digest of their content; specs refer to them
traces/<path>.h5       with `with_traces`
lists/<path>/<tier>.cells.json   the lists of declared cells, as `deformbench run` wrote them
manifest.json          status, method, experiment, scene file, sources and SHA-256 of each trace
SHA256SUMS             of every file of the archive; checked by `sha256sum -c SHA256SUMS`"""

import gzip
import hashlib
import json
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from .arrays import Array
from .errors import InputError
from .output import aside
from .scene_files import SceneFiles, scene_file_of, with_archived_scene
from .trace import Trace

LARGEST_CSV_ROW = 9


@dataclass(frozen=True)
class Packed:
    """What went into the archive."""

    traces: int
    csv_files: int
    without_scene: int  # cells whose scene file has changed since, or is gone


def sha256_of(path: Path) -> str:
    """The digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _number(value: float) -> str:
    """The shortest digits that give the same number."""
    return repr(value).removesuffix(".0")


def _quoted(heading: str) -> str:
    return '"' + heading.replace('"', '""') + '"' if any(c in heading for c in ',"\r\n') else heading


def _component(index: int, width: int) -> str:
    return "" if width == 1 else f"_{'xyz'[index]}" if width == 3 else f"_{index}"


def csv_lines(trace: Trace, clock: str, channels: list[str]) -> Iterator[str]:
    """Columns step, time, then the channels; an ensemble has a column member in front."""
    heading: list[str] = []
    columns: list[Array] = []
    step = time = np.zeros(0)
    is_ensemble = False
    for name in sorted(channels):
        series = trace.series(clock, name)
        step, time, is_ensemble = series.step, series.time, series.is_ensemble
        width = int(np.prod(series.values.shape[series.step.ndim :], dtype=int))
        if width > LARGEST_CSV_ROW:
            continue
        columns.append(series.values.reshape(series.step.size, width))
        heading += [_quoted(f"{name}{_component(i, width)} [{series.unit}]") for i in range(width)]
    yield ",".join([*(["member"] if is_ensemble else []), "step", "time_s", *heading]) + "\n"
    rows = step.shape[-1] if step.size else 0
    steps, times = step.ravel().tolist(), time.ravel().tolist()
    for i, numbers in enumerate(zip(*(column.tolist() for column in columns)) if columns else [()] * step.size):
        fields = [str(i // rows)] if is_ensemble else []
        fields += [str(steps[i]), _number(times[i])]
        fields += [_number(value) for row in numbers for value in row]
        yield ",".join(fields) + "\n"


def manifest_entry(trace: Trace, name: str, scene: str | None) -> dict[str, Any]:
    """What the manifest says of the trace `name`; `scene`: its scene file in the archive."""
    sources = ("git_commit", "git_state", "method_fingerprint", "harness_fingerprint")
    return {
        "file": f"{name}.h5",
        "experiment": trace.experiment,
        "method": trace.method_id,
        "status": trace.status,
        "status_reason": trace.status_reason,
        "scene_file": scene,
        **{key: str(trace.provenance.get(key, "unknown")) for key in sources},
        "sha256": sha256_of(trace.path),
    }


def _traces_below(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    files = sorted(p for p in folder.rglob("*.h5") if p.is_file())
    if not files:
        raise InputError(f"{folder}: holds no trace (*.h5)")
    return files


def _require_listable(name: str, file: Path) -> None:
    """InputError for a name that SHA256SUMS, one line per name in UTF-8, could not hold."""
    if not name.isprintable():
        raise InputError(
            f"{file}: would be archived as {name!r}, expected names of folders, traces and clocks that can be printed in one line"
        )


def _member(name: str, size: int) -> tarfile.TarInfo:
    """Owner, times and rights are fixed, so that equal results give equal bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o644, 0
    return member


def pack(folder: Path, archive: Path, with_traces: bool = False) -> Packed:
    """Writes `archive` (.tar.gz) of all traces below `folder`; the same results give the same bytes."""
    files = _traces_below(folder)
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=archive.parent, prefix=f".{archive.name}.") as staging:
        members: dict[str, Path] = {}

        def stage(name: str, lines: Iterator[str] | list[str]) -> None:
            path = Path(staging) / str(len(members))
            # A lone surrogate of a foreign spec is written as JSON escapes it.
            with aside(path) as fresh, fresh.open("w", encoding="utf-8", errors="backslashreplace", newline="") as text:
                text.writelines(lines)
            members[name] = path

        manifest = []
        csv_files = without_scene = 0
        scene_files = SceneFiles()
        for file in files:
            trace = Trace(file)
            name = file.relative_to(folder).with_suffix("").as_posix()
            _require_listable(name, file)
            spec_name, spec = f"specs/{name}.json", trace.spec
            scene = scene_files.members(spec)
            scene_name = next(iter(scene), None)
            if scene_name is not None:
                spec = with_archived_scene(spec, scene_name, spec_name)
            elif scene_file_of(spec) is not None:
                without_scene += 1
            for member, path in scene.items():
                _require_listable(member, path)
            members.update(scene)
            stage(spec_name, [json.dumps(spec, indent=2, sort_keys=True, ensure_ascii=False), "\n"])
            for clock, channels in sorted(trace.clocks().items()):
                _require_listable(clock, file)
                stage(f"csv/{name}/{clock}.csv", csv_lines(trace, clock, channels))
                csv_files += 1
            if with_traces:
                members[f"traces/{name}.h5"] = file
            manifest.append(manifest_entry(trace, name, scene_name))
        for path in sorted(folder.rglob("*.cells.json")):
            name = f"lists/{path.relative_to(folder).as_posix()}"
            _require_listable(name, path)
            members[name] = path
        about = {"format": "deformbench-archive", "format_version": 1, "traces": manifest}
        stage("manifest.json", [json.dumps(about, indent=2, sort_keys=True, ensure_ascii=False), "\n"])
        stage("SHA256SUMS", [f"{sha256_of(path)}  {name}\n" for name, path in sorted(members.items())])

        with aside(archive) as fresh, fresh.open("wb") as raw:
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as compressed:
                with tarfile.open(fileobj=cast(IO[bytes], compressed), mode="w", format=tarfile.GNU_FORMAT) as tar:
                    for name, path in sorted(members.items()):
                        with path.open("rb") as content:
                            tar.addfile(_member(name, path.stat().st_size), content)
    return Packed(len(files), csv_files, without_scene)
