# SPDX-License-Identifier: BSD-3-Clause
"""Figures of [MHHR07] from made-up traces with known content: projections, moving cloth with bodies, tears, plots."""

from pathlib import Path

import numpy as np
import pytest
from block_runs import SKIN
from figure_traces import cell, drawn, turn

from deformbench_analysis.errors import MissingData
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Trace
from paper_figures import cloth_scenes, render
from paper_figures.mueller_et_al_2007 import projection as one

PAPER = "mueller_et_al_2007"
KINDS = {"distance": 0, "bend": 1, "triangle_point": 3}


def corners(kind: str, random: np.random.Generator) -> np.ndarray:
    if kind == "distance":
        return np.array([[0.0, 0, 0], [random.uniform(0.5, 1.5), 0, 0]])
    if kind == "bend":
        fold = random.uniform(0.7, 1.6)
        return np.array(
            [[0, 0, 0], [1, 0, 0], [random.uniform(0, 1), 1, 0], [random.uniform(0, 1), -np.cos(fold), np.sin(fold)]]
        )
    return np.array(
        [
            [0, 0, 0],
            [1, 0, 0],
            [0.4, 1, 0],
            [random.uniform(0.4, 0.5), random.uniform(0.3, 0.4), random.uniform(0.1, 0.4)],
        ]
    )


def gradient(kind: str, x: np.ndarray) -> np.ndarray:
    """By hand, none of it shared with the figures. Bend: [MHHR07] appendix,
    with its sign for an angle that is positive here."""
    if kind == "distance":
        n = (x[0] - x[1]) / np.linalg.norm(x[0] - x[1])
        return np.array([n, -n])
    if kind == "triangle_point":
        a, b, q = x[1] - x[0], x[2] - x[0], x[3] - x[0]
        normal = np.cross(a, b)
        area = np.linalg.norm(normal)
        n = normal / area
        across = q - (q @ n) * n
        first, second = np.cross(b, across) / area, np.cross(across, a) / area
        return np.array([-n - first - second, first, second, n])
    p2, p3, p4 = x[1:] - x[0]
    n1, n2 = np.cross(p2, p3), np.cross(p2, p4)
    l1, l2 = np.linalg.norm(n1), np.linalg.norm(n2)
    n1, n2 = n1 / l1, n2 / l2
    d = n1 @ n2
    q3 = (np.cross(p2, n2) + np.cross(n1, p2) * d) / l1
    q4 = (np.cross(p2, n1) + np.cross(n2, p2) * d) / l2
    q2 = -(np.cross(p3, n2) + np.cross(n1, p3) * d) / l1 - (np.cross(p4, n1) + np.cross(n2, p4) * d) / l2
    # arccos(n1·n2) is π − |φ| of the signed angle
    return (
        np.array([-q2 - q3 - q4, q2, q3, q4])
        / np.sqrt(1 - d * d)
        * (np.sign(one.bend(x)) if one.bend(x) else 1.0)
        * -1.0
    )


def constructions(folder: Path, kind: str, wrong: float = 1.0, samples: int = 40) -> None:
    """One projected step of many constraints; `wrong` multiplies every correction."""
    random = np.random.default_rng(3)
    before, after, masses, vertices, rest = [], [], [], [], []
    for s in range(samples):
        axis = random.normal(size=3)
        x = corners(kind, random) @ turn(axis, random.uniform(0, 3)).T + random.uniform(-1, 1, 3)
        m = 10 ** random.uniform(-0.5, 0.5, len(x))
        value = float(one.quantities(kind, x))
        violation = (0.3 if kind == "bend" else 0.3 * value) * (1 if s % 2 else -1)
        g, w = gradient(kind, x), 1 / m[:, None]
        vertices.append([len(x) * s + k if k < len(x) else -1 for k in range(4)])
        before.append(x)
        after.append(x - wrong * w * g * violation / (w * g**2).sum())
        masses.append(m)
        rest.append(value - violation)
    positions = np.array([np.vstack(before), np.vstack(after)])
    arrays = {
        "rest_positions": positions[0],
        "masses": np.concatenate(masses),
        "constraint_vertices": np.array(vertices),
        "constraint_rest_values": np.array(rest),
        "constraint_kinds": np.full(samples, KINDS[kind]),
        "constraint_stiffness": np.ones(samples),
    }
    frame = {"positions": positions, "velocities": np.zeros_like(positions)}
    scene = {"time_step_s": 0.01}
    cell(folder, f"{PAPER}/constructions pbd pbd", {"kind": kind}, scene, arrays=arrays, frame=frame)


