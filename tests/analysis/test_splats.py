# SPDX-License-Identifier: BSD-3-Clause
"""Splats are cut where sheets meet, cracks end at the skin, and POV-Ray draws them."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paper_figures import render as rendering
from paper_figures import splats as s
from paper_figures.render import Body, View, render, scene_text

RADIUS = 0.2


def lattice(origin: np.ndarray, u: np.ndarray, v: np.ndarray, count: int = 11) -> np.ndarray:
    k = np.linspace(0, 1, count)
    return np.asarray(origin + np.array([a * u + b * v for a in k for b in k]))


def splats(*sheets: tuple[np.ndarray, np.ndarray, np.ndarray], skin_sheets: int = 9, by: float = 0.0) -> s.Splats:
    """Sheets of origin, u, v: unit squares with normals u × v, moved by `by` along x."""
    places, normals, axes, numbers = [], [], [], []
    for number, (origin, u, v) in enumerate(sheets):
        found = lattice(origin, u, v)
        places.append(found)
        normals.append(np.tile(np.cross(u, v) / np.linalg.norm(np.cross(u, v)), (len(found), 1)))
        axes.append(np.tile(RADIUS * np.stack([u / np.linalg.norm(u), v / np.linalg.norm(v)]), (len(found), 1, 1)))
        numbers.append(np.full(len(found), number))
    rest, direction = np.vstack(places), np.vstack(normals)
    return s.Splats(
        rest + [by, 0, 0], direction, np.vstack(axes), np.concatenate(numbers), rest, direction, skin_sheets
    )


X, Y, Z, O = np.eye(3)[0], np.eye(3)[1], np.eye(3)[2], np.zeros(3)
TOP, SIDE = (Z, X, Y), (X, Y, Z)  # z = 1 and x = 1 of a unit box


def corners_of(made: s.Splats, sheet: int) -> np.ndarray:
    found = s.polygons(made, made.sheets == sheet, s.cuts(made))
    return np.vstack([polygon[:count] for polygon, count in zip(found.corners, found.counts)])


@pytest.mark.parametrize("by", [0.0, 3.0])
def test_a_convex_crease_is_sharp(by: float) -> None:
    made = splats(TOP, SIDE, by=by)
    top, side = corners_of(made, 0), corners_of(made, 1)
    assert top[:, 0].max() == pytest.approx(1 + by, abs=1e-9)
    assert side[:, 2].max() == pytest.approx(1, abs=1e-9)
    assert top[:, 0].min() < by - 0.1  # at the open border nothing is cut
    assert side[:, 2].min() < -0.1


def test_a_concave_crease_is_sharp_too() -> None:
    floor, wall = (O, X, Y), (X, Z, Y)  # a floor below x < 1 and the wall x = 1 that faces it
    made = splats(floor, wall)
    assert corners_of(made, 0)[:, 0].max() == pytest.approx(1, abs=1e-9)
    assert corners_of(made, 1)[:, 2].min() == pytest.approx(0, abs=1e-9)


def test_a_crack_ends_at_the_skin_and_cuts_it() -> None:
    """The plane y = 1/2 below the top, from z = 0.4 to 1.4: what stands out is left out."""
    start = np.array([0, 0.5, 0.4])
    made = splats(TOP, (start, X, Z), (start, Z, X), skin_sheets=1)
    for face in (1, 2):
        assert corners_of(made, face)[:, 2].max() == pytest.approx(1, abs=1e-9)
    found = s.polygons(made, made.sheets == 0, s.cuts(made))
    for k, polygon, count in zip(found.surfels, found.corners, found.counts):
        beside = made.rest_positions[k, 1] - 0.5
        if abs(beside) > 0.01:
            assert (np.sign(beside) * (polygon[:count, 1] - 0.5) > -1e-9).all()


def test_normals_are_blended_within_a_sheet_alone() -> None:
    made = splats(TOP, SIDE)
    body = s.body(made, made.sheets == 0, s.cuts(made), "#336699")
    assert body.normals is not None
    assert np.abs(body.normals - Z).max() < 1e-12
    assert len(body.positions) == len(body.normals) and body.triangles.max() == len(body.positions) - 1


def test_bumps_are_asked_for_on_faces_of_cracks_alone() -> None:
    start = np.array([0, 0.5, 0.4])
    made = splats(TOP, (start, X, Z), (start, Z, X), skin_sheets=1)
    skin, crack = s.bodies(made, "#888888", "#aa5500", bump=0.05)
    assert "granite" not in scene_text([skin], 1.0, 20) and "granite" in scene_text([crack], 1.0, 20)


def picture_of(made: s.Splats, png: Path) -> np.ndarray:
    turn = np.array([[0.8, 0, -0.6], [0, 1, 0], [0.6, 0, 0.8]]) @ np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]])
    drawn: list[Body] = [s.turned_body(b, turn) for b in s.bodies(made, "#cc0000", "#0000cc", bump=0.05)]
    render(drawn, png, width=120, height=90)
    with Image.open(png) as image:
        return np.asarray(image.convert("RGB"), dtype=float)


@pytest.mark.skipif(shutil.which("povray") is None, reason="POV-Ray is not installed")
def test_povray_draws_skin_and_crack(tmp_path: Path) -> None:
    start = np.array([0, 0.5, 0.4])
    made = splats(TOP, SIDE, (start, X, Z), (start, Z, X), skin_sheets=2)
    far = np.where(made.is_skin, made.rest_positions[:, 1] > 0.5, made.sheets == 2)  # the crack opens by 0.4
    moved = replace(made, positions=made.positions + 0.4 * far[:, None] * Y)
    pixels = picture_of(moved, tmp_path / "box.png")
    red = (pixels[..., 0] > pixels[..., 2] + 60).mean()
    blue = (pixels[..., 2] > pixels[..., 0] + 60).mean()
    assert red > 0.1 and blue > 0.01


def test_a_povray_that_hangs_is_ended_and_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "povray"
    program.write_text(
        f"#!/bin/sh\n[ -e {tmp_path}/asked ] || {{ touch {tmp_path}/asked; exec sleep 60; }}\necho drawn > scene.png\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(rendering, "TIME_LIMITS_S", (0.5, 30.0))
    monkeypatch.setattr(shutil, "which", lambda _: str(program))
    render([], tmp_path / "picture.png", view=View(np.eye(3), 10.0))
    assert (tmp_path / "picture.png").read_text() == "drawn\n"
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(RuntimeError, match="povray ended with 3"):
        render([], tmp_path / "other.png", view=View(np.eye(3), 10.0))
    assert not (tmp_path / "other.png").exists()


def test_a_tangle_is_drawn_flat_as_rays_would_take_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = lattice(np.zeros(3), X, Y, 90)
    rows = np.arange(89)[:, None] * 90 + np.arange(89)
    triangles = np.stack([rows, rows + 1, rows + 90], axis=-1).reshape(-1, 3)
    sheet = Body(points, triangles, "#cc0000")
    tangle = replace(sheet, positions=np.random.default_rng(1).normal(size=points.shape))
    assert rendering.layers(sheet) < 3 and rendering.layers(tangle) > rendering.MOST_LAYERS
    monkeypatch.setattr(shutil, "which", lambda _: str(tmp_path / "no_povray"))
    assert render([tangle], tmp_path / "tangle.png", width=60, height=40) == "matplotlib (too tangled for POV-Ray)"
    with pytest.raises(FileNotFoundError):
        render([sheet], tmp_path / "sheet.png", width=60, height=40)
