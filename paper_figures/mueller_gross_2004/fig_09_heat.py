# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9, left: a hot ball passes the dragon; what it has touched flows, the rest stays elastic."""

import numpy as np

from experiments.mueller_gross_2004.measurements import dragon as m
from paper_figures.figure import Array, Drawing, MissingData, Trace, style, titled
from paper_figures.key_frames import PALETTE, Shot, holding_elements, draw_row, plastic_norms, shots, stand_in
from paper_figures.key_frames import strain_bar, view_of
from paper_figures.render import evenly, Ball, Body

TURN_DEG, ELEVATION_DEG = -42.0, 14.0
SIZE = 480, 400
BALL_COLOUR = "#ff5a1f"
NEAR = 3.0  # radii from the surface within which the ball is drawn


def _vector(trace: Trace, name: str) -> Array:
    return np.array([float(v) for v in trace.value(f"scene.parameters.{name}")])


def ball_at(trace: Trace, time: float) -> Ball:
    """The hot ball at a time: from one end of its path to the other, at rest before and after."""
    start, travel = (trace.number(n) for n in ("heat_start_s", "heat_travel_s"))
    part = float(np.clip((time - start) / travel, 0, 1)) if travel > 0 else float(time >= start)
    first, last = _vector(trace, "heat_from_m"), _vector(trace, "heat_to_m")
    return Ball(first + part * (last - first), trace.number("heat_radius_m"), BALL_COLOUR)


def near_ball(trace: Trace, shot: Shot) -> list[Ball]:
    """The ball, unless it is far from the surface: the camera need not follow it."""
    ball = ball_at(trace, shot.time)
    distance = float(np.linalg.norm(shot.positions - ball.centre, axis=1).min())
    return [ball] if distance <= NEAR * ball.radius else []


def telling(found: list[Shot]) -> list[Shot]:
    """First frame, that with the most newly hot elements, the last, and one between these two."""
    hot = [int((np.asarray(s.fields["heated_elements"]).astype(float) > 0).sum()) for s in found]
    if max(hot) == 0:
        return evenly(found)
    gained = int(np.argmax(np.diff(hot))) + 1
    return [found[i] for i in sorted({0, gained, (gained + len(found) - 1) // 2, len(found) - 1})]


def held_end(trace: Trace) -> str:
    """What the scene holds, in words."""
    along = {"x": ("at its hind part", "at its head"), "y": ("by its feet", "from above")}.get(
        str(trace.value("scene.parameters.axis", "x")), ("at one side", "at the other side")
    )
    return {"low": along[0], "high": along[1], "both": "at both ends"}.get(
        str(trace.value("scene.parameters.ends", "none")), "nowhere"
    )


@titled("Figure 9, left — a heat source")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.HEAT.experiment)
    cell = data.one(name="printed")
    found = shots(cell)
    chosen = telling(found)
    largest = max(float(plastic_norms(s).max()) for s in found)
    scale = max(largest, 1e-12)
    held = holding_elements(cell)
    seen = [b for s in found for b in near_ball(cell, s)]
    ends = np.array(
        [b.centre + sign * b.radius * axis for b in seen for sign in (-1, 1) for axis in np.eye(3)]
    ).reshape(-1, 3)
    floor = float(found[0].positions[:, 1].min()) if cell.value("scene.parameters.ground", False) else None
    view = view_of(found, TURN_DEG, ELEVATION_DEG, floor, ends)

    def body(shot: Shot) -> Body:
        return Body(shot.positions, shot.triangles, style.GREY, plastic_norms(shot)[held] / scale, PALETTE)

    ever = np.zeros(int(cell.tetrahedra or 0), dtype=bool)
    table = figure.table(
        "time [s]; hot elements; elements heated so far; largest plastic strain, heated .5g; largest plastic "
        "strain, never heated .5g; height of the mesh [m] .5g"
    )
    heated_now: dict[int, int] = {}
    for shot in found:
        hot = np.asarray(shot.fields["heated_elements"]).astype(float) > 0
        ever |= hot
        norms = plastic_norms(shot)
        heated_now[shot.step] = int(ever.sum())
        numbers = (norms[~ever].max(initial=0.0), np.ptp(shot.fields["positions"][:, 1]))
        table.add(shot.time, int(hot.sum()), int(ever.sum()), norms[ever].max(initial=0.0), *numbers)
    titles = [f"t = {s.time:.3g} s, {heated_now[s.step]} elements heated" for s in chosen]
    camera = (view, TURN_DEG, *SIZE)
    program = draw_row(figure, cell, found, chosen, titles, camera, body, 2.45, lambda s: near_ball(cell, s))
    strain_bar(figure.page, figure.page.axes, scale, "plastic strain (Frobenius norm)")
    radius = cell.number("heat_radius_m")
    try:
        control = (
            "with the hot material's yield and creep everywhere these reach "
            f"{m.control_plastic_strain_cold(data).value:.2f}"
        )
    except MissingData:
        control = "the control that flows everywhere was not run"
    return (
        "The paper shows: a heat source that changes the material of a dragon locally. Its model and the source are "
        f"not described. Measured here: {stand_in(cell)}, {float(cell.value('scene.parameters.length_m', 1.0)):g} m "
        f"long, held {held_end(cell)}, under gravity; a ball of radius {radius:g} m passes, drawn while it is near, "
        "and an element that it touches gets "
        f"{float(cell.value('scene.parameters.heat_stiffness_factor')):g} of its stiffness, the yield "
        f"{float(cell.value('scene.parameters.heat_plastic_yield')):g} and the creep "
        f"{float(cell.value('scene.parameters.heat_plastic_creep_per_s')):g}/s; drawn by {program}, coloured by the "
        f"plastic strain of the element below. {100 * m.heated_share(data).value:.0f} % of the elements were heated; "
        f"their largest plastic strain at the end is {m.plastic_strain_hot(data).value:.2f}, that of all others, "
        f"which yield at {m.cold_yield(data).value:g} (Table 1), {m.plastic_strain_cold(data).value:.2g}; {control}."
    )
