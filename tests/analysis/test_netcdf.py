# SPDX-License-Identifier: BSD-3-Clause
"""A trace of the command is a netCDF-4 file: every dimension of a clock and of the events has a dimension scale."""

import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

from deformbench_analysis import merge
from deformbench_analysis.paths import command


def simulated(out: Path) -> Path:
    words = ["simulate", "bar", "--method", "warped_fem", "--steps", "6", "--frames", "2", "--out", str(out)]
    subprocess.run([command(), *words], check=True, capture_output=True)
    (path,) = out.rglob("*.h5")
    return path


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("netcdf"))


def test_rows_have_the_scale_time_and_other_dimensions_their_length(trace: Path) -> None:
    with h5py.File(trace) as file:
        clocks = [*file["series"].values(), file["events"]]
        for clock in clocks:
            for name, channel in clock.items():
                if name != "time":
                    scales = [dimension[0] for dimension in channel.dims]
                    lengths = [f"/axis_{length}" for length in channel.shape[1:]]
                    assert [scale.name for scale in scales] == [f"{clock.name}/time", *lengths], channel.name
        assert len(clocks) == 3 and file["series/frame/positions"].ndim == 3


def test_netcdf_reads_names_values_and_units(trace: Path) -> None:
    netcdf = pytest.importorskip("netCDF4")
    with netcdf.Dataset(trace) as dataset, h5py.File(trace) as file:
        positions = dataset["series/frame/positions"]
        vertices = file["series/frame/positions"].shape[1]
        assert positions.dimensions == ("time", f"axis_{vertices}", "axis_3") and positions.unit == "m"
        assert np.array_equal(positions[:], file["series/frame/positions"][:])
        assert np.array_equal(dataset["series/frame/time"][:], file["series/frame/time"][:])


def test_scales_refer_to_their_own_file_and_are_no_result(trace: Path, tmp_path: Path) -> None:
    again = simulated(tmp_path)
    assert merge.first_difference(trace, again) == "" and merge.digest_of_results(trace) == merge.digest_of_results(
        again
    )
