# SPDX-License-Identifier: BSD-3-Clause
"""Figure 2: an element of a bent bar, rotated back into its unrotated frame: displacements and
forces there, and forces rotated again."""

import numpy as np

from deformbench_analysis.mesh import deformation_gradients
from paper_figures.figure import Drawing, Trace, style, titled
from paper_figures.mueller_gross_2004 import one_element as one
from paper_figures.solids import View, arrow, label, plain, tetrahedron

REST, NOW, FORCE, MOVE, WRONG = style.GREY, "#0072B2", "#D55E00", "#009E73", "#CC79A7"
LONGEST = 0.45  # force arrow / size of the element


def chosen(trace: Trace, row: int) -> int:
    """The element of largest rotation × strain: both must be visible."""
    rotations = trace.values("frame", "rotations")[row].reshape(-1, 3, 3)
    gradients = deformation_gradients(
        trace.scene("rest_positions"), trace.scene("tetrahedra"), trace.values("frame", "positions")[row]
    )
    strain = np.linalg.norm(np.swapaxes(rotations, 1, 2) @ gradients - np.eye(3), axis=(1, 2))
    return int(np.argmax(one.angles(rotations) * strain))


@titled("Figure 2 — forces in the unrotated frame")
def make(figure: Drawing) -> str:
    data = figure.experiment(one.EXPERIMENT)
    trace = data.one(name="elastic")
    row = len(trace.values("frame", "step")) - 1
    element = one.element_at(trace, row, chosen(trace, row))
    local, turned = element.total, element.total @ element.rotation.T
    naive = element.stiffness_times(element.now)  # without R: forces of linear elasticity
    size = float(np.linalg.norm(np.ptp(element.rest, axis=0)))
    scale = LONGEST * size / float(np.linalg.norm(local, axis=1).max())
    view = View.towards((0.25, 0.35, 1.0))
    axes = figure.axes(1, 4, 12.4, 3.2)
    titles = (
        "(a) deformed x, rest x₀",
        "(b) unrotated: R⁻¹x on x₀",
        "(c) forces K(R⁻¹x − x₀)",
        "(d) rotated: R K(R⁻¹x − x₀)",
    )
    for panel, title in zip(axes, titles):
        panel.set_title(title, fontsize=9.5, loc="center")
        plain(panel)
    tetrahedron(axes[0], view, element.rest, REST, dashed=True, fill=0)
    tetrahedron(axes[0], view, element.now, NOW)
    for rest, now in zip(element.rest, element.now):
        arrow(axes[0], view, rest, now, WRONG, width=1.2)
    for panel in (axes[1], axes[2]):
        tetrahedron(panel, view, element.rest, REST, dashed=True, fill=0)
        tetrahedron(panel, view, element.unrotated, NOW)
    for rest, now, force in zip(element.rest, element.unrotated, local):
        arrow(axes[1], view, rest, now, MOVE)
        arrow(axes[2], view, now, now + scale * force, FORCE)
    tetrahedron(axes[3], view, element.now, NOW)
    for now, force in zip(element.now, turned):
        arrow(axes[3], view, now, now + scale * force, FORCE)
    outward = element.now / np.linalg.norm(element.now, axis=1, keepdims=True)
    for k, (corner, away) in enumerate(zip(element.now, outward)):
        dx, dy = view.flat(away)
        label(axes[0], view, corner, str(k), NOW, offset=(7 * np.sign(dx), 5 * np.sign(dy)), size=8.5)
    places = [element.rest, element.now, element.unrotated]
    places += [element.now + scale * turned, element.unrotated + scale * local]
    everything = np.concatenate([view.flat(p) for p in places])
    low, high = everything.min(axis=0) - 0.08 * size, everything.max(axis=0) + 0.08 * size
    for panel in axes:  # same window, so that lengths are comparable
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    bar = 0.05
    x, y = low + np.array([0.02, 0.03]) * size
    axes[0].plot([x, x + bar], [y, y], color=style.INK, lw=2)
    style.note(axes[0], f"{bar * 100:g} cm", (x, y), (0, 4), size=8.5)
    newton = float(f"{0.4 * np.linalg.norm(local, axis=1).max():.1g}")
    for panel in axes[2:]:
        panel.plot([x, x + newton * scale], [y, y], color=FORCE, lw=2)
        style.note(panel, f"{newton:g} N", (x, y), (0, 4), size=8.5, color=FORCE)
    handles = [
        style.key("rest x₀", REST, ls="--"),
        style.key("deformed: x in (a, d), R⁻¹x in (b, c)", NOW),
        style.key("x − x₀: with rotation", WRONG),
        style.key("R⁻¹x − x₀", MOVE),
        style.key("f", FORCE),
    ]
    figure.legend_below(5, handles=handles, fontsize=8.5)
    table = figure.table("corner; state; x [m] .5g; y [m] .5g; z [m] .5g; fx [N] .5g; fy [N] .5g; fz [N] .5g")
    nothing = np.zeros((4, 3))
    for name, points, forces in (
        ("x0", element.rest, nothing),
        ("x", element.now, turned),
        ("R⁻¹x", element.unrotated, local),
        ("x, without R", element.now, naive),
    ):
        for k in range(4):
            table.add(k, name, *map(float, points[k]), *map(float, forces[k]))
    angle = float(np.degrees(one.angles(element.rotation)))
    rest_sum = float(np.linalg.norm(turned.sum(axis=0)) / np.linalg.norm(turned, axis=1).max())
    ratio = float(np.linalg.norm(naive, axis=1).max() / np.linalg.norm(turned, axis=1).max())
    return (
        "The paper shows: a tetrahedron rotated back into an unrotated frame, displacements and linear forces there, "
        f"and the forces rotated again, as a sketch. Measured here: element {element.index} of a bar of "
        f"{trace.tetrahedra} that droops under its weight and is pulled sideways, step "
        f"{int(trace.values('frame', 'step')[row])}, drawn to scale about its centre; it has turned by {angle:.1f}°. "
        "Positions and R are the trace's, the forces are computed from them by the analysis. Their sum is "
        f"{rest_sum:.1e} of the largest; summed over all elements they equal the method's forces to "
        f"{one.force_difference(trace, row):.1e}. Without R the largest force would be {ratio:.1f} times as large. "
        "Forces as in eq. 7, K times displacement; their negatives act on the corners."
    )
