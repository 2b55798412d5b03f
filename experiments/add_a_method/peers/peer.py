# SPDX-License-Identifier: BSD-3-Clause
"""What the adapters of this folder share: looking for their packages, and the steps of implicit Euler."""

import ctypes
import importlib
import sys

import numpy as np

import deformbench


def _help_or(doc, debian, load):
    """Prints `doc` for --help; what cannot be loaded is one line and exit code 2."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(doc.strip())
        raise SystemExit(0)
    try:
        return load()
    except (ImportError, OSError) as error:
        print(f"{sys.argv[0]}: {error}; expected the package {debian} of Debian 12", file=sys.stderr)
        raise SystemExit(2) from None


def packages(doc, debian, version, *names):
    """Imports modules; the first one must be of the version, as interfaces change with it."""

    def load():
        first, *_ = [importlib.import_module(name) for name in names]
        if not first.__version__.startswith(version):
            raise ImportError(f"found {names[0]} {first.__version__}, not {version}")

    _help_or(doc, debian, load)


def library(doc, debian, name):
    """A shared library."""
    return _help_or(doc, debian, lambda: ctypes.CDLL(name))


class ImplicitEuler(deformbench.Method):
    """One step: M (u - free) / dt^2 + forces(u) = loads, held coordinates where they have to be. All are n x 3, in
    the order of the scene. A peer states `forces` and `solve`."""

    takes = ("tetrahedra", "rollers")
    parameters = {
        "tolerance": deformbench.Parameter(1e-10, "1", "Of the residual, against its terms at the start of the step")
    }

    def __init__(self, scene, parameters):
        self.scene, self.tolerance = scene, parameters["tolerance"]
        self.positions, self.velocities = scene.start_positions.copy(), scene.start_velocities.copy()
        young, poisson = scene.per_tetrahedron("young_modulus_pa"), scene.per_tetrahedron("poisson_ratio")
        self.mu = young / (2 * (1 + poisson))
        self.lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        # Forces of a body at rest are rounding: stiffness times what positions are rounded to.
        edges = np.linalg.norm(scene.rest_positions[scene.tetrahedra] - scene.rest_positions.mean(axis=0), axis=2)
        self.rounding = 1e-15 * np.linalg.norm((self.lame + 2 * self.mu)[:, None] * edges**2)

    def forces(self, u):
        """The gradient of the elastic energy, N."""
        raise NotImplementedError

    def solve(self, start, tolerance):
        """Displacements whose residual in the coordinates that are not held is below `tolerance` (N)."""
        raise NotImplementedError

    def inertia(self, u):
        return self.scene.masses[:, None] * (u - self.free) / self.scene.time_step**2

    def step(self):
        scene, dt = self.scene, self.scene.time_step
        self.free = self.positions + dt * self.velocities - scene.rest_positions
        start = np.where(scene.is_held, scene.held_positions, self.positions) - scene.rest_positions
        terms = (self.forces(start), self.inertia(start), scene.external_forces)
        u = self.solve(start, self.tolerance * sum(map(np.linalg.norm, terms)) + self.rounding)
        moved = scene.rest_positions + u
        self.velocities, self.positions = (moved - self.positions) / dt, moved
