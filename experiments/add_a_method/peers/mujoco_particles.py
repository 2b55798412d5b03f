# SPDX-License-Identifier: BSD-3-Clause
"""Particles and distances of MuJoCo: bodies on three sliding joints, and tendons between them.

    deformbench simulate net.json --program "/usr/bin/python3 mujoco_particles.py" --method xpbd

A distance with compliance c is a tendon of stiffness 1/c. Without compliance it is an equality constraint on the
tendon's length, which MuJoCo makes soft: its time constant is two substeps, the least that MuJoCo allows. Substeps are
explicit: Runge-Kutta 4. Not compared: MuJoCo 2 has no finite elements, its cloth is particles with such constraints,
and a program does not answer with the poses of rigid bodies. Needs Debian's libmujoco2.2.2, by ctypes.
"""

import ctypes
import os
import sys
import tempfile

import peer

LIBRARY = peer.library(__doc__, "libmujoco2.2.2", "libmujoco.so.2.2.2")

import numpy as np  # noqa: E402

import deformbench  # noqa: E402


class Data(ctypes.Structure):
    """mjData of 2.2.2 (mjdata.h), up to the members that are used."""

    _fields_ = [
        ("sizes", ctypes.c_int * 6),
        ("warning", ctypes.c_int * (2 * 8)),
        ("timer", ctypes.c_double * (2 * 13)),
        ("solver", ctypes.c_double * (5 * 1000)),
        ("solver_iterations", ctypes.c_int * 2),
        ("fwdinv", ctypes.c_double * 2),
        ("counts", ctypes.c_int * 4),
        ("time_and_energy", ctypes.c_double * 3),
        ("buffers", ctypes.c_void_p * 2),
        *((n, ctypes.POINTER(ctypes.c_double)) for n in ("qpos", "qvel", "act", "qacc_warmstart", "ctrl")),
        *((n, ctypes.POINTER(ctypes.c_double)) for n in ("qfrc_applied", "xfrc_applied", "mocap_pos")),
    ]


Model = ctypes.c_void_p
LIBRARY.mj_loadXML.restype, LIBRARY.mj_loadXML.argtypes = Model, [ctypes.c_char_p, Model, ctypes.c_char_p, ctypes.c_int]
LIBRARY.mj_makeData.restype, LIBRARY.mj_makeData.argtypes = ctypes.POINTER(Data), [Model]
LIBRARY.mj_step.argtypes = [Model, ctypes.POINTER(Data)]
WARNINGS: list[str] = []
Callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


@Callback
def on_warning(text):  # MuJoCo's own writes a file into the current folder
    WARNINGS.append(text.decode())


@Callback
def on_error(text):  # must not return
    print(text.decode(), file=sys.stderr, flush=True)
    os._exit(1)


def xml(scene, step):
    """The scene as MuJoCo's model, at its start."""
    bodies, tendons, equalities = [], [], []
    held = scene.is_held.all(axis=1)
    for i, (x, mass) in enumerate(zip(scene.start_positions, scene.masses)):
        slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
        inside = "" if held[i] else f'{slides}<inertial pos="0 0 0" mass="{mass:.17g}" diaginertia="1 1 1"/>'
        bodies.append(
            f'<body pos="{x[0]:.17g} {x[1]:.17g} {x[2]:.17g}"{" mocap=" + chr(34) + "true" + chr(34) if held[i] else ""}>'
            f'{inside}<site name="s{i}"/></body>'
        )
    for k, constraint in enumerate(scene.document.get("constraints", [])):
        if constraint["kind"] != "distance" or constraint.get("is_inequality"):
            raise ValueError(f"constraint {k}: got {constraint['kind']}, expected distances that are equalities")
        a, b = constraint["vertices"]
        rest, compliance = constraint["rest_m"], constraint.get("compliance_m2_j", 0.0)
        spring = f'stiffness="{1 / compliance:.17g}" springlength="{rest:.17g}"' if compliance else ""
        tendons.append(f'<spatial name="t{k}" {spring}><site site="s{a}"/><site site="s{b}"/></spatial>')
        if not compliance:
            longer = rest - np.linalg.norm(scene.start_positions[a] - scene.start_positions[b])
            equalities.append(
                f'<tendon tendon1="t{k}" polycoef="{longer:.17g} 0 0 0 0" solref="{2 * step:.17g} 1" '
                'solimp="0.9999 0.9999 0.001"/>'
            )
    return (
        f'<mujoco><option timestep="{step:.17g}" integrator="RK4" gravity="0 0 0" tolerance="1e-14" iterations="200"/>'
        f"<worldbody>{''.join(bodies)}</worldbody><tendon>{''.join(tendons)}</tendon>"
        f"<equality>{''.join(equalities)}</equality></mujoco>"
    )


class MujocoParticles(deformbench.Method):
    """Particles and distances of MuJoCo: slide joints and tendons, Runge-Kutta 4."""

    takes = ("particles", "constraints")
    paper = "MuJoCo 2.2.2 (https://mujoco.org)"
    parameters = {"substeps": deformbench.Parameter(10, "1", "Of MuJoCo in a time step")}

    def __init__(self, scene, parameters):
        self.scene, self.substeps = scene, int(parameters["substeps"])
        if self.substeps < 1:
            raise ValueError(f"substeps: got {self.substeps}, expected >= 1")
        ctypes.c_void_p.in_dll(LIBRARY, "mju_user_warning").value = ctypes.cast(on_warning, ctypes.c_void_p).value
        ctypes.c_void_p.in_dll(LIBRARY, "mju_user_error").value = ctypes.cast(on_error, ctypes.c_void_p).value
        why = ctypes.create_string_buffer(1000)
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(xml(scene, scene.time_step / self.substeps))
            file.flush()
            self.model = LIBRARY.mj_loadXML(file.name.encode(), None, why, len(why))
        if not self.model:
            raise ValueError(why.value.decode())
        self.data = LIBRARY.mj_makeData(self.model)
        self.held = scene.is_held.all(axis=1)
        rows = {"qpos": ~self.held, "qvel": ~self.held, "qfrc_applied": ~self.held, "mocap_pos": self.held}
        self.state = {}
        for name, members in rows.items():
            pointer, count = getattr(self.data.contents, name), int(members.sum())
            self.state[name] = np.ctypeslib.as_array(pointer, (count, 3)) if count else np.empty((0, 3))
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        self.state["qvel"][:] = self.velocities[~self.held]

    def step(self):
        scene, free, held = self.scene, ~self.held, self.held
        before, n = self.positions[held], self.substeps
        self.state["qfrc_applied"][:] = scene.external_forces[free]
        for k in range(n):
            self.state["mocap_pos"][:] = before + (k + 0.5) / n * (scene.held_positions[held] - before)
            LIBRARY.mj_step(self.model, self.data)
        if WARNINGS:  # MuJoCo has gone back to the start
            raise deformbench.Diverged(WARNINGS[0])
        self.positions, self.velocities = scene.held_positions.copy(), self.velocities.copy()
        self.positions[free] = scene.start_positions[free] + self.state["qpos"]
        self.velocities[free] = self.state["qvel"]
        self.velocities[held] = (self.positions[held] - before) / scene.time_step


if __name__ == "__main__":
    deformbench.serve(MujocoParticles)
