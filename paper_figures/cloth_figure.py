# SPDX-License-Identifier: BSD-3-Clause
"""What the figures of moving cloth share: a run's worst values as text, its channels at the frames, rows of
pictures."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from deformbench_analysis.tables import Column, Table
from paper_figures.cloth_scenes import ClothShot, Look, channel_at, cloth_shots, loop, recorded, render_shots
from paper_figures.figure import Array, Drawing, ExperimentData, MissingData, Trace, style
from paper_figures.key_frames import set_row
from paper_figures.render import View

# channel, heading, unit shown, factor to it
CHANNELS = (
    ("kinetic_energy", "kinetic energy", "J", 1.0),
    ("edge_strain_rms", "rms edge strain", "%", 100.0),
    ("edge_strain_max", "largest edge strain", "%", 100.0),
    ("bend_angle_error_rms", "rms error of the angles", "rad", 1.0),
    ("penetration_depth", "deepest vertex inside a body", "mm", 1e3),
    ("penetrating_vertices", "vertices inside a body", "1", 1.0),
    ("self_distance", "least vertex–triangle distance", "mm", 1e3),
    ("self_intersections", "intersecting triangle pairs", "1", 1.0),
    ("body_contacts", "contacts with bodies", "1", 1.0),
    ("self_contacts", "self-contacts", "1", 1.0),
    ("corner_contacts", "contacts of corners", "1", 1.0),
    ("closed_volume", "volume", "l", 1e3),
    ("component_count", "pieces", "1", 1.0),
    ("torn_vertices", "vertices split so far", "1", 1.0),
    ("boundary_length", "boundary length", "m", 1.0),
    ("non_manifold_edges", "non-manifold edges", "1", 1.0),
)


def extreme(trace: Trace, channel: str, pick: Callable[[Array], float] = np.nanmax) -> float | None:
    """Extreme over rows and members; None if not recorded."""
    series = recorded(trace, channel)
    if series is None:
        return None
    values = np.asarray(series.values, dtype=float)
    return float(pick(values)) if np.isfinite(values).any() else None


def at_end(trace: Trace, channel: str) -> float | None:
    """Last value (of the first member)."""
    series = recorded(trace, channel)
    return None if series is None else float(np.asarray(series.members()[0].values, dtype=float)[-1])


def size_of(trace: Trace) -> str:
    """ "1,364 vertices and 2,562 triangles"."""
    vertices, triangles = trace.scene_shape("rest_positions"), trace.scene_shape("triangles")
    return f"{int((vertices or (0,))[0]):,} vertices and {int((triangles or (0,))[0]):,} triangles"


def _length(metres: float) -> str:
    return "0" if metres == 0 else f"{1e3 * metres:.3g} mm"


def worst(trace: Trace) -> str:
    """Worst penetration, distance and strain of the run as a sentence; "" if none is recorded."""
    parts = []
    depth = extreme(trace, "penetration_depth")
    if depth is not None:
        parts.append(f"the deepest vertex inside a body {_length(depth)}")
    distance = extreme(trace, "self_distance", np.nanmin)
    if distance is not None and bool(trace.value("method.parameters.self_collision", False)):
        parts.append(
            f"the least vertex–triangle self-distance {_length(distance)} (thickness h = "
            f"{_length(float(trace.value('method.parameters.thickness_m', 0.0)))})"
        )
    crossing = extreme(trace, "self_intersections")
    if crossing is not None:
        parts.append(
            f"at most {crossing:.0f} intersecting triangle pairs, at the end "
            f"{at_end(trace, 'self_intersections'):.0f}"
        )
    strain = extreme(trace, "edge_strain_max")
    if strain is not None:
        parts.append(f"the largest edge strain {100 * strain:.3g} %")
    return f"Worst of the run: {'; '.join(parts)}. " if parts else ""


def solver_of(trace: Trace) -> str:
    """Method, iterations and time step as run."""
    p = trace.value("method.parameters", {})
    name = style.method_style(trace).label
    substeps = int(p.get("substeps", 1))
    more = f" in {substeps} substeps" if substeps > 1 else ""
    return (
        f"{name}, {p.get('iterations', '?')} iterations, Δt = "
        f"{1e3 * float(trace.value('scene.parameters.time_step_s')):.3g} ms{more}"
    )


def timed(trace: Trace) -> str:
    """Median time per step, or "not timed"."""
    return f"{trace.timing.median_ms:.3g} ms per step (simulation only)" if trace.timing else "not timed"


def frame_table(trace: Trace, shots: Sequence[ClothShot], row: str = "") -> Table:
    """Time and every channel of CHANNELS that is recorded, at each frame. `row` fills the first column."""
    names = [c for c in CHANNELS if recorded(trace, c[0]) is not None]
    table = Table(
        [Column("row"), Column("time", "s", ".5g"), *(Column(heading, unit) for _, heading, unit, _ in names)]
    )
    for shot in shots:
        values = [channel_at(trace, name, shot.step) for name, *_ in names]
        table.add(
            row or trace.method_name,
            shot.time,
            *(
                None if v is None else float(np.asarray(v, dtype=float).ravel()[0]) * factor
                for v, (*_, factor) in zip(values, names)
            ),
        )
    return table


def draw_strip(
    figure: Drawing,
    cells: Sequence[Trace],
    chosen: Sequence[ClothShot],
    titles: Sequence[str],
    view: View,
    turn_deg: float,
    size: tuple[int, int],
    look: Look = Look(),
    inches: float = 9.6,
    closer: Mapping[int, View] = {},
) -> str:
    """Draws `chosen` frames of the first cell in a row, `size` pixels each, those in `closer` with their own camera,
    its loop below; the table lists all stored frames of all cells. Returns the renderer's name."""
    width, height = size
    axes = figure.axes(1, len(chosen), inches, 0.95 * inches / len(chosen) * height / width + 0.28)
    views = [closer.get(i, view) for i in range(len(chosen))]
    pictures, program = render_shots(chosen, figure.stem, views, turn_deg, width, height, look)
    set_row(np.atleast_1d(axes), pictures, titles)
    figure.below = loop(cells[0], cloth_shots(cells[0]), figure.stem, view, turn_deg, look)
    figure.numbers = joined([frame_table(c, cloth_shots(c)) for c in cells])
    return program


def joined(tables: Sequence[Table]) -> Table:
    """Concatenated tables of several cells; missing columns stay empty."""
    headings = list(dict.fromkeys(c.heading for t in tables for c in t.columns))
    columns = {c.heading: c for t in tables for c in t.columns}
    whole = Table([columns[h] for h in headings])
    for table in tables:
        own = [c.heading for c in table.columns]
        for row in table.rows:
            values = dict(zip(own, row))
            whole.add(*(values.get(h) for h in headings))
    return whole


def drawable(data: ExperimentData, **criteria: object) -> list[Trace]:
    """Cells with frames, completed or not; MissingData when there is none."""
    found = [c for c in data.select(status=None, **criteria) if c.has_frames]  # type: ignore[arg-type]
    if not found:
        raise MissingData(f"{data.id} at tier {data.tier}: no cell with frames among {len(data.cells)}")
    return found
