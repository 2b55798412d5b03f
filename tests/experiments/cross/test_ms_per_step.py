# SPDX-License-Identifier: BSD-3-Clause
"""The measurements of Figure 7 find what was put into synthetic timings, and notice when it is something else."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import WARPED, ms_per_step_folder, write_trace

from deformbench_analysis.measurement import Measurer
from experiments.cross.measurements import ms_per_step as m
from deformbench_analysis.vocabulary import MissingData, Results


RATIOS_AT_5000 = {  # naive steps take 15 linear ones, those that reuse 6, warped ones 1.2
    "warped_over_linear": 1.2,
    "naive_over_warped": 12.5,
    "reuse_over_warped": 5.0,
    "overhead_over_solve": 0.25,
}


def measured(folder: Path, tier: str = "paper") -> Measurer:
    return Measurer(Results(folder, tier), tier)


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Measurer:
    """Linear steps in proportion to tetrahedra^1.1, warped ones 1.2 times as long, a quarter of the solve."""
    folder = tmp_path_factory.mktemp("timed")
    return measured(ms_per_step_folder(folder, exponent=1.1, warped_ratio=1.2, overhead=0.25))


@pytest.fixture(scope="module")
def untimed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ms_per_step_folder(tmp_path_factory.mktemp("untimed"), timed=False)


def test_exponents_are_those_of_the_timings(timed: Measurer) -> None:
    for name in ("linear_exponent", "warped_exponent", "assembly_exponent"):
        assert timed(f"ms_per_step.{name}").value == pytest.approx(1.1, abs=1e-9)


def test_ratios_at_5000_are_interpolated_between_the_neighbouring_sizes(timed: Measurer) -> None:
    found = {name: timed(f"ms_per_step.{name}_at_5000") for name in RATIOS_AT_5000}
    assert {name: value.value for name, value in found.items()} == pytest.approx(RATIOS_AT_5000, rel=1e-9)
    for name in ("warped_over_linear", "reuse_over_warped"):
        assert "between 4,320 and 6,860" in found[name].note
    assert timed("ms_per_step.iterations_at_equal").value == pytest.approx(5.0, rel=1e-9)  # 0.25 of 20 iterations


def test_a_disturbed_half_of_one_cells_samples_moves_no_yardstick(tmp_path: Path, timed: Measurer) -> None:
    folder = Path(shutil.copytree(timed.results.folder, tmp_path / "disturbed"))
    before = timed("ms_per_step.reuse_over_warped_at_5000").value
    edit(folder, "reuse", 4320, "timing/step_seconds", scale(5.0, slice(3, None)))  # others keep the lower quartile
    assert measured(folder)("ms_per_step.reuse_over_warped_at_5000").value == pytest.approx(before, rel=0.01)
    edit(folder, "reuse", 4320, "timing/step_seconds", scale(2.0))
    assert measured(folder)("ms_per_step.reuse_over_warped_at_5000").value > 1.5 * before


def test_tetrahedra_at_33_ms_are_extrapolated_with_a_note_when_all_sizes_are_faster(tmp_path: Path) -> None:
    value = measured(ms_per_step_folder(tmp_path, warped_ratio=1.0))("ms_per_step.tets_at_33ms")
    assert value.value == pytest.approx(330_000, rel=1e-3)  # 10⁻⁴ ms per tetrahedron; the samples scatter by 1 %
    assert value.note == "extrapolated beyond 20,000 tetrahedra (2 ms)"
    slow = measured(ms_per_step_folder(tmp_path / "slow", warped_ratio=100.0))("ms_per_step.tets_at_33ms")
    assert slow.value == pytest.approx(3_300, rel=1e-3) and slow.note == "interpolated"


def test_counters_are_read_from_the_steps_and_not_from_the_clock(untimed: Path) -> None:
    look = measured(untimed)
    assert look("ms_per_step.linear_assemblies_per_step").value == 0
    assert look("ms_per_step.warped_assemblies_per_step").value == 1
    assert look("ms_per_step.solves_per_step").value == 1


def test_without_timings_a_timing_is_missing_and_says_so(untimed: Path) -> None:
    value = measured(untimed)("ms_per_step.warped_exponent")
    assert value.value is None and "deformbench time cross/ms_per_step" in value.note and not value.broken


def test_a_size_outside_the_measured_range_is_not_extrapolated(tmp_path: Path) -> None:
    value = measured(ms_per_step_folder(tmp_path, sizes=(2, 3, 4)))("ms_per_step.warped_over_linear_at_5000")
    assert value.value is None and "outside the measured" in value.note


def test_every_measurement_of_the_experiment_has_a_value_on_complete_data(ms_per_step: Path) -> None:
    look = measured(ms_per_step)
    names = [n for n, entry in look.registry.items() if entry.experiment == "cross/ms_per_step"]
    assert len(names) >= 12
    assert [n for n in names if look(n).is_missing] == []


def edit(folder: Path, name: str, tetrahedra: int, dataset: str, change: Callable[[np.ndarray], None]) -> None:
    """Changes a dataset of the trace of one row and size, or of the timing beside it."""
    (cell,) = [
        c
        for c in Results(folder, "paper").experiment("cross/ms_per_step").cells
        if c.method_name == name and c.tetrahedra == tetrahedra
    ]
    with h5py.File(cell.timing_path if dataset.startswith("timing/") else cell.path, "r+") as file:
        values = file[dataset][...]
        change(values)
        file[dataset][...] = values


def scale(factor: float, at: Any = ...) -> Callable[[np.ndarray], None]:
    def change(values: np.ndarray) -> None:
        values[at] *= factor

    return change


def test_one_size_with_other_counters_is_found(tmp_path: Path, untimed: Path) -> None:
    folder = Path(shutil.copytree(untimed, tmp_path / "edited"))
    edit(folder, "linear", 540, "series/step/assemblies", scale(0.0))
    edit(folder, "linear", 1280, "series/step/assemblies", lambda v: v.__setitem__(slice(1, 11), 1.0))  # 10 of 40 steps
    edit(folder, "warped", 2500, "series/step/assemblies", lambda v: v.__setitem__(slice(0, 11), 0.0))
    edit(folder, "warped", 4320, "series/step/solves", scale(2.0, slice(1, 21)))
    look = measured(folder)
    assert look("ms_per_step.linear_assemblies_per_step").value == pytest.approx(0.25)
    assert look("ms_per_step.warped_assemblies_per_step").value == pytest.approx(0.75)
    assert look("ms_per_step.solves_per_step").value == pytest.approx(1.5)


def test_the_figures_row_is_the_softest_material(tmp_path: Path, ms_per_step: Path) -> None:
    folder = Path(shutil.copytree(ms_per_step, tmp_path / "more"))
    for modulus, residual in ((1e6, 0.5), (5e4, 2e-3)):
        write_trace(
            folder,
            "cross/ms_per_step warped_fem warped",
            parameters={**WARPED, "rotation": "polar"},
            scene={"cells_across": 4, "young_modulus_pa": modulus},
            tetrahedra=1280,
            step={"solver_residual": np.full(3, residual)},
        )
    data = Results(folder, "paper", {}).experiment("cross/ms_per_step")
    assert [c.value("scene.parameters.young_modulus_pa") for c in m.row_cells(data, "warped")] == [5e4]


def test_bullets_row_is_the_one_that_takes_as_many_iterations(tmp_path: Path, ms_per_step: Path) -> None:
    folder = Path(shutil.copytree(ms_per_step, tmp_path / "more"))
    twenty = {"law": "linear_elasticity", "newton_iterations": 1, "cg_iterations": 20}
    for n, other in enumerate(({}, {"law": "neo_hookean"}, {"newton_iterations": 5}, {"cg_iterations": 300})):
        parameters = {**twenty, **other}
        scene = {"cells_across": 4}
        write_trace(
            folder, f"cross/ms_per_step bullet_fem bullet_{n}", parameters=parameters, scene=scene, tetrahedra=1280
        )
    data = Results(folder, "paper", {}).experiment("cross/ms_per_step")
    assert [c.method_name for c in m.row_cells(data, "bullet")] == ["bullet_0"]


def test_a_time_of_zero_has_no_slope() -> None:
    with pytest.raises(MissingData, match="a time of zero has no logarithm"):
        m.exponent(np.array([10, 100, 1000]), np.array([1.0, 0.0, 3.0]))
    assert m.exponent(np.array([10, 100, 1000]), np.array([1.0, 10.0, 100.0])) == pytest.approx(1)
