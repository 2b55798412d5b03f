# SPDX-License-Identifier: BSD-3-Clause
"""The figure's numbers are those put in."""

from pathlib import Path

import numpy as np
import pytest
from figure_traces import drawn
from iteration_rows import rows
from made_up_traces import write_trace

from experiments.chen_et_al_2024.measurements import convergence, descent_or_newton, one_step


def test_its_numbers_are_those_of_the_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_step, "gaps", lambda trace: trace.values("iteration", "objective"))
    monkeypatch.setattr(one_step, "residual", lambda trace: trace.number("left"))
    names = ("energies", "gradients", "hessians", "local_solves", "products")
    for run, objective in (("vbd descent", [1.0, 0.5, 0.2]), ("implicit_fem newton", [1.0, 0.4, 1e-9])):
        columns = {f"work_{name}": np.array([0.0, 10.0, 20.0]) * (name == "gradients") for name in names}
        swept = {"family": "kuhn", "start": "twisted", "omega": 1.0}
        path = f"{descent_or_newton.M.experiment} {run}"
        write_trace(tmp_path, path, swept, tetrahedra=10, iteration=rows(objective, **columns))
    for solve, left in (("coupled", 0.3), ("one_by_one", 0.4)):
        swept = {"omega": 1.0, "method.parameters.solid_solve": solve}
        write_trace(tmp_path, f"{convergence.FLOOR.experiment} xpbd xpbd", swept, scene={"left": left})
    for family in ("kuhn", "body_centred"):
        for theta in (0.0, 1.0):
            for across in (2, 4):
                swept = {"family": family, "theta": theta, "cells_across": across}
                objective = [1.0] * across + [1e-5]
                write_trace(tmp_path, f"{convergence.MESHES.experiment} vbd descent", swept, iteration=rows(objective))
    _, found = drawn(tmp_path, "sec_one_step", tmp_path / "out")
    values = [(row["panel"], row["row"], float(row["abscissa"]), float(row["value"])) for row in found]
    assert ("(a) work", "newton, Ω = 1", 2.0, 1e-9) in values and ("(a) work", "descent, Ω = 1", 1.0, 0.5) in values
    assert ("(b) floor", "coupled", 1.0, 0.3) in values and ("(c) meshes", "Θ = 1, kuhn", 4.0, 4.0) in values


def test_stiff_beams_are_drawn_as_they_were_put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_step, "gaps", lambda trace: trace.values("iteration", "objective"))
    monkeypatch.setattr(one_step, "error", lambda trace: trace.number("left"))
    swept = {"family": "kuhn", "theta": 100.0}
    for name, left in (("vbd sweeps_20", 0.5), ("vbd sweeps_500", 0.02), ("implicit_fem newton", 0.0)):
        run = f"{convergence.BEAMS.experiment} {name}"
        write_trace(tmp_path, run, swept, scene={"left": left}, iteration=rows([1.0, 0.1, 1e-7]))
    _, found = drawn(tmp_path, "sec_stiff_beams", tmp_path / "out")
    values = {row["row"]: (float(row["Θ"]), row["mesh"], float(row["value"])) for row in found}
    assert values == {
        "20 sweeps": (100.0, "kuhn", 0.5),
        "500 sweeps": (100.0, "kuhn", 0.02),
        "Newton's method": (100.0, "kuhn", 2.0),
    }
