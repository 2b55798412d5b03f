# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2019/hanging_chain, falling_chain, falling_chains, oscillator and hanging_cloth: N
small steps of one iteration against one step of N iterations. Every ratio compares two runs that differ in
nothing else and make equally many sweeps. [MSL19], [MMC16]"""

from collections.abc import Callable, Sequence

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measures, MissingData, Quantity, Trace, parameter
from deformbench_analysis.vocabulary import quantity, rows

HANGING, FALLING = Measures("macklin_et_al_2019/hanging_chain"), Measures("macklin_et_al_2019/falling_chain")
LENGTHS, OSCILLATOR = Measures("macklin_et_al_2019/falling_chains"), Measures("macklin_et_al_2019/oscillator")
CLOTH = Measures("macklin_et_al_2019/hanging_cloth")
MANY, SMALL, CONVERGED, SINGLE = "many_iterations", "small_steps", "converged", "single"
SECOND_ORDER = 2.0  # power of 1/N with which the error of small steps falls (MSL-02)
G = 9.81
MODE_LIMIT = 2.0 * np.sqrt(2.0)  # ωΔt below which N small steps damp a mode less, for every N ≥ 2 (mode_rate)
SETTLED_ROWS = 6  # last rows of the clock, in which a chain at rest must not move
STILL = 1e-3  # of the error: largest change in these rows, as ratios of errors are given to three digits
LENGTH_ROUNDING = 1e-15  # m, of a length of a metre
links = parameter("links", int, "Number of links of the chain.")


def substeps(trace: Trace) -> int:
    """Small steps in a time step."""
    return max(1, int(trace.setting("substeps")))  # 0: auto, one without tetrahedra


def sweeps(trace: Trace) -> int:
    """N: sweeps over all constraints in a time step."""
    return substeps(trace) * int(trace.setting("iterations"))


def chain(trace: Trace) -> str:
    """The scene's parameters."""
    return str(sorted((k, str(v)) for k, v in trace.value("scene.parameters").items()))


Size = Callable[[Trace], float]


def pairs_of(cells: Sequence[Trace]) -> list[tuple[Trace, Trace]]:
    """Pairs (many iterations, small steps) of runs of one scene with equally many sweeps.

    MissingData if a run has no partner."""
    many, small = ({sweeps(c): c for c in cells if c.method_name == name} for name in (MANY, SMALL))
    if many.keys() != small.keys():
        raise MissingData(
            f"{len(many.keys() ^ small.keys())} runs have no partner with as many sweeps: {chain(cells[0])}"
        )
    return [(many[n], small[n]) for n in many]


def unconverged_pairs(cells: Sequence[Trace], size: Size) -> list[tuple[Trace, Trace]]:
    """Pairs in which iterations do not yet converge faster than small steps: up to their number of sweeps, the error
    falls more slowly than N⁻² between any two neighbouring numbers. Runs of one sweep count as
    both."""
    known = {sweeps(c): size(c) for c in cells if c.method_name in (MANY, SINGLE)}
    counts = sorted(known)
    faster = [b for a, b in zip(counts, counts[1:]) if known[a] / known[b] >= (b / a) ** SECOND_ORDER]
    return [(many, small) for many, small in pairs_of(cells) if sweeps(many) < min(faster, default=np.inf)]


def ratio(what: str, size: Size) -> Quantity:
    """`size` with small steps relative to many iterations, by the run of small steps."""
    return Quantity(
        lambda *cells: {small: size(small) / size(many) for many, small in pairs_of(cells)},
        f"{what} with small steps relative to as many iterations",
    )


def from_converged(of: Callable[[Sequence[Trace]], Size], what: str, before: bool = False) -> Quantity:
    """The same for an error against other runs of the scene; `before`: unconverged_pairs alone."""

    def ratios(*cells: Trace) -> dict[Trace, float]:
        size = of(cells)
        pairs = unconverged_pairs(cells, size) if before else pairs_of(cells)
        return {small: size(small) / size(many) for many, small in pairs}

    return Quantity(ratios, f"{what} with small steps relative to as many iterations")