@pytest.mark.parametrize(
    "kind, figure",
    [
        ("distance", "fig_02_distance_projection"),
        ("bend", "fig_04_bending"),
        ("triangle_point", "fig_05_triangle_point"),
    ],
)
def test_the_drawn_projections_are_those_stored(tmp_path: Path, kind: str, figure: str) -> None:
    constructions(tmp_path, kind)
    found = one.projections(Results(tmp_path, "paper", {}), kind)
    assert (
        max(p.deviation for p in found) < 1e-9 and max(p.centre_moved for p in found) < 1e-13
    )  # differences of fourth order, some 1e-12 in C
    entry, rows = drawn(tmp_path, figure, tmp_path / "out")
    by_mass = np.array(
        [[float(r[f"{a} after [m]"]) - float(r[f"{a} before [m]"]) for a in "xyz"] for r in rows]
    ) * np.array([[float(r["mass [kg]"])] for r in rows])
    pairs = by_mass.reshape(-1, 2 if kind == "distance" else 4, 3)
    assert np.abs(pairs.sum(axis=1)).max() < 1e-9 * np.abs(by_mass).max() + 1e-9
    assert "The paper shows" in entry.caption and "Measured here" in entry.caption


def test_a_projection_that_goes_too_far_is_seen(tmp_path: Path) -> None:
    constructions(tmp_path, "distance", wrong=1.1)
    assert max(p.deviation for p in one.projections(Results(tmp_path, "paper", {}), "distance")) == pytest.approx(
        0.1, rel=1e-6
    )


