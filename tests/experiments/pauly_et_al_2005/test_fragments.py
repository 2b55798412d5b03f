# SPDX-License-Identifier: BSD-3-Clause
"""Made-up fragments: clusters of nodes between which no pair has a weight; one is flat, one block has another one."""

from pathlib import Path

import numpy as np
import pytest
from measured import number, value_of
from node_traces import DENSITY, arrays_of, cloud, write_nodes

from experiments.pauly_et_al_2005.measurements import fragments as m
from deformbench_analysis.moving_least_squares import Nodes, stiffness_products
from deformbench_analysis.trace import Trace

SPACING = 1 / 3
WAVE = float(np.sqrt((cloud().first_lame + 2 * cloud().shear_modulus) / DENSITY))
WHOLE = cloud(3)


def part(count: int, seed: int) -> Nodes:
    """So many nodes of a jittered cloud, those nearest to its first."""
    nodes = cloud(3, seed=seed)
    nearest = np.argsort(np.linalg.norm(nodes.rest - nodes.rest[0], axis=1))[:count]
    return Nodes(nodes.rest[nearest], nodes.supports[nearest], nodes.first_lame, nodes.shear_modulus)


def limit(nodes: Nodes) -> float:
    """Δt c_p/Δ at 2/ω_max."""
    highest = np.linalg.eigvalsh(nodes.over_masses(DENSITY * nodes.volumes).toarray())[-1]
    return float(2 / np.sqrt(highest) * WAVE / SPACING)


def put_together(parts: list[Nodes]) -> dict[str, np.ndarray]:
    """Side by side, where pairs of two parts are in each other's supports and have no weight."""
    arrays = [arrays_of(p) for p in parts]
    first = np.cumsum([0, *(p.count for p in parts)])
    joined = {
        n: np.concatenate([a[n] for a in arrays]) for n in ("node_rest_positions", "node_supports", "node_volumes")
    }
    cut = [[first[k], first[k + 1]] for k in range(len(parts) - 1)]
    pairs = np.concatenate([a["pairs"] + f for a, f in zip(arrays, first)] + [np.array(cut, dtype=int).reshape(-1, 2)])
    weights = np.concatenate([*(a["pair_weights"] for a in arrays), np.zeros(len(cut))])
    return {**joined, "pairs": pairs, "pair_weights": weights, "node_masses": DENSITY * joined["node_volumes"]}


def block(
    folder: Path,
    name: str,
    parts: list[Nodes],
    seed: int = 1,
    status: str = "diverged",
    step: float = 0.001,
    kinetic: list[float] | None = None,
    support: float = 2.2,
) -> None:
    arrays = put_together(parts)
    write_nodes(
        folder,
        m.M.experiment,
        [[(arrays["node_rest_positions"], arrays)]],
        name=name,
        scene={"nodes_across": 3, "side_m": 1.0, "time_step_s": step},
        swept={"seed": seed, "support_ratio": support},
        status=status,
        expect={"status": "diverged" if name == "chopped" else "completed"},
        series={"step": {"kinetic_energy": np.array(kinetic)}} if kinetic else None,
    )


FEW, SOME, MANY = [part(5, s) for s in range(3)], [part(9, 1)], [part(15, s) for s in range(3)]


def blocks(folder: Path) -> None:
    block(folder, "chopped", [*FEW[:2], *SOME, MANY[0], part(3, 5)])
    block(folder, "chopped", [FEW[2], part(2, 5), *MANY[1:], *SOME], seed=2)
    block(folder, "whole", [WHOLE], status="completed")
    block(folder, "whole", [cloud(3, seed=7)], seed=2, status="completed")


def test_steps_are_those_of_each_fragment_alone(tmp_path: Path) -> None:
    blocks(tmp_path)
    few, many = (float(np.median([limit(p) for p in parts])) for parts in (FEW, MANY))
    whole = min(limit(WHOLE), limit(cloud(3, seed=7)))
    assert number(tmp_path, "fragments.few_step") == pytest.approx(few, rel=1e-6)
    assert number(tmp_path, "fragments.many_step") == pytest.approx(many, rel=1e-6)
    assert number(tmp_path, "fragments.whole_step") == pytest.approx(whole, rel=1e-6)
    assert number(tmp_path, "fragments.few_over_whole") == pytest.approx(few / whole, rel=1e-6)
    assert number(tmp_path, "fragments.few_over_many") == pytest.approx(few / many, rel=1e-6)
    assert number(tmp_path, "fragments.few_least_step") == pytest.approx(
        np.quantile([limit(p) for p in FEW], 0.05), rel=1e-6
    )


def test_conditions_are_those_of_the_worst_node_of_each_fragment(tmp_path: Path) -> None:
    blocks(tmp_path)
    few = float(np.median([p.conditions.max() for p in FEW]))
    whole = max(WHOLE.conditions.max(), cloud(3, seed=7).conditions.max())
    assert number(tmp_path, "fragments.few_condition") == pytest.approx(few, rel=1e-6)
    assert number(tmp_path, "fragments.condition_rise") == pytest.approx(few / whole, rel=1e-6)


