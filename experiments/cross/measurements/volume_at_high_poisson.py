# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cross/volume_at_high_poisson: the volume that laws keep in a block pulled or pressed along one
axis."""

import numpy as np

from deformbench_analysis.vocabulary import Measures, MissingData, Rows, Trace, difference, parameter, rows
from .laws import Uniaxial, uniaxial
from .locking import poisson

M = Measures("cross/volume_at_high_poisson")
stretch = parameter("stretch", float, "Length over rest length that the rollers impose.")


def law_of(trace: Trace) -> str:
    """The law of a cell's energy; warped elements have the corotational one."""
    return str(trace.value("method.parameters.law", "corotational"))


def volume_ratio(trace: Trace) -> float:
    """V/V0 at the end."""
    rest = trace.scene("rest_positions")
    return float(trace.values("step", "volume")[-1]) / float(np.prod(np.ptp(rest, axis=0)))


def exact(trace: Trace) -> Uniaxial:
    """The homogeneous state of the cell's law."""
    return uniaxial(law_of(trace), stretch(trace), poisson(trace))


def traction(trace: Trace) -> float:
    """Pull on the end at largest x, divided by rest area and Young's modulus;
    MissingData where the other end's pull differs."""
    pull = -float(trace.values("step", "tip_elastic_force")[-1, 0])
    other = float(trace.values("step", "root_elastic_force")[-1, 0])
    if not abs(pull - other) <= 1e-6 * abs(pull):
        raise trace.missing(f"ends pulled with {pull} N and {other} N are not at rest")
    area = float(np.prod(np.ptp(trace.scene("rest_positions")[:, 1:], axis=0)))
    return pull / (area * trace.number("young_modulus_pa"))


def volume_error(trace: Trace) -> float:
    """Distance of V/V0 from that of the law's homogeneous state, whose lateral stress is zero."""
    return abs(volume_ratio(trace) - exact(trace).volume)


def traction_error(trace: Trace) -> float:
    """Relative error of an end's force against that of the law's homogeneous state."""
    return abs(traction(trace) / exact(trace).traction - 1)


def change(trace: Trace) -> dict[str, float]:
    """Relative change of volume of a block stretched or compressed along one axis."""
    found = volume_ratio(trace)
    return {f"V/V0 = {found:.4g}, {trace.label}": abs(found - 1)}


def _of_law(law: str, words: str) -> Rows:
    return (
        rows(says=words).where(lambda c: law_of(c) == law, says="").at_largest(poisson, says="largest Poisson's ratio")
    )


BLOCKS = rows(says="blocks of all laws, stretches and Poisson's ratios")
largest_volume_error = M.largest("volume_error", volume_error, BLOCKS)
M.largest("traction_error", traction_error, BLOCKS)
largest_changes = {
    law: M.largest(f"{law}_change", change, _of_law(law, words))
    for law, words in {
        "corotational": "corotational law or warped elements",
        "st_venant_kirchhoff": "St. Venant–Kirchhoff law",
        "neo_hookean": "neo-Hookean law",
        "stable_neo_hookean": "stable neo-Hookean law",
    }.items()
}
M.largest(
    "warped_difference",
    difference(volume_ratio, "difference of V/V0 of blocks stretched or pressed alike"),
    rows("warped", says="warped elements").beside(
        rows("corotational"), "poisson_ratio", "stretch", says="against corotational ones by Newton's method"
    ),
)
