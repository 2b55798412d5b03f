# SPDX-License-Identifier: BSD-3-Clause
"""Figure 2: weight and shape function of a node near a horizontal crack, with visibility and with transparency."""

from collections.abc import Mapping

import numpy as np
from matplotlib.cm import ScalarMappable

from experiments.pauly_et_al_2005.measurements import weight_slice as m
from paper_figures.figure import Array, Axes, Drawing, MissingData, style, titled

COLOURS = {"visibility": "#D55E00", "transparency": "#0072B2"}
HEIGHT = 0.2  # of the profiles above the crack, supports


def _crack(axis: Axes, crack: Array, width: float = 2.2) -> None:
    """The part behind the front, in supports; the front is at 0."""
    axis.plot(crack[:, 0], crack[:, 1], color="white", lw=width + 1.6, solid_capstyle="butt")
    axis.plot(crack[:, 0], crack[:, 1], color=style.INK, lw=width, solid_capstyle="butt")


def _field(axis: Axes, slice_: m.Slice, values: Array, title: str, is_signed: bool) -> ScalarMappable:
    low = -0.15 if is_signed else 0.0
    image = axis.pcolormesh(
        slice_.u, slice_.v, values, cmap="viridis", vmin=low, vmax=1.0, shading="nearest", rasterized=True
    )
    axis.contour(slice_.u, slice_.v, values, np.arange(0.1, 1.0, 0.1), colors="white", linewidths=0.5, alpha=0.7)
    _crack(axis, slice_.crack)
    axis.plot(*slice_.nodes.T, ".", color="white", ms=3, alpha=0.8)
    axis.plot(*slice_.nodes[slice_.node], "o", color="white", markeredgecolor=style.INK, ms=7)
    axis.set(title=title, aspect="equal", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), ylabel="height over the crack [h]")
    axis.grid(False)
    return image


def _blocked_pair(nodes: Array) -> tuple[Array, Array, Array]:
    """Two nodes on either side of the crack and the crossing of their segment:
    the steepest segment crossing just behind the front."""
    found: tuple[float, tuple[Array, Array, Array]] | None = None
    for own in nodes[nodes[:, 1] < 0.0]:
        for other in nodes[nodes[:, 1] > 0.0]:
            way = other - own
            crossing = own + way * own[1] / (own[1] - other[1])
            steepness = abs(way[1]) / float(np.linalg.norm(way))
            if np.linalg.norm(way) < 0.9 and -0.45 < crossing[0] < -0.15 and (found is None or steepness > found[0]):
                found = steepness, (own, other, crossing)
    if found is None:
        raise MissingData("no pair of nodes whose way crosses the crack near its front")
    return found[1]


def _construction(axis: Axes, slice_: m.Slice) -> None:
    """One separated pair: segment, crossing x_s and its distance d_s from the front."""
    own, other, crossing = _blocked_pair(slice_.nodes)
    colour = COLOURS["transparency"]
    axis.plot(*np.array([own, other]).T, color=style.GREY, lw=1.2)
    _crack(axis, slice_.crack)
    axis.plot(*slice_.nodes.T, "o", color=style.INK, ms=3.5)
    axis.plot(*crossing, "s", color=colour, ms=6, zorder=5)
    axis.annotate("", (0, 0.07), (crossing[0], 0.07), arrowprops={"arrowstyle": "<->", "color": colour})
    axis.text(crossing[0] / 2, 0.09, "$d_s$", ha="center", color=colour)
    axis.text(*(crossing + [-0.03, -0.04]), "$x_s$", ha="right", va="top", color=colour)
    axis.text(*(own + [0.04, -0.04]), "$x_i$", va="top")
    axis.text(*(other + [0.04, 0.02]), "$x_j$")
    axis.plot(0, 0, "D", color=style.INK, ms=6)
    axis.text(0.05, -0.03, "front", va="top")
    axis.set(title="(c) construction", aspect="equal", xlim=(-0.8, 0.8), ylim=(-0.8, 0.8))
    axis.grid(False)


def _profiles(axis: Axes, slices: Mapping[str, m.Slice]) -> None:
    for name, slice_ in slices.items():
        row = slice_.row_at(HEIGHT)
        axis.plot(slice_.u, slice_.weight[row], color=COLOURS[name], label=f"ω, {name}")
        axis.plot(slice_.u, slice_.shape[row], color=COLOURS[name], ls="--", label=f"Φ, {name}")
    axis.axvline(0.0, color=style.GREY, lw=0.8)
    axis.set(xlabel="ahead of the front [h]", title=f"at height {HEIGHT:g} h over the crack")
    axis.legend(loc="upper right", fontsize=7)


@titled("Figure 2 — weights and shape functions near a crack")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    slices = {name: m.slice_of(data.one(name=name)) for name in COLOURS if data.select(name=name)}
    if len(slices) < len(COLOURS):
        raise MissingData(f"{m.M.experiment}: no slice of both rules at tier {data.tier}")
    axes = figure.axes(2, 3, 10.6, 6.6)
    images: list[ScalarMappable] = []
    for column, (name, slice_) in enumerate(slices.items()):
        letter = "ab"[column]
        images = [
            _field(axes[0, column], slice_, slice_.weight, f"({letter}) {name}: $\\omega_i$", False),
            _field(axes[1, column], slice_, slice_.shape, f"({letter}) {name}: $\\Phi_i$", True),
        ]
        axes[1, column].set(xlabel="ahead of the front [h]")
    for row, image in enumerate(images):
        figure.page.colorbar(image, ax=axes[row, 1], shrink=0.8)
    _construction(axes[0, 2], slices["transparency"])
    _profiles(axes[1, 2], slices)
    table = figure.table("rule; steepest rise of the weight past the front [1/h]; of the shape function [1/h]")
    for name, slice_ in slices.items():
        row, step = slice_.row_at(HEIGHT), slice_.u[1] - slice_.u[0]
        table.add(
            name, *(float(np.max(np.abs(np.diff(values[row])))) / step for values in (slice_.weight, slice_.shape))
        )
    return (
        "The paper shows: near a horizontal crack in an irregularly sampled plane domain, weight and shape function "
        "of a node jump inside the domain with the visibility criterion (a), and do not with transparency (b); (c) "
        "is the construction. Measured here: ω and Φ of the white node by the method's own weights, at 81 × 81 "
        "points of a plane cloud of 144 nodes, κ = 1; all lengths in supports h. Right below: both functions on a "
        "line on the far side of the crack. Panel (d) of the paper, after resampling, is not drawn: weights alone "
        "do not resample. "
    )