def up_to_links(of: Callable[[Sequence[Trace]], Size], what: str) -> Quantity:
    """The same for pairs with at most as many sweeps per time step as the chain has links."""

    def ratios(*cells: Trace) -> dict[Trace, float]:
        size = of(cells)
        return {small: size(small) / size(many) for many, small in pairs_of(cells) if sweeps(many) <= links(many)}

    return Quantity(ratios, f"{what} with small steps relative to as many iterations, no more than links")


PAIRS = rows(MANY, SMALL, says="pairs of equal sweeps").grouped(chain, says="")
UNCONVERGED = "whose iterations do not yet converge faster than N⁻²"


def pairs(data: ExperimentData) -> list[tuple[Trace, Trace]]:
    """Pairs of runs of all scenes."""
    return [pair for cells, _ in PAIRS.units(data) for pair in pairs_of(cells)]


# ---- a chain at rest


def rest_error(trace: Trace) -> float:
    """Error of the chain's final length against statics, relative to length; links of compliance α carry what
    hangs below them. MissingData while it still moves."""
    n, link, mass = links(trace), trace.number("link_m"), trace.number("mass_kg")
    exact = n * link + trace.number("compliance_m_per_n") * mass * G * n * (n + 1) / 2
    errors = (-trace.values("step", "tip_position")[-SETTLED_ROWS:, 1] - exact) / (n * link)
    if len(errors) < SETTLED_ROWS or not np.ptp(errors) < STILL * abs(errors[-1]):
        raise trace.missing("not at rest at the end")
    return float(abs(errors[-1]))


def rest_error_of_small_steps(trace: Trace) -> float:
    """The same by hand, for links listed from the held end on: a sweep leaves every link but the last longer by gh²
    for every particle below it but its own, as the correction of the next link moves its lower particle by w T
    h². h is the small step."""
    n, h = links(trace), trace.number("time_step_s") / substeps(trace)
    return G * h**2 * n * (n - 1) / 2 / (n * trace.number("link_m"))


@quantity("power of 1/N with which the error at rest falls, fitted over all numbers of sweeps")
def rest_order(*cells: Trace) -> float:
    """`cells` are those of one chain."""
    if len({sweeps(c) for c in cells}) < 3:
        raise MissingData(f"{chain_in_words(cells[0])}: expected three numbers of sweeps or more")
    counts, sizes = np.log([sweeps(c) for c in cells]), np.log([rest_error(c) for c in cells])
    return -float(np.polyfit(counts, sizes, 1)[0])


def chain_in_words(trace: Trace) -> str:
    """For notes."""
    listed = trace.value("scene.parameters.listed")
    return f"{links(trace)} links, {trace.number('compliance_m_per_n'):g} m/N, {listed}"


@quantity("|length error at rest/(gh²n(n−1)/2) − 1|, h the small step")
def _error_by_hand(trace: Trace) -> float:
    return abs(rest_error(trace) / rest_error_of_small_steps(trace) - 1)


REST = "error of a resting chain's length"
SMALL_CHAINS = rows(SMALL, says="chains, small steps").grouped(chain_in_words, says="")
MANY_CHAINS = rows(MANY, says="chains, many iterations").grouped(chain_in_words, says="")
IN_TURN = rows(SMALL, says="chains").where(listed="in_turn", says="links listed from the held end on")

hanging_ratio = HANGING.largest("ratio", ratio(REST, rest_error), PAIRS)
HANGING.largest(
    "ratio_before_convergence",
    from_converged(lambda _: rest_error, REST, before=True),
    rows(MANY, SMALL, says=f"pairs {UNCONVERGED}").grouped(chain, says=""),
)
HANGING.largest("ratio_up_to_links", up_to_links(lambda _: rest_error, REST), PAIRS)
HANGING.least("small_steps_order_min", rest_order, SMALL_CHAINS)
HANGING.largest("small_steps_order_max", rest_order, SMALL_CHAINS)
HANGING.least("iterations_order_min", rest_order, MANY_CHAINS)
HANGING.largest("error_by_hand", _error_by_hand, IN_TURN)


# ---- a chain that falls


