# SPDX-License-Identifier: BSD-3-Clause
"""The figure of kept and reset multipliers shows the elongations that were put in."""

from pathlib import Path

import numpy as np
import pytest
from figure_traces import drawn
from measured import write_trace

from experiments.macklin_et_al_2016.measurements import stiffness as m


def test_the_figure_shows_what_was_put_in(tmp_path: Path) -> None:
    mass, compliance, link = 2.0, 1e-4, 0.5
    for name, share in (("kept", 1.0), ("reset", 0.25)):
        for links in (1, 5):
            end = -link * links - share * compliance * mass * m.G * links * (links + 1) / 2
            scene = {"link_m": link, "mass_kg": mass, "compliance_m_per_n": compliance}
            swept = {"links": links, "time_step_s": 0.001}
            run, series = f"{m.RESET.experiment} any {name}", {"tip_position": np.array([[0.0, end, 0.0]])}
            write_trace(tmp_path, run, swept, scene, parameters={"iterations": 4}, step=series)
    _, rows = drawn(tmp_path, "sec_reset_multipliers", tmp_path / "out")
    found = {(r["multipliers"], r["links"]): float(r["elongation over Hooke's"]) for r in rows}
    assert found == pytest.approx(
        {("kept", "1"): 1.0, ("kept", "5"): 1.0, ("set to zero", "1"): 0.25, ("set to zero", "5"): 0.25}
    )
