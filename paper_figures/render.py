# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces rendered with POV-Ray, headless: a few meshes beside each other on a floor, seen from one camera.

Debian's POV-Ray reads and writes only below its working directory, which is a temporary folder here. Without POV-Ray the
same view is drawn flat by matplotlib; the caller learns which it was.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

TIME_LIMIT_S = 300


@dataclass(frozen=True)
class Body:
    """A closed surface; y is up, metres. `colour` is #rrggbb."""

    positions: np.ndarray  # [n, 3]
    triangles: np.ndarray  # [m, 3]
    colour: str


def rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def vertex_normals(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Area-weighted unit normals; (0, 1, 0) where they cancel."""
    corners = positions[triangles]
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(positions)
    np.add.at(normals, triangles.ravel(), np.repeat(face, 3, axis=0))
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 0, normals / np.maximum(length, 1e-300), [0.0, 1.0, 0.0])


def side_by_side(bodies: Sequence[Body], turn_deg: float = 0.0, gap: float = 0.15) -> list[Body]:
    """The bodies, each turned about y and moved along x so that none overlaps the next, standing on y = 0. `gap` is a part of the mean width."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    bodies = [Body(b.positions @ turn.T, b.triangles, b.colour) for b in bodies]
    width = float(np.mean([np.ptp(b.positions[:, 0]) for b in bodies]))
    placed, at = [], 0.0
    for body in bodies:
        low, high = body.positions.min(axis=0), body.positions.max(axis=0)
        placed.append(Body(body.positions + [at - low[0], -low[1], -(low[2] + high[2]) / 2], body.triangles, body.colour))
        at += high[0] - low[0] + gap * width
    return placed


def _vectors(rows: np.ndarray) -> str:
    # POV-Ray's axes are left-handed: z is turned round.
    return ",".join(f"<{x:.6g},{y:.6g},{-z:.6g}>" for x, y, z in rows)


def _mesh(body: Body) -> str:
    red, green, blue = rgb(body.colour)
    faces = ",".join(f"<{a},{b},{c}>" for a, b, c in body.triangles)
    return (f"mesh2 {{ vertex_vectors {{ {len(body.positions)},{_vectors(body.positions)} }}\n"
            f"normal_vectors {{ {len(body.positions)},{_vectors(vertex_normals(body.positions, body.triangles))} }}\n"
            f"face_indices {{ {len(body.triangles)},{faces} }}\n"
            f"texture {{ pigment {{ srgb <{red:.3f},{green:.3f},{blue:.3f}> }} finish {{ ambient 0.25 diffuse 0.75 specular 0.12 roughness 0.05 }} }} }}\n")


def scene_text(bodies: Sequence[Body], aspect: float, elevation_deg: float) -> str:
    """The POV-Ray scene: camera far away with a narrow angle, two lights, a pale floor."""
    points = np.vstack([b.positions for b in bodies])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    elevation = np.radians(elevation_deg)
    towards, right = np.array([0.0, np.sin(elevation), np.cos(elevation)]), np.array([1.0, 0.0, 0.0])
    up = np.cross(towards, right)
    across, above = (points - centre) @ right, (points - centre) @ up
    centre = centre + right * (across.min() + across.max()) / 2 + up * (above.min() + above.max()) / 2
    extent = 1.12 * max(float(np.ptp(across)), aspect * float(np.ptp(above)))
    angle = 18.0
    eye = centre + towards * extent / (2 * np.tan(np.radians(angle) / 2))
    light = centre + extent * np.array([-1.2, 2.4, 2.0])
    fill = centre + extent * np.array([2.0, 1.0, 1.5])
    return ("#version 3.7;\nglobal_settings { assumed_gamma 1.0 }\nbackground { rgb <1,1,1> }\n"
            f"camera {{ location {_vectors(eye[None])} right x*{aspect:.6g} look_at {_vectors(centre[None])} angle {angle} }}\n"
            f"light_source {{ {_vectors(light[None])} rgb 0.85 area_light <{0.3 * extent:.4g},0,0>, <0,0,{0.3 * extent:.4g}>, 5, 5 adaptive 1 jitter }}\n"
            f"light_source {{ {_vectors(fill[None])} rgb 0.35 shadowless }}\n"
            f"plane {{ y, {points[:, 1].min() - 1e-4:.6g} texture {{ pigment {{ rgb 0.97 }} finish {{ ambient 0.35 diffuse 0.65 }} }} }}\n"
            + "".join(_mesh(b) for b in bodies))


def render(bodies: Sequence[Body], png: Path, width: int = 1200, height: int = 560, elevation_deg: float = 16.0) -> str:
    """Writes the PNG; returns the program that drew it."""
    png.parent.mkdir(parents=True, exist_ok=True)
    program = shutil.which("povray")
    if program is None:
        _flat(bodies, png, width, height)
        return "matplotlib (POV-Ray is not installed)"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "scene.pov").write_text(scene_text(bodies, width / height, elevation_deg), encoding="ascii")
        done = subprocess.run([program, "+Iscene.pov", "+Oscene.png", f"+W{width}", f"+H{height}", "+A0.2", "-D", "+WT2", "-GA"], cwd=folder,
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        made = Path(folder) / "scene.png"
        if done.returncode != 0 or not made.exists():
            raise RuntimeError(f"povray ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:] or 'no message'}")
        shutil.copyfile(made, png)
    return "POV-Ray"


def _flat(bodies: Sequence[Body], png: Path, width: int, height: int) -> None:
    figure, axes = plt.subplots(figsize=(width / 100, height / 100), dpi=100)
    for body in bodies:
        corners = body.positions[body.triangles]
        corners = corners[np.argsort(corners[:, :, 2].mean(axis=1))]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        light = np.clip(normal @ [0.3, 0.6, 0.74] / np.maximum(np.linalg.norm(normal, axis=1), 1e-300), 0.15, 1)
        axes.add_collection(PolyCollection(corners[:, :, :2], facecolors=np.outer(light, rgb(body.colour)), edgecolors="none"))
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")
    figure.savefig(png)
    plt.close(figure)
