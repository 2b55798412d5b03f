# SPDX-License-Identifier: BSD-3-Clause
"""Figure 8, right: a cow of warm wax melts on the ground; flow by the printed rule above, by the deviator below."""

import numpy as np

from deformbench_analysis import extremes
from experiments.mueller_gross_2004.measurements import snake_and_cow as m
from paper_figures.figure import Drawing, MissingData, Trace, style, titled
from paper_figures.key_frames import PALETTE, Shot, holding_elements, loop, plastic_norms, render_shots, row_at
from paper_figures.key_frames import set_row, shots, strain_bar, view_of
from paper_figures.render import evenly, Body

TURN_DEG, ELEVATION_DEG = 25.0, 14.0
WIDTH, HEIGHT = 460, 340
ROWS = {"printed": "rule as printed", "corrected": "rule by the deviator"}
STRAIN_SHOWN = 1.0  # Frobenius norm, end of the colour bar


def _volume_ratio(trace: Trace, shot: Shot) -> float:
    volume = trace.series("step", "volume")
    return float(volume.values[row_at(volume, shot.step)] / volume.values[0])


def _ground(trace: Trace) -> float:
    return float(trace.scene("rest_positions")[:, 1].min()) - float(
        trace.value("scene.parameters.ground_distance_m", 0.0)
    )


@titled("Figure 8, right — a cow of warm wax under its weight")
def make(figure: Drawing) -> str:
    data = figure.experiment(m.COW.experiment)
    cells = {name: data.select(name=name)[0] for name in ROWS if data.select(name=name)}
    if not cells:
        raise MissingData(f"{m.COW.experiment} at tier {data.tier}: no cell that completed")
    everything = {name: shots(cell) for name, cell in cells.items()}
    first = next(iter(cells.values()))
    view = view_of([s for found in everything.values() for s in found], TURN_DEG, ELEVATION_DEG, _ground(first))
    held = holding_elements(first)

    def body(shot: Shot) -> Body:
        return Body(shot.positions, shot.triangles, style.GREY, plastic_norms(shot)[held] / STRAIN_SHOWN, PALETTE)

    table = figure.table(
        "row; time [s]; height of the mesh [m] .5g; V/V0 .6g; largest plastic strain .5g; mean plastic strain .5g; "
        "least det F; inverted elements [%]"
    )
    axes = figure.axes(len(cells), 4, 9.6, 0.3 + 1.85 * len(cells))
    program = ""
    loops: list[str] = []
    for row, (name, cell) in zip(np.atleast_2d(axes), cells.items()):
        chosen = evenly(everything[name])
        own = figure.part(name)
        pictures, program = render_shots(chosen, own, body, view, TURN_DEG, WIDTH, HEIGHT)
        set_row(row, pictures, [f"t = {s.time:.3g} s, V/V₀ = {_volume_ratio(cell, s):.2f}" for s in chosen])
        row[0].text(
            -0.04, 0.5, ROWS[name], rotation=90, ha="right", va="center", transform=row[0].transAxes, fontsize=9
        )
        loops += loop(cell, everything[name], own, body, view, TURN_DEG)
        least = cell.series("step", "min_det_f")
        mean = cell.series("step", "plastic_strain_mean")
        inverted = m.melt_of(cell).inverted
        for k, shot in enumerate(everything[name]):
            at = row_at(least, shot.step)
            numbers = (plastic_norms(shot).max(), mean.values[at], least.values[at], 100 * float(inverted[k]))
            table.add(name, shot.time, np.ptp(shot.fields["positions"][:, 1]), _volume_ratio(cell, shot), *numbers)
    strain_bar(figure.page, axes, STRAIN_SHOWN, "plastic strain (Frobenius norm)")
    last = {name: everything[name][-1] for name in cells}
    sentences = []
    for name, cell in cells.items():
        height = [float(np.ptp(s.fields["positions"][:, 1])) for s in (everything[name][0], last[name])]
        sentences.append(
            f"{ROWS[name]}: after {last[name].time:.3g} s the height is {height[1] / height[0]:.2f} and the volume "
            f"{_volume_ratio(cell, last[name]):.2f} of the start, the least det F of the run "
            f"{float(cell.values('step', 'min_det_f').min()):.2g}"
        )
    said = {name: extremes.largest(m.sound_height_loss(cell)) for name, cell in cells.items()}
    sound = (
        f"While V/V₀ > {m.LEAST_VOLUME:g} and at most {100 * m.MOST_INVERTED:g} % of the elements are inverted, the "
        "height falls by "
        + ", ".join(f"{100 * v.value:.0f} % ({ROWS[name]}; {v.note})" for name, v in said.items())
        + (
            "."
            if max(v.value for v in said.values()) > 0.3
            else ": the body is crushed before it has lost a third of its height."
        )
    )
    size = float(first.value("scene.parameters.length_m", 1.0))
    figure.below = loops
    return (
        "The paper shows: a cow of warm wax that melts under gravity (E = 50 kPa, yield 0.01, creep 100/s, cap 10). "
        f"Its model is not public. Measured here: a generated quadruped, {100 * size:g} cm long (the paper gives no "
        f"size), {int((first.scene_shape('skin_triangles') or (0,))[0]):,} triangles on {first.tetrahedra:,} "
        f"tetrahedra, its feet stuck to the ground; drawn by {program}; coloured by the plastic strain of the "
        f"element below. {'; '.join(sentences)}. The printed rule takes the whole strain, so that a weight on an "
        "element also compresses it permanently; with the deviator the trace of the plastic strain stays zero, "
        f"which keeps the volume while strains are small. {sound} Self-collision is not handled."
    )
