# SPDX-License-Identifier: BSD-3-Clause
"""Lattices in known pieces, strained by known amounts, and events with known ancestry."""

from pathlib import Path

import numpy as np
import pytest
from front_traces import circle, front_arrays, write_fronts
from measured import number, value_of
from node_traces import grid

from experiments.pauly_et_al_2005.measurements.crack_fronts import CROSSING

AXIS = np.arange(4) * 0.2
REST = grid(AXIS, AXIS, AXIS) - 0.3


def solid(positions: np.ndarray, cracked: bool, cut: bool, plastic: float | None = None) -> dict[str, np.ndarray]:
    """A state; where it is cut no pair goes across x = 0. Plastic strain (a, −a/2, −a/2)."""
    i, j = np.nonzero(np.linalg.norm(REST[:, None] - REST[None], axis=2) < 0.44)
    keep = i != j
    pairs = np.stack([i[keep], j[keep]], axis=1)
    weights = np.ones(len(pairs))
    if cut:
        weights[REST[pairs[:, 0], 0] * REST[pairs[:, 1], 0] < 0] = 0.0
    arrays = {
        "positions": positions,
        "node_rest_positions": REST,
        "node_supports": np.full(len(REST), 0.44),
        "pairs": pairs,
        "pair_weights": weights,
        "crack_triangles": np.zeros((int(cracked), 4), int),
        "crack_starts": np.zeros((int(cracked), 8)),
    }
    if plastic is not None:
        strain = np.diag([plastic, -plastic / 2, -plastic / 2])
        arrays["node_plastic_strains"] = np.tile(strain.ravel(), (len(REST), 1))
    return arrays


def write_shell(
    folder: Path,
    expansion: float,
    states: list[dict[str, np.ndarray]],
    energies: tuple[list[float], list[float]] = ([], []),
) -> None:
    write_fronts(
        folder,
        "pauly_et_al_2005/bursting_shell",
        [[(step, 0.1 * step, arrays) for step, arrays in enumerate(states)]],
        name="bursting",
        scene={"young_modulus_pa": 1e7, "poisson_ratio": 0.25},
        swept={"expansion_1_s": expansion},
        series={"step": dict(zip(("kinetic_energy", "elastic_energy"), map(np.array, energies)))}
        if energies[0]
        else None,
    )


def test_a_shell_in_two_halves_that_part(tmp_path: Path) -> None:
    grown = 1.02 * REST
    apart = grown + np.sign(REST[:, :1]) * [0.1, 0, 0]
    write_shell(
        tmp_path,
        5.0,
        [solid(REST, False, False), solid(grown, False, False), solid(grown, True, True), solid(apart, True, True)],
    )
    write_shell(tmp_path, 0.0, [solid(REST, False, False), solid(REST, False, False)])
    assert number(tmp_path, "bursting_shell.nodes") == 64
    assert number(tmp_path, "bursting_shell.node_growth") == 1
    assert number(tmp_path, "bursting_shell.pieces") == 2
    assert number(tmp_path, "bursting_shell.largest_piece") == pytest.approx(0.5)
    assert number(tmp_path, "bursting_shell.strain_at_first_crack") == pytest.approx((1.02**2 - 1) / 2)
    assert number(tmp_path, "bursting_shell.outward_share") == 1
    assert number(tmp_path, "bursting_shell.cracks_at_rest") == 0


def test_a_half_that_comes_back_and_a_crack_at_rest_are_seen(tmp_path: Path) -> None:
    back = REST - np.where(REST[:, :1] > 0, 0.1, 0.0) * [1, 0, 0]
    grown = 1.02 * REST  # it flies out first
    write_shell(tmp_path, 5.0, [solid(REST, False, False), solid(grown, True, True), solid(back, True, True)])
    write_shell(tmp_path, 0.0, [solid(REST, False, False), solid(REST, True, False)])
    assert number(tmp_path, "bursting_shell.outward_share") == 0
    assert number(tmp_path, "bursting_shell.cracks_at_rest") == 1


def test_energy_that_is_made_anywhere_is_seen(tmp_path: Path) -> None:
    states = [solid(REST, False, False), solid(REST, True, True)]
    write_shell(tmp_path, 5.0, states, ([2.0, 1.0, 1.5, 0.5], [0.0, 1.0, 3.5, 0.5]))
    write_shell(tmp_path, 0.0, states, ([0.0, 1.0, 9.0, 0.5], [0.0, 1.0, 9.0, 0.5]))
    assert number(tmp_path, "bursting_shell.energy_growth") == pytest.approx(2.5)


def test_a_shell_that_never_cracks_has_no_strain_to_tell(tmp_path: Path) -> None:
    write_shell(tmp_path, 5.0, [solid(REST, False, False), solid(REST, False, False)])
    assert "no crack" in value_of(tmp_path, "bursting_shell.strain_at_first_crack").note


GUM = "pauly_et_al_2005/plastic_gum"


def write_gum(folder: Path, name: str, states: list[dict[str, np.ndarray]]) -> Path:
    scene = {"young_modulus_pa": 3e4, "poisson_ratio": 0.25}
    members = [[(5 * k, 0.1 * k, arrays) for k, arrays in enumerate(states)]]
    return write_fronts(
        folder, GUM, members, name=name, scene_name="strained_block", scene=scene, coordinates={"row": name}
    )


