# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 as a picture: the same posed animal with linear and with warped stiffness, volume ratios printed."""

import matplotlib.pyplot as plt
import numpy as np

from experiments.mueller_gross_2004.measurements import rotation_artefact_animal as m
from deformbench_analysis.mesh import volumes
from paper_figures.figure import Drawing, Trace, style, titled
from paper_figures.render import Body, render, side_by_side

TURN_DEG = 150.0  # the head turns towards the eye
WIDTH, HEIGHT = 1500, 560


def body_volume_ratio(trace: Trace) -> float:
    """V/V0 of the whole tetrahedral mesh in the last frame."""
    now, rest = trace.values("frame", "positions")[-1], trace.scene("rest_positions")
    return float(np.divide(*(volumes(x, trace.scene("tetrahedra")).sum() for x in (now, rest))))


def _surface(trace: Trace, colour: str) -> Body:
    return Body(trace.values("frame", "skin_positions")[-1], trace.scene("skin_triangles"), colour)


def _turned(trace: Trace, angle: float) -> str:
    """The rotated part of the scene, in words; if only the joint is rotated,
    the head beyond it deforms freely."""
    what = str(trace.value("scene.parameters.turned", "collar"))
    if what == "collar":
        return f"only the collar, where head and neck meet, is turned by {angle:g}°, and the head beyond it is free"
    return f"the whole head is turned by {angle:g}°" if what == "head" else "nothing is turned"


@titled("Figure 1 — the posed animal, linear beside warped")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.M.experiment)
    linear = data.some(method="linear_fem")
    pose = max(linear, key=lambda c: abs(float(c.value("scene.parameters.angle_deg", 0.0))))
    angle = pose.value("scene.parameters.angle_deg")
    same_pose = {k: v for k, v in pose.coordinates.items() if k.startswith("scene.")}
    warped = data.one(method="warped_fem", where=same_pose)
    picture = figure.part("render.png")
    bodies = [
        Body(pose.scene("skin_rest_positions"), pose.scene("skin_triangles"), "#9a9a9a"),
        _surface(pose, style.METHODS["linear"].colour),
        _surface(warped, style.METHODS["warped"].colour),
    ]
    placed = side_by_side(bodies, TURN_DEG)
    program = render(placed, picture, width=WIDTH, height=HEIGHT)
    table = figure.table("row; model; tetrahedra; triangles; angle [deg]; V/V0 of the head .6g; V/V0 of the body .6g")
    for cell in data.select():
        own, turned = cell.value("scene.parameters.model"), float(cell.value("scene.parameters.angle_deg", 0.0))
        triangles = int((cell.scene_shape("skin_triangles") or (0,))[0])
        numbers = (cell.tetrahedra, triangles, turned, m.head_volume_ratio(cell), body_volume_ratio(cell))
        table.add(cell.method_name, str(own), *numbers)
    ratios = {"at rest": 1.0, "linear FEM": m.head_volume_ratio(pose), "warped FEM": m.head_volume_ratio(warped)}
    axes = figure.axes(width=9.6, height=9.6 * HEIGHT / WIDTH + 0.35)
    axes.imshow(plt.imread(picture))
    axes.axis("off")
    left, right = min(b.positions[:, 0].min() for b in placed), max(b.positions[:, 0].max() for b in placed)
    for body, (name, ratio) in zip(placed, ratios.items()):
        middle = (body.positions[:, 0].min() + body.positions[:, 0].max()) / 2
        where = 0.5 + 0.9 * float(
            (middle - (left + right) / 2) / (right - left)
        )  # the row fills nine tenths of the picture
        text = f"{name}: head V/V₀ = {ratio:.3f}"
        axes.text(where, 1.0, text, transform=axes.transAxes, ha="center", va="bottom", fontsize=10, weight="bold")
    model = str(pose.value("scene.parameters.model"))
    source = "a generated stand-in" if model in ("snake", "quadruped", "dragon") else "a model file named by the user"
    return (
        "The paper shows: an animal in a pose with a large rotation, its head inflated by linear stiffness beside "
        f"the same pose with warped stiffness. Its model is not public. Measured here: {model}, {source}, "
        f"{int((pose.scene_shape('skin_triangles') or (0,))[0]):,} triangles on {pose.tetrahedra:,} tetrahedra, "
        f"static; the trunk is held, {_turned(pose, float(angle))}; drawn by {program}. V/V₀ of the head: linear "
        f"{ratios['linear FEM']:.4f}, warped {ratios['warped FEM']:.6f}; of the whole body, held parts included: "
        f"linear {body_volume_ratio(pose):.4f}, warped {body_volume_ratio(warped):.4f}."
    )