def grid(columns: int, rows: int, edge: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """A sheet in the plane y = 0, normals up."""
    points = np.array([[edge * i, 0.0, edge * j] for j in range(rows) for i in range(columns)])
    quads = [
        (columns * j + i, columns * j + i + 1, columns * (j + 1) + i, columns * (j + 1) + i + 1)
        for j in range(rows - 1)
        for i in range(columns - 1)
    ]
    return points, np.array([t for a, b, c, d in quads for t in ((a, c, b), (b, c, d))])


BOX = (np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.1, SKIN)


def moving(
    folder: Path,
    experiment: str,
    scene: dict[str, object] | None = None,
    parameters: dict[str, object] | None = None,
    frames: int = 6,
    **series: np.ndarray,
) -> Path:
    """Two sheets that sink, a box that moves along x and turns about y, one that stays."""
    points, triangles = grid(6, 5)
    rest = np.vstack([points, points + [0.7, 0, 0]])
    sinking = np.array([rest + [0, 0.5 - 0.05 * k, 0] for k in range(frames)])
    places = np.array([[[0.1 * k, 0.8, 0.2], [0, 0.1, 0]] for k in range(frames)])
    turns = np.array([[turn(np.array([0.0, 1, 0]), 0.3 * k), np.eye(3)] for k in range(frames)])
    arrays = {
        "rest_positions": rest,
        "triangles": np.vstack([triangles, triangles + len(points)]),
        "masses": np.full(len(rest), 0.01),
        "rigid_kinematic": np.array([0, 1]),
        "rigid_masses": np.array([1.0, 0.0]),
    }
    for k in range(2):
        arrays[f"rigid_{k}_positions"], arrays[f"rigid_{k}_triangles"] = BOX
    cell(
        folder,
        f"{experiment} pbd pbd",
        {},
        {"time_step_s": 0.01, **(scene or {})},
        parameters={"iterations": 10, "self_collision": True, "thickness_m": 0.005, **(parameters or {})},
        arrays=arrays,
        frame={"positions": sinking, "rigid_positions": places, "rigid_orientations": turns},
        step={
            "kinetic_energy": np.linspace(1, 1e-9, frames),
            "penetration_depth": np.full(frames, 2e-4),
            "edge_strain_max": np.full(frames, 0.07),
            "self_distance": np.full(frames, 0.0049),
            **series,
        },
    )
    return next((folder / experiment).glob("*.h5"))


def test_a_frame_has_each_piece_and_each_body_where_it_is(tmp_path: Path) -> None:
    shots = cloth_scenes.cloth_shots(Trace(moving(tmp_path, f"{PAPER}/folded_cloth")))
    assert len(shots) == 6 and sorted(np.bincount(shots[0].pieces).tolist()) == [30, 30]
    assert np.allclose(shots[3].solids[0].positions, BOX[0] @ turn(np.array([0.0, 1, 0]), 0.9).T + [0.3, 0.8, 0.2])
    assert [s.is_kinematic for s in shots[3].solids] == [False, True]
    bodies = cloth_scenes.bodies_of(shots[3], 0.0)
    assert len(bodies) == 4
    assert len({b.colour for b in bodies[:2]}) == 2
    assert all(b.back for b in bodies[:2])
    assert not any(b.back for b in bodies[2:])
    assert np.allclose(np.vstack([b.positions for b in bodies[:2]]), shots[3].positions)


def test_a_hollow_body_shows_only_what_looks_at_the_eye(tmp_path: Path) -> None:
    shot = cloth_scenes.cloth_shots(Trace(moving(tmp_path, f"{PAPER}/barrel")))[0]
    box, glass = cloth_scenes.bodies_of(shot, 0.0, cloth_scenes.Look(hollow=lambda k: k == 1))[-2:]
    corners = box.positions[box.triangles]
    assert len(box.triangles) == 2
    assert len(glass.triangles) == 10
    assert glass.transmit > 0.5 > box.transmit
    assert np.allclose(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, :2], 0)


def test_frames_without_the_places_of_bodies_are_refused(tmp_path: Path) -> None:
    import h5py

    path = moving(tmp_path, f"{PAPER}/stripes")
    with h5py.File(path, "a") as file:
        del file["series/frame/rigid_orientations"]
    with pytest.raises(MissingData, match="rigid_orientations"):
        cloth_scenes.cloth_shots(Trace(path))


def test_vertices_that_tearing_adds_keep_the_colour_of_their_piece(tmp_path: Path) -> None:
    import h5py

    path = moving(tmp_path, f"{PAPER}/tearing")
    with h5py.File(path, "a") as file:
        own = file["series/frame/positions"][5]
        group = file.create_group("frames/0")
        group.attrs.update({"step": np.int64(5), "time": 0.05})
        group["positions"] = np.vstack([own, own[45:46]])
        torn = file["scene/triangles"][...]
        torn[-1][torn[-1] == 45] = 60
        group["triangles"], group["parents"] = torn, np.append(np.arange(60), 45)
    last = cloth_scenes.cloth_shots(Trace(path))[-1]
    assert len(last.positions) == 61 and last.pieces[60] == last.pieces[45] == 1


def test_edges_of_a_box_stay_sharp_and_a_fine_sphere_is_smooth() -> None:
    _, normals, triangles = render.creased(*BOX, 35.0)
    assert len(triangles) == 12 and np.allclose(np.abs(normals).max(axis=1), 1.0)
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    points = np.array([[np.cos(a), h, np.sin(a)] for h in (0, 1) for a in angle])
    k = np.arange(40)
    tube = np.vstack(
        [np.column_stack([k, 40 + k, (k + 1) % 40]), np.column_stack([(k + 1) % 40, 40 + k, 40 + (k + 1) % 40])]
    )
    positions, normals, _ = render.creased(points, tube, 35.0)
    assert np.abs(normals - positions * [1, 0, 1]).max() < np.sin(np.pi / 40)


