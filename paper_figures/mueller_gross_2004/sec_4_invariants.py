# SPDX-License-Identifier: BSD-3-Clause
"""Section 4: invariants of a split. A body at the step of its first splits and the same body without
fracture."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from experiments.mueller_gross_2004.measurements import split_invariants as m
from paper_figures.figure import Drawing, MissingData, style, titled

CHANNELS = {
    "volume": "volume",
    "linear_momentum": "linear momentum",
    "angular_momentum": "angular momentum",
    "kinetic_energy": "kinetic energy",
    "elastic_energy": "elastic energy",
}
CRITERIA = {
    "vertex_split": ("stress of the element", "#0072B2", "o"),
    "separation_tensor": ("separation tensor of the vertex", "#D55E00", "s"),
}
FLOOR = 1e-17  # differences of exactly zero are drawn here


@titled("Section 4 — what a split leaves alone")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    found = [(broken, whole, m.first_row(broken)) for (broken, whole), _ in m.PAIRS.units(data)]
    if not found:
        raise MissingData(f"{m.M.experiment} at tier {data.tier}: nothing was split")
    axes = figure.axes(1, 2, 10.6, 3.9)
    table = figure.table(
        "criterion; threshold [Pa]; seed; splits of the step",
        *(f"change of {label} .3g" for label in CHANNELS.values()),
    )
    worst = dict.fromkeys(CHANNELS, 0.0)
    total = 0
    generator = np.random.default_rng(1)
    for broken, whole, row in found:
        _, colour, marker = CRITERIA[broken.method_name]
        changes = []
        for place, channel in enumerate(CHANNELS):
            after, before = (np.atleast_1d(t.values("step", channel)[row]) for t in (broken, whole))
            change = float(np.linalg.norm(after - before) / np.linalg.norm(before))
            worst[channel] = max(worst[channel], change)
            changes.append(change)
            shift = -0.17 if broken.method_name == "vertex_split" else 0.17
            values = [max(change, FLOOR)]
            style.marks(
                axes[0], [place + shift + 0.1 * (generator.random() - 0.5)], values, marker, colour, ms=4, alpha=0.8
            )
        splits = int(broken.values("step", "split_count")[row])
        total += splits
        style.marks(axes[1], [splits], [max(max(changes), FLOOR)], marker, colour, ms=5, alpha=0.8)
        numbers = (int(broken.value("scene.parameters.seed", 1)), splits, *changes)
        table.add(broken.method_name, broken.setting("fracture_threshold_pa"), *numbers)
    for label, colour, marker in CRITERIA.values():
        style.marks(axes[0], [], [], marker, colour, ms=5, label=label)
    for axis in axes:
        axis.axhline(np.finfo(float).eps, color=style.REFERENCE, ls="--", lw=0.9)
        axis.set(yscale="log", ylim=(FLOOR / 2, 1e-12))
    text = "rounding of one number"
    style.note(
        axes[0], text, (0.995, np.finfo(float).eps), (0, 3), "r", xycoords=axes[0].get_yaxis_transform(), size=7.5
    )
    axes[0].set_xticks(range(len(CHANNELS)), [label.replace(" ", "\n") for label in CHANNELS.values()])
    axes[0].set_ylabel("relative change by the splits of one step [1]")
    axes[0].set_title("(a) every quantity, every run")
    axes[0].set_yticks(
        [FLOOR, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12], ["0", *(style.power(10.0**k) for k in (-16, -15, -14, -13, -12))]
    )
    axes[1].set_yticks(
        [FLOOR, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12], ["0", *(style.power(10.0**k) for k in (-16, -15, -14, -13, -12))]
    )
    axes[0].legend(loc="upper left", fontsize=8)
    axes[1].set_title("(b) against the number of splits")
    style.labels(axes[1], "vertices split in the step [1]", "largest change of any quantity [1]")
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True))
    listed = ", ".join(f"{label} {worst[c]:.1e}" for c, label in CHANNELS.items())
    try:
        rest = (
            f"Stresses of the elements differ by {m.stress_difference(data).value:.1e} Pa, the forces on the parts "
            f"of a vertex add up to that on the whole one within {m.merged_force_difference(data).value:.1e} of the "
            "largest. "
        )
    except MissingData as reason:
        rest = f"({reason}.) "
    return (
        "The paper says: a vertex is split without change of the elements, so that fracture adds no instability. "
        "Measured here: a spinning, stressed block and the same block without fracture are bitwise equal up to the "
        f"first splits; in that step the two differ by the splits alone. {len(found)} runs, {total} splits; largest "
        f"relative changes: {listed}. {rest}"
    )
