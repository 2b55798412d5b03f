# SPDX-License-Identifier: BSD-3-Clause
"""Figures 1 and 10 to 12: the scenes rendered from surfels, at a few times and as loops."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from experiments.pauly_et_al_2005.measurements import bursting_shell, controlled_fracture, plastic_gum, twisted_bar
from experiments.pauly_et_al_2005.measurements.clouds import seeds
from paper_figures.figure import Drawing, MissingData, Results, Trace, titled
from paper_figures.key_frames import set_row
from paper_figures.render import evenly
from paper_figures.surfel_scenes import Look, Shot, loop, render_shots, shots, within

WIDTH, HEIGHT = 480, 320
BUMP = 0.3  # of the surfels' radius


@dataclass(frozen=True)
class Scene:
    """One of the paper's scenes: which run shows it."""

    number: str
    title: str
    experiment: str
    is_shown: Callable[[Trace], bool]
    look: Look = field(default_factory=Look)


SCENES = (
    Scene("1", "a shell bursts", bursting_shell.M.experiment, bursting_shell.bursts),
    Scene(
        "10",
        "gum",
        plastic_gum.M.experiment,
        lambda t: t.method_name == "plastic",
        Look(skin="#e58fa6", face="#7a2c44", turn_deg=20),
    ),
    Scene("11", "a bar is twisted", twisted_bar.M.experiment, lambda t: t.method_name == "free"),
    Scene("12", "guided cracks", controlled_fracture.M.experiment, lambda t: t.method_name == "all"),
)


def shown(results: Results, scene: Scene) -> tuple[Trace, list[Shot]] | None:
    """The first run that shows a scene with surfels, and its states; None where there is none at this tier."""
    try:
        cells = results.experiment(scene.experiment).every()
    except MissingData:
        return None
    for cell in cells:
        if scene.is_shown(cell):
            found = shots(cell, seeds(cell)[0])
            if len(found) > 1:
                return cell, found
    return None


@titled("Figures 1 and 10 to 12 — the scenes, rendered")
def make(figure: Drawing) -> str:
    rows = [(scene, *run) for scene in SCENES if (run := shown(figure.results, scene)) is not None]
    if not rows:
        raise MissingData("no run of a scene with surfels")
    count = 2 if rows[0][1].tier == "smoke" else 4
    axes = figure.axes(len(rows), count, 2.6 * count, 2.0 * len(rows))
    table = figure.table("scene; time [s]; surfels of the skin; of crack faces")
    loops: list[str] = []
    program = ""
    for row, (scene, trace, found) in zip(np.atleast_2d(axes), rows):
        look = Look(scene.look.skin, scene.look.face, BUMP * trace.setting("surfel_radius_m"), scene.look.turn_deg)
        own = figure.part(f"{scene.number}")
        view = within(found, look)
        chosen = evenly(found, count)
        pictures, program = render_shots(chosen, own, view, look, WIDTH, HEIGHT)
        set_row(list(row), pictures, [f"Figure {scene.number}: {scene.title}, {s.time:.3g} s" for s in chosen])
        for shot in chosen:
            skin = shot.splats.is_skin
            table.add(f"Figure {scene.number}", shot.time, int(skin.sum()), int((~skin).sum()))
        loops += loop(trace, found, own, view, look)
    drawn = {scene.number for scene, _, _ in rows}
    without = [scene.number for scene in SCENES if scene.number not in drawn]
    left_out = f"Not drawn, as no run of this tier stores surfels: Figure {', '.join(without)}. " if without else ""
    figure.experiment(rows[0][0].experiment)
    figure.below = loops
    return (
        "The paper shows rendered scenes: a hollow sculpture that bursts, bubble gum, a twisted bar, and a body with "
        f"guided cracks. Drawn here by {program} from the stored surfels of computed runs, each splat "
        "clipped where it reaches through another sheet; faces of cracks are darker, with bumps that are a texture "
        f"of the renderer. Models, materials and counts are ours. {left_out}"
    )
