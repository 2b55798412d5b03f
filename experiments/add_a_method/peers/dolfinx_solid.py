# SPDX-License-Identifier: BSD-3-Clause
"""Hyperelastic tetrahedra of DOLFINx, implicit Euler: shares no code with implicit_fem, which has the same laws.

    deformbench simulate beam.json --program "/usr/bin/python3 dolfinx_solid.py" --method implicit_fem

The energy density is written in UFL, UFL derives forces and stiffness, FFCx compiles them (seconds, once), and PETSc's
SNES solves each step: Newton's method with a backtracking line search, linear systems by MUMPS. Needs Debian's
python3-dolfinx.
"""

import peer

peer.packages(__doc__, "python3-dolfinx", "0.5", "dolfinx", "ufl", "petsc4py", "mpi4py")

import dolfinx.fem.petsc as assembly  # noqa: E402
import numpy as np  # noqa: E402
import ufl  # noqa: E402
from dolfinx import fem, mesh  # noqa: E402
from mpi4py import MPI  # noqa: E402
from petsc4py import PETSc  # noqa: E402

import deformbench  # noqa: E402


def st_venant_kirchhoff(f, i, j, m, l):
    twice = f.T * f - ufl.Identity(3)  # Green's strain
    return m / 4 * ufl.inner(twice, twice) + l / 8 * ufl.tr(twice) ** 2


LAWS = {  # J/m^3, of F, i = tr C, j = det F and Lame's constants m and l; the last one is that of sfepy_solid
    "stable_neo_hookean": lambda f, i, j, m, l: (
        2 * m / 3 * (i - 3 - ufl.ln((i + 1) / 4)) + (l + 5 * m / 6) / 2 * (j - 1) ** 2 - m * (j - 1)
    ),
    "neo_hookean": lambda f, i, j, m, l: m / 2 * (i - 3) - m * ufl.ln(j) + l / 2 * ufl.ln(j) ** 2,
    "st_venant_kirchhoff": st_venant_kirchhoff,
    "isochoric_neo_hookean": lambda f, i, j, m, l: (
        m / 2 * (j ** (-2 / 3) * i - 3) + (l + 2 * m / 3) / 2 * (j - 1) ** 2
    ),
}


class DolfinxSolid(peer.ImplicitEuler):
    """Hyperelastic linear tetrahedra of DOLFINx, implicit Euler by PETSc's Newton method."""

    watches = ("objective",)
    paper = "DOLFINx 0.5 and PETSc 3.18 (https://fenicsproject.org)"
    parameters = {
        **peer.ImplicitEuler.parameters,
        "law": deformbench.Parameter("stable_neo_hookean", "", "Energy density: " + ", ".join(LAWS)),
        "mass": deformbench.Parameter("lumped", "", "lumped, as in all methods here, or consistent"),
    }

    def __init__(self, scene, parameters):
        super().__init__(scene, parameters)
        for name, known in (("law", LAWS), ("mass", ("lumped", "consistent"))):
            if parameters[name] not in known:
                raise ValueError(f"{name}: got {parameters[name]!r}, expected {' or '.join(known)}")
        element = ufl.VectorElement("Lagrange", ufl.tetrahedron, 1)
        body = mesh.create_mesh(MPI.COMM_SELF, scene.tetrahedra, scene.rest_positions, ufl.Mesh(element))
        space, constants = fem.FunctionSpace(body, element), fem.FunctionSpace(body, ("DG", 0))
        # DOLFINx sorts vertices and elements.
        self.place = np.empty(len(scene.rest_positions), dtype=int)
        self.place[np.array(body.geometry.input_global_indices)[body.geometry.dofmap.array]] = space.dofmap.list.array
        mu, lame, density = (fem.Function(constants) for _ in range(3))
        for of, values in ((mu, self.mu), (lame, self.lame), (density, scene.per_tetrahedron("density_kg_m3"))):
            of.x.array[:] = values[np.array(body.topology.original_cell_index)]
        self.u, change, test = fem.Function(space), ufl.TrialFunction(space), ufl.TestFunction(space)
        f = ufl.Identity(3) + ufl.grad(self.u)
        once, exact = (ufl.dx(metadata={"quadrature_degree": n}) for n in (0, 2))  # strains are constant in elements
        energy = LAWS[parameters["law"]](f, ufl.tr(f.T * f), ufl.det(f), mu, lame) * once
        force = ufl.derivative(energy, self.u, test)
        self.energy, self.force = fem.form(energy), fem.form(force)
        self.stiffness = fem.form(ufl.derivative(force, self.u, change))
        self.matrix = assembly.create_matrix(self.stiffness)
        if parameters["mass"] == "consistent":
            self.mass = assembly.assemble_matrix(fem.form(density * ufl.inner(change, test) * exact))
        else:
            self.mass = assembly.create_matrix(self.stiffness)
            self.mass.setDiagonal(self.vector(np.repeat(scene.masses[:, None], 3, axis=1)))
        self.mass.assemble()
        self.held = np.flatnonzero(self.vector(scene.is_held).array).astype(np.int32)
        self.snes = PETSc.SNES().create(MPI.COMM_SELF)
        self.snes.setFunction(self.residual, self.u.vector.duplicate())
        self.snes.setJacobian(self.tangent, self.matrix)
        self.snes.setMonitor(lambda snes, k, norm: self.note_iteration(lambda: self.objective(snes.getSolution())))
        self.snes.getKSP().setType("preonly")
        self.snes.getKSP().getPC().setType("lu")
        self.snes.getKSP().getPC().setFactorSolverType("mumps")

    def vector(self, rows):
        """Rows of vertices as a vector of PETSc."""
        vector = self.u.vector.duplicate()
        vector.array.reshape(-1, 3)[self.place] = rows
        return vector

    def rows(self, vector):
        return vector.array_r.reshape(-1, 3)[self.place]

    def forces(self, u):
        self.u.x.array[:] = self.vector(u).array_r
        result = self.u.vector.duplicate()
        assembly.assemble_vector(result, self.force)
        return self.rows(result)

    def inertia(self, u):
        return self.rows(self.mass * self.vector(u - self.free)) / self.scene.time_step**2

    def residual(self, snes, x, result):
        u = self.rows(x)
        unbalanced = self.forces(u) + self.inertia(u) - self.scene.external_forces
        self.vector(np.where(self.scene.is_held, 0.0, unbalanced)).copy(result)

    def tangent(self, snes, x, matrix, preconditioner):
        self.u.x.array[:] = x.array_r
        matrix.zeroEntries()
        assembly.assemble_matrix(matrix, self.stiffness)
        matrix.assemble()
        matrix.axpy(1 / self.scene.time_step**2, self.mass)
        matrix.zeroRowsColumns(self.held, 1.0)

    def objective(self, x):
        """What a step minimises, J."""
        u = self.rows(x)
        self.u.x.array[:] = x.array_r
        work = (0.5 * self.inertia(u) * (u - self.free) - self.scene.external_forces * u).sum()
        return fem.assemble_scalar(self.energy) + work

    def solve(self, start, tolerance):
        x = self.vector(start)
        self.snes.setTolerances(rtol=0.0, atol=tolerance, stol=0.0, max_it=100)
        self.snes.solve(None, x)
        if self.snes.getConvergedReason() <= 0:
            named = {v: k for k, v in vars(PETSc.SNES.ConvergedReason).items() if isinstance(v, int)}
            raise deformbench.Diverged(f"SNES: {named.get(self.snes.getConvergedReason())}")
        self.iterations = self.snes.getIterationNumber()
        return self.rows(x)


if __name__ == "__main__":
    deformbench.serve(DolfinxSolid)