def test_the_moving_figures_are_drawn_with_what_was_put_in(tmp_path: Path) -> None:
    moving(tmp_path, f"{PAPER}/folded_cloth")
    entry, rows = drawn(tmp_path, "fig_06_folded_cloth", tmp_path / "out")
    assert len(rows) == 6 and {float(r["deepest vertex inside a body [mm]"]) for r in rows} == {0.2}
    caption = entry.caption
    parts = ["The paper shows", "Measured here: 60 vertices and 80 triangles, PBD, 10 iterations", "not timed"]
    parts += ["1.0e-09 of its largest", "0.2 mm", "4.9 mm (thickness h = 5 mm)", "7 %"]
    assert [part for part in parts if part not in caption] == []


def test_the_table_of_frame_rates_stands_beside_the_times_of_a_step(tmp_path: Path) -> None:
    from made_up_traces import write_timing

    trace = moving(tmp_path, f"{PAPER}/folded_cloth")
    write_timing(trace, np.full((5, 40), 2e-3), {"sweep": np.full((5, 40), 1e-3), "detect": np.full((5, 40), 1e-3)})
    moving(tmp_path, f"{PAPER}/stripes")
    entry, rows = drawn(tmp_path, "table_frame_rates", tmp_path / "out")
    by = {r["figure"]: r for r in rows}
    assert float(by["Figure 6"]["median step, here [ms]"]) == pytest.approx(2.0)
    assert by["Figure 6"]["vertices, printed"] == "1364"
    assert by["Figure 8"]["median step, here [ms]"] == "" and by["Figure 10"]["vertices, run"] == ""
    assert "simulation alone" in entry.caption and "no verdict" in entry.caption


def test_the_momentum_figure_puts_the_dumbbell_on_its_recursion(tmp_path: Path) -> None:
    from paper_figures.mueller_et_al_2007.sec_3_3_momentum import recursion

    assert recursion(0.05, 100)[[1, 10, 100]] == pytest.approx([0.99875, 0.97705, 0.81711], abs=6e-6)  # erratum B-PBD-5
    for turn_a_step in (0.01, 0.05):
        kept = recursion(turn_a_step, 200)
        for start in (False, True):
            momentum = np.outer(np.ones(201) if start else kept, [0, 0, 3.0])
            parameters = {"gradients_at": "start" if start else "predicted"}
            step = {"angular_momentum": momentum, "linear_momentum": np.outer(np.ones(201), [1.0, 0, 0])}
            run = f"{PAPER}/momentum pbd {'start_gradients' if start else 'pbd'}"
            swept = {"particles": 2, "angular_velocity_rad_s": 100 * turn_a_step}
            cell(tmp_path, run, swept, {"time_step_s": 0.01}, parameters=parameters, step=step)
    entry, rows = drawn(tmp_path, "sec_3_3_momentum", tmp_path / "out")
    caption = entry.caption
    assert "18.3 % after 100 steps at ωΔt = 0.05" in caption
    assert "gradients at the start of the step: |L/L₀ − 1| ≤ 0" in caption
    assert max(abs(float(r["L/L0"]) - float(r["recursion"])) for r in rows if r["recursion"]) < 1e-15


