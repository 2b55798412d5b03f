# SPDX-License-Identifier: BSD-3-Clause
"""Measurements on traces that do not suffice: the reason why there is no number, never a broken function."""

import re
from pathlib import Path

import numpy as np
import pytest
from measured import value_of, write_trace

from deformbench_analysis import measurement

P = "scene.parameters."
BEAM = {"length_m": 1.0, "side_m": 0.05, "young_modulus_pa": 1e6, "poisson_ratio": 0.33, "time_step_s": 0.01}


def tip(folder: Path, experiment: str, name: str, cells: int, force: float, drop: float, **scene: object) -> None:
    where = {P + "cells_across": cells, P + "tip_force_n": [0, -force, 0]}
    step = {"tip_displacement": np.array([[0, 0, 0], [0, -drop, 0]])}
    write_trace(folder, f"{experiment} warped_fem {name}", coordinates=where, scene={**BEAM, **scene}, step=step)


@pytest.mark.parametrize(
    "name,reason",
    [
        ("large_deflection.element_below_global", "no load and mesh that both warped_global and warped have"),
        ("large_deflection.global_below_linear", "no load and mesh that both linear and warped_global have"),
    ],
)
def test_rows_without_a_common_load_have_no_least_gap(tmp_path: Path, name: str, reason: str) -> None:
    experiment = "mueller_gross_2004/large_deflection"
    for load, row in ((2.0, "linear"), (4.0, "warped_global"), (8.0, "warped")):
        tip(tmp_path, experiment, row, 4, load * 1e6 * 0.05**4 / 12, 0.3)
    value = value_of(tmp_path, name)
    assert value.value is None and not value.broken and reason in value.note


def test_a_mesh_without_a_linear_cell_has_no_stiffness_to_scale_with(tmp_path: Path) -> None:
    experiment = "mueller_gross_2004/large_deflection"
    tip(tmp_path, experiment, "linear", 2, 1.0, 0.3)
    tip(tmp_path, experiment, "warped", 4, 2.0, 0.3)
    value = value_of(tmp_path, "large_deflection.element_error_max")
    assert value.value is None and not value.broken and "no linear cell with 4 cells across" in value.note


def test_a_smoke_run_below_the_judged_loads_says_so(tmp_path: Path) -> None:
    tip(tmp_path, "mueller_gross_2004/large_deflection", "linear", 2, 1.0, 0.3)
    value = value_of(tmp_path, "large_deflection.linear_error_max")
    assert value.value is None and not value.broken and "PL²/EI ≥ 2 and 4 cells across" in value.note


def test_a_warped_cantilever_without_its_linear_one_has_no_difference(tmp_path: Path) -> None:
    tip(tmp_path, "cross/cantilever", "linear", 2, 1e-3, 1e-4)
    tip(tmp_path, "cross/cantilever", "warped", 4, 1e-3, 1e-4)
    value = value_of(tmp_path, "cantilever.warped_difference")
    assert value.value is None and not value.broken and "no cell with name=linear" in value.note


def test_a_tip_beyond_timoshenkos_has_no_order(tmp_path: Path) -> None:
    for cells in (2, 4):
        tip(tmp_path, "cross/cantilever", "linear", cells, 1e-3, 1.0, split="alternating_five")
    value = value_of(tmp_path, "cantilever.convergence_order")
    assert value.value is None and not value.broken and "above Timoshenko's" in value.note


def test_runs_without_a_finite_energy_have_no_largest_ratio(tmp_path: Path) -> None:
    write_trace(
        tmp_path,
        "mueller_gross_2004/unconditional_stability warped_fem warped_exact",
        scene={"time_step_s": 1.0, "young_modulus_pa": 1e5},
        status="diverged",
        step={"total_energy": np.full(3, np.nan)},
    )
    value = value_of(tmp_path, "unconditional_stability.exact_energy_ratio_max")
    assert value.value is None and not value.broken and "nothing to compare" in value.note


def test_random_poses_without_a_rest_pose_have_no_change(tmp_path: Path) -> None:
    operator = {
        "operator": {
            "pose_parameter": np.array([0.0, 90]),
            "condition_number": np.array([10.0, 11]),
            "operator_converged": np.ones(2),
        }
    }
    for field, split in (("bend", "alternating_five"), ("random_positions", "kuhn_six")):
        write_trace(
            tmp_path,
            "mueller_gross_2004/condition_number warped_fem warped",
            swept={"schedule.poses.field": field},
            scene={
                "time_step_s": 0.01,
                "young_modulus_pa": 1e5,
                "split": split,
                "side_m": 0.1,
                "cells_across": 2,
                "density_kg_m3": 1000.0,
            },
            series=operator,
        )
    value = value_of(tmp_path, "condition_number.change_random_poses_in_regime")
    assert value.value is None and not value.broken and "no cell with" in value.note


def test_every_definition_that_a_report_prints_stands_alone() -> None:
    """A reader sees one definition, not the one before it in the source."""
    measurement.load_all()
    leaning = re.compile(
        r"^(The same|Those|These|As above|It|They)\b|\bof these\b|\bthe strain there\b|eqs?\. \d+"
        r"|\b(those|these) (runs|steps|poses|numbers)\b|\bthat rise\b|\bof those that\b",
        re.I,
    )
    keyed = {n: re.sub(r"\[\w+\] eq\. [\d, ]+", "", m.definition) for n, m in measurement._registry.items()}
    assert len(keyed) > 300
    assert {n: d for n, d in keyed.items() if leaning.search(d)} == {}


def test_a_definition_tells_a_measurement_from_the_others_of_its_experiment() -> None:
    """Functions that are registered for several rows say which (`of`): a reader has the definition, not our names."""
    names: dict[tuple[str, str], list[str]] = {}
    for name, entry in measurement.load_all().items():
        names.setdefault((entry.experiment, entry.definition), []).append(name)
    assert len(names) > 500
    assert [same for same in names.values() if len(same) > 1] == []


def test_a_definition_ends_with_the_rows_that_it_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "_registry", {})

    @measurement.measurement("any.size", unit="1", experiment="cross/any", of="bodies that flow")
    def size(data: object) -> float:
        """Largest size.

        How it is computed."""
        return 1.0

    assert measurement._registry["any.size"].definition == "Largest size: bodies that flow."


def test_a_name_that_no_module_has_is_broken_not_missing(tmp_path: Path) -> None:
    value = value_of(tmp_path, "large_deflection.element_eror_max")
    assert value.value is None and value.broken
