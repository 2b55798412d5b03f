# SPDX-License-Identifier: BSD-3-Clause
"""The assignment's mesh format: hand-written files with known volume and area, a file from Netgen, and a second
parser beside the project's, so that a mistake made in reader and writer alike is seen."""

import math
import os
import re
import subprocess
from pathlib import Path

import pytest

from deformbench_analysis import assignment_mesh
from deformbench_analysis.assignment_mesh import (
    Refused,
    area,
    boundary,
    netgen_neutral,
    netgen_vol,
    parse,
    signed_volumes,
    volume,
    volume_within,
)

HERE = Path(__file__).resolve().parent
MESHES = HERE / "meshes"
# Volume (m³) and area (m²) in closed form, nodes, elements: by hand, not by a program.
BY_HAND = {
    "corner": (1 / 6, 1.5 + math.sqrt(3) / 2, 4, 1),
    "cube": (8.0, 24.0, 8, 5),
    "octahedron": (4 / 3, 4 * math.sqrt(3), 6, 4),
}
ROUNDED = 16 * 2.0**-53  # a sum of up to eight volumes or areas: each term and each sum is rounded
NUMBERS = re.compile(r": (\w+), (\d+) vertices, (\d+) tetrahedra, volume (\S+) m³, surface (\S+) m²")


def convert(*words: str | Path) -> str:
    command = os.environ.get("DEFORMBENCH", str(HERE.parents[1] / "build/release/bin/deformbench"))
    return subprocess.run([command, "convert", *map(str, words)], check=True, capture_output=True, text=True).stdout


def numbers_of(output: str) -> tuple[str, int, int, float, float]:
    found = NUMBERS.search(output)
    assert found, output
    return found[1], int(found[2]), int(found[3]), float(found[4]), float(found[5])


@pytest.mark.parametrize("name", BY_HAND)
def test_hand_written_files_have_their_volume_and_area_in_both_parsers(name: str, tmp_path: Path) -> None:
    size, surface, nodes, elements = BY_HAND[name]
    mesh = assignment_mesh.read(MESHES / f"{name}.mesh")
    assert (len(mesh.nodes), len(mesh.elements)) == (nodes, elements)
    assert volume(mesh) == pytest.approx(size, rel=ROUNDED, abs=0)
    assert area(mesh) == pytest.approx(surface, rel=ROUNDED, abs=0)
    read = numbers_of(convert(MESHES / f"{name}.mesh", tmp_path / "out.vt"))
    assert read[:3] == ("assignment_text", nodes, elements)
    assert read[3:] == pytest.approx((size, surface), rel=ROUNDED, abs=0)


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_written_is_the_same_mesh_to_the_second_parser(name: str, tmp_path: Path) -> None:
    # Through a format that counts from 1 and back: the same numbers in the same order, elements turned over at most.
    mesh = assignment_mesh.read(MESHES / f"{name}.mesh")
    convert(MESHES / f"{name}.mesh", tmp_path / "medit.mesh")
    convert(tmp_path / "medit.mesh", tmp_path / "again.mesh", "--assignment")
    again = assignment_mesh.read(tmp_path / "again.mesh")
    assert again.nodes == mesh.nodes
    assert [sorted(corners) for corners in again.elements] == [sorted(corners) for corners in mesh.elements]
    assert min(signed_volumes(again)) > 0


def test_the_second_parser_refuses_what_the_format_forbids() -> None:
    good = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    for wrong, line in {
        b"t 0 1 2 4\n": 5,
        b"t 1 2 3 4\n": 5,
        b"t -1 0 1 2\n": 5,
        b"t 0 1 2 3 0\n": 5,
        b"t 0 1 2\n": 5,
        b"t 0 1 2 3.0\n": 5,
        b"\n\nv 0 0 nan\nt 0 1 2 3": 7,
        b"f 0 1 2\nt 0 1 2 3\n": 5,
        b"": 4,
    }.items():
        with pytest.raises(Refused) as refused:
            parse(good + wrong)
        assert refused.value.line == line, wrong
    assert parse(good + b"t 0 1 2 3").elements == [(0, 1, 2, 3)]


@pytest.mark.parametrize("name", ["netgen_brick.vol", "netgen_brick.neu"])
def test_a_file_of_netgen_converts_with_its_volume_and_an_outward_surface(name: str, tmp_path: Path) -> None:
    theirs = (netgen_vol if name.endswith(".vol") else netgen_neutral)((MESHES / name).read_text(encoding="utf-8"))
    out = numbers_of(convert(MESHES / name, tmp_path / "brick.mesh", "--assignment"))
    mesh = assignment_mesh.read(tmp_path / "brick.mesh")
    assert out[1:3] == (len(theirs.nodes), len(theirs.elements)) == (len(mesh.nodes), len(mesh.elements))
    assert mesh.nodes == theirs.nodes
    assert [sorted(corners) for corners in mesh.elements] == [sorted(corners) for corners in theirs.elements]
    assert max(signed_volumes(theirs)) < 0  # Netgen's order is the other way round
    assert volume(mesh) == pytest.approx(0.024, rel=1e-12, abs=0)  # 0.4 × 0.3 × 0.2 m, netgen_brick.geo
    assert area(mesh) == pytest.approx(0.52, rel=1e-12, abs=0)
    assert volume(mesh) == pytest.approx(volume(theirs), rel=1e-12, abs=0)
    assert out[3:] == pytest.approx((volume(theirs), area(theirs)), rel=1e-12, abs=0)
    assert min(signed_volumes(mesh)) > 0
    surface = boundary(mesh)
    assert volume_within(mesh.nodes, surface) == pytest.approx(volume(theirs), rel=1e-12, abs=0)
    # The surface that the project extracts, as triangles of its own.
    convert(MESHES / name, tmp_path / "brick.obj")
    words = [line.split() for line in (tmp_path / "brick.obj").read_text(encoding="utf-8").splitlines()]
    nodes = [(float(w[1]), float(w[2]), float(w[3])) for w in words if w[0] == "v"]
    triangles = [(int(w[1]) - 1, int(w[2]) - 1, int(w[3]) - 1) for w in words if w[0] == "f"]
    assert len(triangles) == len(surface)
    assert volume_within(nodes, triangles) == pytest.approx(volume(theirs), rel=1e-12, abs=0)
