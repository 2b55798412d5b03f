# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/spin_stress: stress of a spinning block by the rotation it is taken in (erratum
B-IVM-3)."""

from deformbench_analysis.vocabulary import Measures, quantity, rows

M = Measures("mueller_gross_2004/spin_stress")
STRESS = quantity("largest principal stress after 100 steps", unit="Pa")(
    lambda c: c.values("step", "max_stress_principal")[-1]
)

for _name, _end in (("stale", "start"), ("fresh", "end")):
    for _speed, _spin in (("slow", 5.0), ("fast", 20.0)):
        M.only(
            f"{_name}_{_speed}",
            STRESS,
            rows(_name, says=f"taken in the rotation of the step's {_end}, {_spin:g} rad/s").where(
                angular_velocity_rad_s=[0.0, 0.0, _spin], time_step_s=0.01, says=""
            ),
        )