def test_the_mass_weighting_figure_finds_the_overshoot_that_was_put_in(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    rest = np.array([corners("triangle_point", random) for _ in range(30)])
    masses = 10 ** random.uniform(-1, 1, (30, 4))
    values = one.quantities("triangle_point", rest)
    g, w = np.array([(gradient("triangle_point", x) ** 2).sum(axis=1) for x in rest]), 1 / masses
    left = 1 - 4 * (w * g).sum(axis=1) / (w.sum(axis=1) * g.sum(axis=1))
    for weighting, share in (("as_printed", left), ("corrected", 0 * left)):
        after = rest.copy()
        violation = 1e-3
        after[:, 3] += ((share - 1) * violation)[:, None] * one.triangle_normal(
            rest
        )  # all of it by the vertex: only C counts here
        cell(
            tmp_path,
            f"{PAPER}/mass_weighting pbd {weighting}",
            {"kind": "triangle_point"},
            {"violation": violation},
            parameters={"mass_weighting": weighting},
            arrays={
                "rest_positions": rest.reshape(-1, 3),
                "masses": masses.ravel(),
                "constraint_kinds": np.full(30, 3),
                "constraint_vertices": np.arange(120).reshape(30, 4),
                "constraint_rest_values": values - violation,
                "constraint_stiffness": np.ones(30),
            },
            frame={"positions": np.array([rest.reshape(-1, 3), after.reshape(-1, 3)])},
        )
    entry, rows = drawn(tmp_path, "sec_3_3_mass_weighting", tmp_path / "out")
    printed = next(r for r in rows if r["weighting"] == "as printed")
    assert float(printed["least C/C0"]) == pytest.approx(left.min(), abs=1e-9)
    assert float(printed["largest difference from 1 − β"]) < 1e-9
    assert float(printed["share with |C/C0| > 1"]) == pytest.approx((np.abs(left) > 1).mean())


def test_the_stiffness_figure_stands_on_its_closed_forms(tmp_path: Path) -> None:
    k = np.linspace(0.05, 0.95, 10)
    pairs = np.array([[[0.0, 2 * i, 0], [1.1, 2 * i, 0]] for i in range(10)]).reshape(-1, 3)
    arrays = {
        "rest_positions": pairs,
        "masses": np.ones(20),
        "constraint_kinds": np.zeros(10, dtype=int),
        "constraint_vertices": np.array([[2 * i, 2 * i + 1, -1, -1] for i in range(10)]),
        "constraint_rest_values": np.ones(10),
        "constraint_stiffness": k,
        "constraint_compliance": np.zeros(10),
    }
    for n in (1, 4):
        after = pairs.copy()
        after[1::2, 0] = 1 + 0.1 * (1 - k)
        parameters = {"stiffness_law": "per_step"}
        frame = {"positions": np.array([pairs, after])}
        run = f"{PAPER}/single_constraint_stiffness pbd per_step"
        swept = {"method.parameters.iterations": n}
        cell(tmp_path, run, swept, {"time_step_s": 0.01}, parameters=parameters, arrays=arrays, frame=frame)
        for dt in (0.01, 0.02):
            low = np.array([[[0.0, 0, 0], [0, -1.0, 0]], [[0, 0, 0], [0, -1 - 9.81 * dt**2, 0]]])
            cell(
                tmp_path,
                f"{PAPER}/stiffness_time_step_iterations pbd per_step",
                {"method.parameters.iterations": n, "time_step_s": dt},
                {"gravity_m_s2": [0, -9.81, 0]},
                parameters={"stiffness_law": "per_step"},
                arrays={
                    "rest_positions": low[0],
                    "masses": np.ones(2),
                    "constraint_kinds": np.zeros(1, dtype=int),
                    "constraint_vertices": np.array([[0, 1, -1, -1]]),
                    "constraint_rest_values": np.ones(1),
                    "constraint_stiffness": np.array([0.5]),
                    "constraint_compliance": np.zeros(1),
                },
                frame={"positions": low},
            )
    _, rows = drawn(tmp_path, "sec_3_3_stiffness", tmp_path / "out")
    singles = [r for r in rows if r["what"] == "one constraint"]
    assert len(singles) == 20 and max(abs(float(r["error left"]) - float(r["closed form"])) for r in singles) < 1e-12
    hanging = [r for r in rows if r["what"] == "one mass"]
    assert len(hanging) == 4
    assert all(float(r["extension [m]"]) == pytest.approx(float(r["closed form"])) for r in hanging)


def test_a_bag_that_flew_apart_is_named_in_its_place(tmp_path: Path) -> None:
    points, triangles = grid(5, 5)
    for stretch, size in ((1.0, 1.0), (0.01, 1e6)):
        cell(
            tmp_path,
            f"{PAPER}/cloth_bag pbd pbd",
            {"method.parameters.stretch_stiffness": stretch, "method.parameters.bend_stiffness": 1.0},
            {"time_step_s": 0.002},
            parameters={"iterations": 10},
            arrays={"rest_positions": points, "triangles": triangles},
            frame={"positions": np.array([points, size * points])},
            step={"edge_strain_rms": np.array([0.0, size - 1])},
        )
    entry, rows = drawn(tmp_path, "fig_03_cloth_bag", tmp_path / "out")
    assert {float(r["k_stretch"]): float(r["rms edge strain"]) for r in rows} == {1.0: 0.0, 0.01: 1e6 - 1}
    assert not (tmp_path / "out" / PAPER / "fig_03_cloth_bag_02_frame0.png").exists()
    assert (tmp_path / "out" / PAPER / "fig_03_cloth_bag_00_frame0.png").exists()


def write_chain(folder: Path, name: str, links: int, first_mass_factor: float = 1.0) -> None:
    """A free chain's slowest mode in 200 sweeps; the first Jacobi sweep moves two particles,
    any other all of them."""
    rest = np.array([[0.0, -k, 0] for k in range(links + 1)])
    mode = np.cos(
        np.pi * (np.arange(links + 1) + 0.5) / (links + 1)
    )  # its differences are the slowest mode of a free chain
    factor = np.cos(np.pi / (links + 1)) ** (1 if name == "jacobi" else 2)
    moved = 0.1 * mode[None] * (factor ** np.arange(200))[:, None]
    moved[0] = 0
    moved[0, 0] = 0.1
    if name == "jacobi":
        moved[1, 2:] = 0
    positions = np.repeat(rest[None], 200, axis=0)
    positions[:, :, 1] += moved
    swept = {"links": links, "first_mass_factor": first_mass_factor, "listed": "in_turn"}
    arrays = {"rest_positions": rest}
    cell(folder, f"{PAPER}/order_dependence pbd {name}", swept, {}, arrays=arrays, frame={"positions": positions})


def test_the_order_figure_reads_rates_and_reach_of_a_sweep(tmp_path: Path) -> None:
    for name in ("forward", "jacobi"):
        write_chain(tmp_path, name, 9)  # an odd number: no particle rests in the middle of the mode
    entry, _ = drawn(tmp_path, "sec_3_2_order", tmp_path / "out")
    caption = entry.caption
    assert "9 (forward), 1 (Jacobi) of the 9 other particles" in caption
    assert (
        float(caption.split("measured within ")[1].split(" of that")[0]) < 1e-6
    )  # rounding of positions of size 1 under errors of 1e-10, over 20 sweeps


def test_the_order_figure_shows_free_chains_where_the_longest_one_is_held(tmp_path: Path) -> None:
    for name in ("forward", "jacobi"):
        write_chain(tmp_path, name, 9)
    write_chain(tmp_path, "forward", 19, first_mass_factor=1e9)
    entry, _ = drawn(tmp_path, "sec_3_2_order", tmp_path / "out")
    assert "9 (forward), 1 (Jacobi) of the 9 other particles" in entry.caption


def test_a_cloth_that_leaves_rest_is_counted_as_unstable(tmp_path: Path) -> None:
    for name, growth in (("forward", 1.2), ("symmetric", 0.99)):
        swept = {"method.parameters.bend_stiffness": 1.0, "method.parameters.iterations": 1}
        step = {"max_displacement": 1e-9 * growth ** np.arange(120.0)}
        arrays = {"rest_positions": np.zeros((25, 3))}
        cell(tmp_path, f"{PAPER}/rest_stability pbd {name}", swept, {}, arrays=arrays, step=step)
    entry, rows = drawn(tmp_path, "sec_3_2_rest_stability", tmp_path / "out")
    assert {r["order"]: r["unstable"] for r in rows} == {"forward": "True", "forward then backward": "False"}
    assert "1 of 1 (forward); 0 of 1 (forward then backward)" in entry.caption
