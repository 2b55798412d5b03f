# SPDX-License-Identifier: BSD-3-Clause
"""Synthetic traces (docs/trace_format.md) written with h5py, so that the analysis is tested without a simulation."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from deformbench_analysis import trace
from deformbench_analysis.declarations import Declaration, all_declarations

WARPED = {
    "solver": "cg",
    "cg_iterations": 20,
    "cg_preconditioner": "none",
    "cg_start": "velocity",
    "precision": "double",
}

TEXT, SCALAR = h5py.h5t.py_create(h5py.string_dtype(), logical=True), h5py.h5s.create(h5py.h5s.SCALAR)


def _say(node: h5py.HLObject, **texts: str) -> None:
    """Attributes; node.attrs takes three times as long."""
    for name, text in texts.items():
        attribute = h5py.h5a.create(node.id, name.encode(), TEXT, SCALAR)
        attribute.write(np.array(text, dtype=h5py.string_dtype()))


def write_trace(
    folder: Path,
    run: str,
    swept: Mapping[str, Any] | None = None,
    scene: Mapping[str, Any] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    coordinates: Mapping[str, Any] | None = None,
    schedule: Mapping[str, Any] | None = None,
    tier: str = "paper",
    status: str = "completed",
    reason: str = "",
    expect: Mapping[str, Any] | None = None,
    series: Mapping[str, Mapping[str, np.ndarray]] | None = None,
    units: Mapping[str, str] | None = None,
    arrays: Mapping[str, np.ndarray] | None = None,
    dt: float = 0.01,
    channels: Mapping[str, Any] | None = None,
    tetrahedra: int | None = None,
    finished: str = "2026-01-01T00:00:00Z",
    fingerprint: str = "f0",
    threads: int = 1,
    cpu: str = "Test CPU",
    references: Mapping[str, Mapping[str, Any]] | None = None,
    events: Sequence[tuple[int, float, str, int, str]] = (),
    seeds: int | Sequence[int] = (),
    steps: Sequence[int] | np.ndarray | None = None,
    claimed_by: str | None = None,
    **clocks: Mapping[str, np.ndarray],
) -> Path:
    """One conforming trace of a run "experiment method row", whose row is called as the method where it is left out;
    returns its path. `clocks`: channels of the clock of this name (step=…, frame=…), also in
    `series`; `references`: id → channel → value; `events`: step, time, kind, code, detail.

    What `coordinates` names by its place in the spec (`method.parameters.law`) stands there too, as with a run;
    `swept` are coordinates, of the scene where no place is named. Rows are steps from 0 on, of the clock `iteration`
    all of step 1; or of `steps`, for each member where they have ended at different rows (−1). With `seeds` (n: 1 to
    n) every series has a leading dimension, one entry per member."""
    experiment, method_id, *row = run.split(" ", 2)
    members = list(range(1, seeds + 1) if isinstance(seeds, int) else seeds)
    within = {place if "." in place else f"scene.parameters.{place}": value for place, value in (swept or {}).items()}
    coordinates, series = {**within, **(coordinates or {})}, {**(series or {}), **clocks}
    spec: dict[str, Any] = {
        "format": "deformbench-cell",
        "experiment": experiment,
        "tier": tier,
        "coordinates": coordinates,
        "scene": {"name": "bar", "parameters": dict(scene or {})},
        "method": {"name": "".join(row) or method_id, "id": method_id, "parameters": dict(parameters or {})},
        "schedule": deepcopy(dict(schedule or {"steps": 2})),
        "channels": dict(channels or {}),
        "references": [],
        "ensemble": {"seeds": members} if members else {},
        "expect": dict(expect or {"status": "completed"}),
        "timing": {},
        "threads": threads,
        "seed": 1,
        "time_limit_s": 120,
    }
    for place, value in coordinates.items():
        *sections, key = place.split(".")
        own = spec
        for section in sections:
            own = own.setdefault(section, {})
        if sections:  # else a name of the test's own
            own[key] = value
    cell = hashlib.sha256((json.dumps(spec, sort_keys=True) + fingerprint).encode()).hexdigest()[:32]
    if claimed_by is not None:  # no part of what identifies a cell
        spec["method"]["claimed_by"] = claimed_by
    path = folder / experiment / f"{cell}.h5"
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file.attrs["format_version"] = np.int64(1)
        _say(file, format="deformbench-trace", experiment=experiment, cell_id=cell, method=method_id)
        _say(file, status=status, status_reason=reason)
        about = file.create_group("provenance")
        about.attrs.update({"cores": 2, "threads": threads, "load_1min": 0.1})
        _say(about, spec=json.dumps(spec), method_fingerprint=fingerprint, cpu=cpu, finished=finished)
        _say(about, host="testhost", git_commit="abc", git_state="clean", compiler="g++ 12", flags="-O3")
        if tetrahedra is not None:
            file.create_dataset("scene/tetrahedra", data=np.zeros((tetrahedra, 4), dtype=np.int32))
        for array, data in (arrays or {}).items():
            file.create_dataset(f"scene/{array}", data=data)
        for clock, columns in series.items():
            group = file.create_group(f"series/{clock}")
            first = np.asarray(next(iter(columns.values())))
            at = np.arange(first.shape[1] if members else first.shape[0]) if steps is None else np.array(steps)
            if clock == "iteration":  # the rows of one step, the first
                at = np.ones_like(at)
            group["step"] = np.broadcast_to(at.astype(np.int64), first.shape[:2] if members else first.shape[:1])
            group["time"] = dt * group["step"][...]
            for channel, values in columns.items():
                data, unit = group.create_dataset(channel, data=values), (units or {}).get(channel, "1")
                _say(data, unit=unit, quantity=channel, description=channel, source="harness")
        for identifier, channels_of in (references or {}).items():
            for channel, values in channels_of.items():
                file.create_dataset(f"reference/{identifier}/{channel}", data=np.asarray(values))
        if events:
            for column, kind in zip(
                ("step", "time", "kind", "code", "detail"), ("i8", "f8", h5py.string_dtype(), "i8", h5py.string_dtype())
            ):
                at = ("step", "time", "kind", "code", "detail").index(column)
                file.create_dataset(f"events/{column}", data=np.array([e[at] for e in events], dtype=kind))
    return path


def add_frames(path: Path, members: Sequence[Sequence[tuple[int, float, Mapping[str, Any]]]]) -> None:
    """Groups of /frames, whose arrays have lengths of their own: step, time and arrays of every member's frames."""
    with h5py.File(path, "a") as file:
        groups = file.require_group("frames")
        for member, frames in enumerate(members):
            for step, time, arrays in frames:
                group = groups.create_group(str(len(groups)))
                group.attrs.update({"step": np.int64(step), "time": time, "member": np.int64(member)})
                for name, data in arrays.items():
                    group[name] = data