def test_a_flat_fragment_has_no_inverse(tmp_path: Path) -> None:
    flat = Nodes(FEW[0].rest * [1, 1, 0], FEW[0].supports, FEW[0].first_lame, FEW[0].shear_modulus)
    block(tmp_path, "chopped", [flat, *SOME, *MANY])
    block(tmp_path, "whole", [WHOLE], status="completed")
    assert number(tmp_path, "fragments.few_condition") == np.inf
    assert 0 < number(tmp_path, "fragments.few_step") < np.inf


def test_fragments_are_counted_by_their_nodes(tmp_path: Path) -> None:
    blocks(tmp_path)
    assert number(tmp_path, "fragments.count") == 2  # of 9 nodes; those of two and three count for nothing
    assert value_of(tmp_path, "fragments.count").note == "supports of 2.2 spacings"


def test_without_a_small_fragment_there_is_no_step(tmp_path: Path) -> None:
    block(tmp_path, "chopped", [*SOME, *MANY])
    assert "no fragment of 4 to 6 nodes" in value_of(tmp_path, "fragments.few_step").note


def test_a_whole_block_in_two_parts_is_none(tmp_path: Path) -> None:
    block(tmp_path, "whole", [WHOLE, part(9, 1)], status="completed")
    assert "2 pieces" in value_of(tmp_path, "fragments.whole_step").note


def test_one_run_that_goes_on_is_seen(tmp_path: Path) -> None:
    blocks(tmp_path)
    assert number(tmp_path, "fragments.diverged") == 1
    assert number(tmp_path, "fragments.whole_diverged") == 0
    block(tmp_path, "chopped", [*FEW, *SOME, *MANY], seed=3, status="completed", step=0.002)
    block(tmp_path, "whole", [WHOLE], seed=4, status="diverged")
    assert number(tmp_path, "fragments.diverged") == pytest.approx(2 / 3)
    assert number(tmp_path, "fragments.whole_diverged") == pytest.approx(1 / 3)
    assert "did not complete" in value_of(tmp_path, "fragments.step_part").note


def test_a_run_that_failed_neither_diverged_nor_went_on(tmp_path: Path) -> None:
    block(tmp_path, "chopped", FEW, status="failed")
    assert "failed" in value_of(tmp_path, "fragments.diverged").note


def test_steps_of_runs_are_held_against_the_least_stable_one(tmp_path: Path) -> None:
    blocks(tmp_path)
    block(tmp_path, "chopped", [*FEW, *SOME, *MANY], seed=3, step=0.002)
    least = min(limit(WHOLE), limit(cloud(3, seed=7))) * SPACING / WAVE
    assert number(tmp_path, "fragments.step_part") == pytest.approx(0.002 / least, rel=1e-6)


def test_rigid_fragments_that_diverge_or_gain_energy_are_seen(tmp_path: Path) -> None:
    for seed, kinetic in ((1, [2.0, 2.5, 1.0]), (2, [4.0, 4.0, 3.0])):
        block(tmp_path, "rigid", FEW, seed=seed, status="completed", kinetic=kinetic)
    assert number(tmp_path, "fragments.rigid_diverged") == 0
    assert number(tmp_path, "fragments.rigid_energy") == pytest.approx(1.25)
    block(tmp_path, "rigid", FEW, seed=3, status="diverged", kinetic=[1.0, 1.0])
    assert number(tmp_path, "fragments.rigid_diverged") == pytest.approx(1 / 3)


def test_of_two_support_sizes_the_worse_is_judged(tmp_path: Path) -> None:
    blocks(tmp_path)
    block(tmp_path, "chopped", [MANY[0], *MANY], step=0.004, support=3.4)  # few and many alike
    block(tmp_path, "whole", [WHOLE], status="completed", support=3.4)
    assert "no fragment of 4 to 6 nodes" in value_of(tmp_path, "fragments.few_over_many").note
    block(tmp_path, "chopped", [FEW[0], FEW[0], *SOME, part(13, 8)], seed=2, support=3.4)
    wide = limit(FEW[0]) / float(np.median([limit(p) for p in [MANY[0], *MANY, part(13, 8)]]))
    narrow = float(np.median([limit(p) for p in FEW]) / np.median([limit(p) for p in MANY]))
    assert wide != pytest.approx(narrow)
    assert number(tmp_path, "fragments.few_over_many") == pytest.approx(max(wide, narrow), rel=1e-6)
    assert number(tmp_path, "fragments.count") == 1  # one fragment of 9 nodes beside the wide ones


def test_the_operator_by_stresses_is_that_of_the_matrix(tmp_path: Path) -> None:
    parts = [part(4, 1), part(9, 1), part(15, 2)]
    block(tmp_path, "chopped", parts)
    trace = Trace(next(tmp_path.rglob("*.h5")))
    arrays = put_together(parts)
    matrix = m.operator(trace, arrays).toarray()
    product = m.operator(trace, arrays, stiffness_products) @ np.eye(len(matrix))
    assert np.abs(product - matrix).max() <= 1e-12 * np.abs(matrix).max()