def flowed(stretch: float, elastic: float, cracked: bool, reference: float, turn: float = 0.0) -> dict[str, np.ndarray]:
    """The lattice stretched along x at constant volume and turned about z; of the stretch `elastic` is elastic, and
    `reference` was there as the shape became the reference last."""

    def isochoric(along: float) -> np.ndarray:
        return np.array([along, along**-0.5, along**-0.5])

    c, d = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, -d, 0], [d, c, 0], [0, 0, 1]])
    arrays = solid(REST * isochoric(stretch) @ rotation.T, cracked, cracked)
    rest = REST * isochoric(reference)
    arrays["node_rest_positions"] = rest
    arrays["node_supports"] = np.full(len(REST), 0.44 * reference)
    metric = np.diag(isochoric(stretch / elastic / reference) ** 2)
    arrays["node_plastic_strains"] = np.tile(((metric - np.eye(3)) / 2).ravel(), (len(REST), 1))
    return arrays


def test_what_flow_has_left_of_a_stretch(tmp_path: Path) -> None:
    start = solid(REST, False, False)
    for name, before, after in (("plastic", 1.7, 2.2), ("fixed", 1.0, 1.0)):
        states = [
            start,
            flowed(1.8, 1.1, False, before, 0.4),
            flowed(2.5, 1.1, False, after, 0.7),
            flowed(2.6, 1.1, True, after),
        ]
        write_gum(tmp_path, name, states)
    write_gum(tmp_path, "elastic", [start, flowed(2.0, 2.0, False, 1.0, 0.3)])
    assert number(tmp_path, "plastic_gum.stretch") == pytest.approx(2.5)
    assert number(tmp_path, "plastic_gum.residual_stretch") == pytest.approx(2.5 / 1.1)
    assert number(tmp_path, "plastic_gum.fixed_residual_stretch") == pytest.approx(2.5 / 1.1)
    assert number(tmp_path, "plastic_gum.elastic_residual_stretch") == pytest.approx(1.0)
    assert number(tmp_path, "plastic_gum.elastic_strain") == pytest.approx((1.1**2 - 1) / 2)
    assert number(tmp_path, "plastic_gum.volume") == pytest.approx(1.0)
    assert number(tmp_path, "plastic_gum.largest_volume") == pytest.approx(1.0)
    assert number(tmp_path, "plastic_gum.inverted") == 0
    assert number(tmp_path, "plastic_gum.references") == 2
    assert number(tmp_path, "plastic_gum.pieces") == 2


def test_gum_that_collapses_or_is_inverted_is_seen(tmp_path: Path) -> None:
    start = solid(REST, False, False)
    write_gum(tmp_path, "plastic", [start, solid(REST * [2.0, 0.5, -0.5], False, False), solid(REST, True, True)])
    assert number(tmp_path, "plastic_gum.inverted") == 1
    assert number(tmp_path, "plastic_gum.volume") == pytest.approx(-0.5)
    assert number(tmp_path, "plastic_gum.references") == 0


STARTS = [[1, 0, -1, -1, k, -1, 0] for k in range(4)]
MERGES = [[2, 3, 0, 1, 4, -1, 0], [3, 3, 2, 3, 5, -1, 0], [4, 3, 4, 5, 6, -1, 0], [5, 3, 6, 6, 7, -1, 0]]


def write_bar(folder: Path, name: str, twist: float, events: list[list[int]], about_axis: bool) -> None:
    nodes = circle(0.2, 12)[:, [2, 0, 1]] + [1.5, 0, 0 if about_axis else 0.3]
    arrays = {**front_arrays((nodes, {"id": 7})), "crack_events": np.array(events)}
    write_fronts(
        folder,
        "pauly_et_al_2005/twisted_bar",
        [[(9, 0.9, arrays)]],
        name=name,
        scene_name="strained_block",
        scene={"twist_rad": twist},
        coordinates={"row": name, "twist": twist},
    )


@pytest.mark.parametrize(
    ("events", "about_axis", "share"),
    [
        (STARTS + MERGES, True, 1.0),
        (STARTS + MERGES, False, 0.0),
        (STARTS[:3] + MERGES, True, 0.0),
        ([*STARTS, *MERGES[:2], [4, 2, 4, -1, 4, 8, 0], *MERGES[2:]], True, 0.0),
        ([*STARTS, [2, CROSSING, 0, 1, 4, 8, 0], *MERGES[1:]], True, 1.0),  # it ends with a merging
    ],
)
def test_a_circle_of_four_by_merging_alone_about_the_axis(
    tmp_path: Path, events: list[list[int]], about_axis: bool, share: float
) -> None:
    write_bar(tmp_path, "ringed", 1.0, events, about_axis)
    assert number(tmp_path, "twisted_bar.circles") == share


def test_fronts_and_mergings_are_counted(tmp_path: Path) -> None:
    write_bar(tmp_path, "free", 2.0, STARTS + MERGES, True)
    write_bar(tmp_path, "ringed", 0.0, STARTS, True)
    assert number(tmp_path, "twisted_bar.bars") == 1
    assert number(tmp_path, "twisted_bar.fronts") == 8
    assert number(tmp_path, "twisted_bar.merges") == 4
    assert number(tmp_path, "twisted_bar.most_at_once") == 1
    assert number(tmp_path, "twisted_bar.most_sources") == 4
    assert number(tmp_path, "twisted_bar.untwisted_circles") == 0