def mechanical_energy(trace: Trace) -> Array:
    """Kinetic plus gravitational energy minus that at the start, relative to the chain's weight times length."""
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "gravitational_energy")
    whole = links(trace) ** 2 * trace.number("mass_kg") * G * trace.number("link_m")
    return np.asarray((energy - energy[0]) / whole)


def energy_error(trace: Trace) -> float:
    """Largest change of total energy, links included, relative to the
    weight times the length of the chain."""
    energy, compliance = mechanical_energy(trace), trace.number("compliance_m_per_n")
    if compliance > 0:
        whole = links(trace) ** 2 * trace.number("mass_kg") * G * trace.number("link_m")
        energy = energy + (trace.values("step", "constraint_values") ** 2).sum(axis=1) / (2 * compliance * whole)
    return float(np.abs(energy).max())


class Falling:
    """The runs of a falling chain against the converged one."""

    def __init__(self, cells: Sequence[Trace]) -> None:
        found = [c for c in cells if c.method_name == CONVERGED]
        if len(found) != 1:
            raise MissingData(f"{cells[0].label}: {len(found)} converged runs of this chain")
        self.exact = found[0]

    def rms(self, trace: Trace, of: Callable[[Trace], Array]) -> float:
        """Root mean square of the difference from the converged run, over all rows but the first."""
        return float(np.sqrt(np.mean((of(trace)[1:] - of(self.exact)[1:]) ** 2)))

    def stretch_error(self, trace: Trace) -> float:
        """RMS error of the link lengths, relative to the length of a link."""
        return self.rms(trace, lambda t: t.values("step", "constraint_values")) / trace.number("link_m")

    def way_error(self, trace: Trace) -> float:
        """RMS error of the particle positions, relative to the length of the chain."""
        return self.rms(trace, lambda t: t.values("frame", "positions")) / (links(trace) * trace.number("link_m"))


def _stretch(cells: Sequence[Trace]) -> Size:
    return Falling(cells).stretch_error


def _way(cells: Sequence[Trace]) -> Size:
    return Falling(cells).way_error


@quantity("links of a chain")
def _unconverged_lengths(*cells: Trace) -> dict[Trace, float]:
    return {many: float(links(many)) for many, _ in unconverged_pairs(cells, _stretch(cells))}


@quantity("links of a chain with at least one pair of no more sweeps than links")
def _lengths_up_to_links(*cells: Trace) -> dict[Trace, float]:
    return {many: float(links(many)) for many, _ in pairs_of(cells) if sweeps(many) <= links(many)}


STRETCH, WAY = "rms error of links' lengths", "rms error of particles' positions"
FALLS = rows(MANY, SMALL, CONVERGED, says="pairs of equal sweeps").grouped(chain, says="")
UNCONVERGED_FALLS = rows(MANY, SMALL, CONVERGED, says=f"pairs {UNCONVERGED}").grouped(chain, says="")
UNCONVERGED_LENGTHS = rows(MANY, SMALL, CONVERGED, SINGLE, says=f"pairs {UNCONVERGED}").grouped(chain, says="")

FALLING.largest("stretch_ratio", from_converged(_stretch, STRETCH), FALLS)
FALLING.largest("stretch_ratio_before_convergence", from_converged(_stretch, STRETCH, before=True), UNCONVERGED_FALLS)
LENGTHS.largest("stretch_ratio", from_converged(_stretch, STRETCH), FALLS)
LENGTHS.largest("stretch_ratio_before_convergence", from_converged(_stretch, STRETCH, before=True), UNCONVERGED_LENGTHS)
LENGTHS.distinct("lengths_before_convergence", _unconverged_lengths, UNCONVERGED_LENGTHS)
FALLING.largest("stretch_ratio_up_to_links", up_to_links(_stretch, STRETCH), FALLS)
LENGTHS.largest("stretch_ratio_up_to_links", up_to_links(_stretch, STRETCH), FALLS)
LENGTHS.distinct("lengths_up_to_links", _lengths_up_to_links, FALLS)
way_ratio = FALLING.largest("way_ratio", from_converged(_way, WAY), FALLS)
FALLING.largest("energy_ratio", ratio("largest change of the total energy during the fall", energy_error), PAIRS)
FALLING.largest(
    "mechanical_energy_ratio",
    ratio(
        "largest change of kinetic and gravitational energy alone", lambda c: float(np.abs(mechanical_energy(c)).max())
    ),
    PAIRS,
)
FALLING.largest("converged_energy_error", energy_error, rows(CONVERGED, says="converged runs"))
FALLING.largest(  # above 0 only where energy was made
    "energy_made",
    quantity("gain of kinetic plus gravitational energy since the start, relative to weight times length")(
        lambda c: mechanical_energy(c)[1:]
    ),
    rows(SMALL, says="small steps"),
)


