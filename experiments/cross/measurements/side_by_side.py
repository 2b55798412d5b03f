# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/side_by_side_swing and side_by_side_twist:
how far each family is from small steps on the same mesh."""

from deformbench_analysis.comparison.accuracy import at_common_times, curve_errors
from deformbench_analysis.vocabulary import ExperimentData, Measured, Measures, Trace, extremes, rows

SWING, TWIST = Measures("cross/side_by_side_swing"), Measures("cross/side_by_side_twist")
CHANNELS = {SWING.experiment: "tip_displacement", TWIST.experiment: "max_displacement"}
FAMILIES = {
    "warped": "warped elements",
    "stable_neo_hookean": "stable neo-Hookean elements",
    "xpbd": "XPBD",
    "bullet_fem": "Bullet's deformable body",
}
FROM_OUTSIDE = {"vertex_block_descent": "vertex block descent", "projective_dynamics": "projective dynamics"}


def error(trace: Trace, reference: Trace) -> float:
    """Rms distance over the run from small explicit steps, relative to their largest value."""
    channel = CHANNELS[trace.experiment]
    return curve_errors(*at_common_times(trace.series("step", channel), reference.series("step", channel)))[1]


def _from_outside(m: Measures, family: str, words: str) -> None:
    """An installation without the family refuses its runs, as declared,
    so that no `Measure` may require them."""

    @m(f"{family}_error", of=words)
    def _error(data: ExperimentData) -> Measured:
        """Rms distance over the run from small explicit steps of stable neo-Hookean elements, relative to their
        largest value, smallest over time steps."""
        pairs = rows(family).beside(rows("reference"), "time_step_s").units(data)
        return extremes.least({trace: error(*traces) for traces, trace in pairs})


for M in (SWING, TWIST):
    for _family, _words in FAMILIES.items():
        M.least(
            f"{_family}_error",
            error,
            rows(_family, says=f"time steps of {_words}").beside(rows("reference"), "time_step_s", says=""),
        )
    for _family, _words in FROM_OUTSIDE.items():
        _from_outside(M, _family, _words)