def list_cells(folder: Path, experiment: str, declared: Mapping[str, Any] | None = None, tier: str = "paper") -> Path:
    """<tier>.cells.json as `run` writes it, of all traces of the experiment; `declared`:
    in place of the tree's declaration."""
    declaration = all_declarations()[experiment] if declared is None else Declaration(Path("x.json"), dict(declared))
    cells = []
    for path in sorted((folder / experiment).glob("*.h5")):
        if path.name.endswith(".timing.h5"):
            continue
        with h5py.File(path, "r") as file:
            spec = json.loads(file["provenance"].attrs["spec"])
        cells.append(
            {
                "cell_id": path.stem,
                "method": spec["method"]["name"],
                "coordinates": spec["coordinates"],
                "expect": spec["expect"],
            }
        )
    path = folder / experiment / f"{tier}.cells.json"
    path.write_text(json.dumps({"declaration": declaration.cells_depend_on(), "cells": cells}), encoding="utf-8")
    return path


def write_timing(
    trace: Path, seconds: np.ndarray, phases: Mapping[str, np.ndarray] | None = None, rss: float | None = None
) -> Path:
    """<cell>.timing.h5 beside a trace; seconds [repeat, step]."""
    path = trace.with_name(trace.stem + ".timing.h5")
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "deformbench-trace", "format_version": np.int64(1)})
        file.create_group("provenance").attrs.update({"cpu": "Test CPU", "threads": 1, "compiler": "g++ 12"})
        group = file.create_group("timing")
        group["step_seconds"] = seconds
        group["warmup_seconds"] = seconds[:, :1]
        group.attrs["protocol"] = json.dumps({"repeats": len(seconds)})
        group.attrs["phase_names"] = json.dumps(list(phases or {}))
        if phases:
            group["phase_seconds"] = np.stack(list(phases.values()), axis=2)
        if rss is not None:
            group.attrs["peak_rss_bytes"] = rss
    return path