# ---- one mode


def stiffness_number(trace: Trace) -> float:
    """ωΔt of the mass on its constraint, ω² = 1/(αm)."""
    return float(trace.number("time_step_s") / np.sqrt(trace.number("compliance_m_per_n") * trace.number("mass_kg")))


def mode_energy(trace: Trace) -> Array:
    """Kinetic plus stored energy relative to the start."""
    stored = trace.values("step", "constraint_values")[:, 0] ** 2 / (2 * trace.number("compliance_m_per_n"))
    energy = trace.values("step", "kinetic_energy") + stored
    return np.asarray(energy / energy[0])


def damping_rate(trace: Trace) -> float:
    """−ln of the share of the energy that is left after the first time step. It is at least that of a constraint's
    rounding, so that a rate above some 60 is a lower bound."""
    start = float(trace.values("step", "constraint_values")[0, 0])
    return -float(np.log(max(mode_energy(trace)[1], (LENGTH_ROUNDING / start) ** 2)))


def mode_rate(number: float, steps: int) -> float:
    """damping_rate of implicit Euler with so many steps, in closed form: a step leaves 1/(1 + ω²h²). Two steps damp
    less than one where (1 + s²/4)² < 1 + s², s = ωΔt, so for s² < 8; then so do more."""
    return float(steps * np.log1p((number / steps) ** 2))


@quantity("|rate over that of implicit Euler with as many small steps in closed form − 1|")
def _closed_form_error(trace: Trace) -> float:
    return abs(damping_rate(trace) / mode_rate(stiffness_number(trace), substeps(trace)) - 1)


def _is_soft(trace: Trace) -> bool:
    """Modes with ωΔt < 2√2."""
    return bool(stiffness_number(trace) < MODE_LIMIT)


def _leaves_enough(trace: Trace) -> bool:
    """Amplitudes left above a millionth."""
    return bool(mode_rate(stiffness_number(trace), substeps(trace)) < 2 * np.log(1e6))


DAMPING = ratio("damping rate of a mode's energy", damping_rate)
SOFT = rows(MANY, SMALL, says="pairs of equal sweeps").where(_is_soft).grouped(chain, says="")
MODES = rows(MANY, SMALL, says="both sides").where(_leaves_enough)

damping_ratio = OSCILLATOR.largest("damping_ratio", DAMPING, PAIRS)
damping_ratio_of_soft_modes = OSCILLATOR.largest("damping_ratio_of_soft_modes", DAMPING, SOFT)
OSCILLATOR.largest("closed_form_error", _closed_form_error, MODES)
OSCILLATOR.largest(
    "energy_made",
    quantity("gain of a mode's energy per time step relative to its start")(lambda c: np.diff(mode_energy(c))),
    rows(SMALL, says="small steps"),
)


# ---- a cloth


def cloth_strain(trace: Trace) -> float:
    """Root mean square of length/rest length − 1 over the edges, the mean over the second half of the run."""
    strain = trace.values("step", "edge_strain_rms")
    return float(strain[len(strain) // 2 :].mean())


def step_ms(trace: Trace) -> float:
    """Lower quartile of a step's time, ms: other processes can only add time."""
    return trace.require_timing().quartiles_ms[0]


CLOTH.largest("strain_ratio", ratio("stretch of a hanging cloth, rms over edges,", cloth_strain), PAIRS)
CLOTH.largest("cost_ratio", ratio("time per step, lower quartile,", step_ms), PAIRS, timing=True)
