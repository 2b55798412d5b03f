# SPDX-License-Identifier: BSD-3-Clause
"""Reading traces: what they hold, that they stay untouched, and what is said about files that are none."""

import hashlib
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import write_timing, write_trace

from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.trace import Trace

FOREIGN_FILES = True  # keeps the reading by a process of its own (conftest.py)


def test_a_channel_comes_with_its_unit_and_its_own_abscissa(tmp_path: Path) -> None:
    path = write_trace(
        tmp_path, "a/b warped_fem", step={"kinetic_energy": np.array([0.0, 2.0])}, units={"kinetic_energy": "J"}
    )
    series = Trace(path).series("step", "kinetic_energy")
    assert series.unit == "J" and series.time.tolist() == [0.0, 0.01] and series.values.tolist() == [0.0, 2.0]


def test_coordinates_and_label_come_from_the_stored_spec(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem warped", swept={"angle_deg": 30})
    trace = Trace(path)
    assert trace.value("scene.parameters.angle_deg") == 30
    assert trace.label == "warped (angle_deg=30)" and trace.method_id == "warped_fem"


def test_a_label_has_the_first_line_of_a_text(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b explicit_fem", swept={"text": "v 0 0 0\nv 1 0 0"})
    assert Trace(path).label == "explicit_fem (text=v 0 0 0…)"


def test_a_short_member_of_an_ensemble_loses_its_filler_rows(tmp_path: Path) -> None:
    volume, steps = np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([[0, 1], [0, -1]])
    path = write_trace(tmp_path, "a/b warped_fem", seeds=2, steps=steps, step={"volume": volume})
    members = Trace(path).series("step", "volume").members()
    assert [m.values.tolist() for m in members] == [[1.0, 2.0], [3.0]]


def test_reading_leaves_the_file_bit_for_bit_as_it_was(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem", step={"volume": np.ones(3)}, tetrahedra=5)
    write_timing(path, np.ones((5, 20)))
    before = [hashlib.sha256(p.read_bytes()).hexdigest() for p in (path, path.with_name(path.stem + ".timing.h5"))]
    trace = Trace(path)
    trace.values("step", "volume"), trace.events(), trace.references(), list(
        trace.frames()
    ), trace.timing, trace.tetrahedra
    assert before == [
        hashlib.sha256(p.read_bytes()).hexdigest() for p in (path, path.with_name(path.stem + ".timing.h5"))
    ]


def test_median_and_quartiles_are_those_of_all_samples_in_milliseconds(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem")
    seconds = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]])
    write_timing(path, seconds, {"rotation": np.ones((2, 3)), "solve": 2 * np.ones((2, 3))})
    timing = Trace(path).require_timing()
    assert timing.median_ms == 3000.0 and timing.quartiles_ms == (2000.0, 4000.0)
    assert timing.undisturbed_phase_ms("rotation", "solve") <= timing.phase_ms("rotation", "solve")
    assert timing.phase_ms("rotation", "solve") == 3000.0
    with pytest.raises(MissingData, match="no phase fracture"):
        timing.phase_ms("fracture")


def test_a_missing_channel_is_named_with_the_cell(tmp_path: Path) -> None:
    trace = Trace(write_trace(tmp_path, "a/b warped_fem warped"))
    with pytest.raises(MissingData, match="a/b: warped: no channel step/volume"):
        trace.series("step", "volume")


def test_a_missing_timing_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="deformbench time a/b"):
        Trace(write_trace(tmp_path, "a/b warped_fem")).require_timing()


def test_a_file_that_is_no_trace_is_refused_with_its_name(tmp_path: Path) -> None:
    text = tmp_path / "x.h5"
    text.write_text("no")
    with pytest.raises(InputError, match="x.h5: not a readable HDF5"):
        Trace(text)
    foreign = tmp_path / "y.h5"
    h5py.File(foreign, "w").close()
    with pytest.raises(InputError, match="y.h5: attribute format is None, expected 'deformbench-trace'"):
        Trace(foreign)


def test_a_later_format_version_is_refused(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b warped_fem")
    with h5py.File(path, "a") as file:
        file.attrs["format_version"] = 2
    with pytest.raises(InputError, match="format_version 2"):
        Trace(path)


def test_a_failed_run_is_still_read_with_its_reason(tmp_path: Path) -> None:
    trace = Trace(write_trace(tmp_path, "a/b warped_fem", status="diverged", reason="not finite at step 3"))
    assert (trace.status, trace.status_reason) == ("diverged", "not finite at step 3")


def test_a_timing_without_a_sample_counts_as_none(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b linear_fem", status="unsupported", reason="too large")
    write_timing(path, np.zeros((0, 0)))
    assert Trace(path).timing is None