SIZES = (2, 3, 4, 5, 6, 7, 10)


def ms_per_step_folder(
    folder: Path,
    *,
    warped_ratio: float = 1.3,
    exponent: float = 1.0,
    overhead: float = 0.3,
    sizes: tuple[int, ...] = SIZES,
    timed: bool = True,
    fail_direct_at: int | None = None,
) -> Path:
    """Traces of cross/ms_per_step in which a linear step takes 10⁻⁴ ms × tets^exponent,
    with the other rows in known ratios.

    The other SIZES are listed and have no trace."""
    rows = {
        "linear": ("linear_fem", WARPED, 1.0),
        "warped": ("warped_fem", {**WARPED, "rotation": "polar"}, warped_ratio),
        "linear_factorised": ("linear_fem", {**WARPED, "solver": "direct"}, 0.5),
        "naive": ("naive_eigen", {"cg_iterations": 20}, 15.0),
        "reuse": ("reuse_eigen", {"cg_iterations": 20}, 6.0),
    }
    not_run: list[Path] = []
    for n in sorted({*SIZES, *sizes}):
        tetrahedra = 20 * n**3
        for name, (method, parameters, factor) in rows.items():
            failed = name == "linear_factorised" and n == fail_direct_at
            direct = name == "linear_factorised"
            assemblies = 0.0 if method == "linear_fem" else 1.0
            path = write_trace(
                folder,
                f"cross/ms_per_step {method} {name}",
                parameters=parameters,
                scene={"young_modulus_pa": 1e5},
                swept={"cells_across": n},
                schedule={"steps": 40},
                tetrahedra=tetrahedra,
                status="unsupported" if failed else "completed",
                reason="the factor does not fit" if failed else "",
                series={
                    "step": {
                        "assemblies": np.full(41, assemblies),
                        "solves": np.ones(41),
                        "solver_iterations": np.full(41, 20.0),
                        "solver_residual": np.full(41, 0.0 if direct else 1e-6 * n),
                    }
                },
            )
            if n not in sizes:
                not_run.append(path)
            elif timed and not failed:
                seconds = 1e-7 * factor * tetrahedra**exponent
                jitter = 1 + 0.01 * np.sin(np.arange(5 * 40).reshape(5, 40))
                solve = seconds / (1 + overhead)
                phases = (
                    {"solve": solve * jitter}
                    if method == "linear_fem"
                    else {
                        "rotation": 0.4 * overhead * solve * jitter,
                        "assembly": 0.6 * overhead * solve * jitter,
                        "solve": solve * jitter,
                    }
                )
                write_timing(path, seconds * jitter, phases, rss=50e6)
    list_cells(folder, "cross/ms_per_step")
    for path in not_run:
        path.unlink()
    return folder


@pytest.fixture(autouse=True)
def own_files_are_harmless(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without a digest are read through by a process of their own first (contained.py), which takes longer than
    most measurements. Traces that a test wrote itself need no such care; a module that is about foreign files says
    FOREIGN_FILES = True."""
    if not getattr(request.module, "FOREIGN_FILES", False):
        monkeypatch.setattr(trace, "require_harmless", lambda path: None)


@pytest.fixture(scope="session")
def ms_per_step(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete timed run, for tests that only read it."""
    return ms_per_step_folder(tmp_path_factory.mktemp("ms_per_step"))
