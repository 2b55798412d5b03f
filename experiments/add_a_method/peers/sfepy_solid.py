# SPDX-License-Identifier: BSD-3-Clause
"""Neo-Hookean tetrahedra of SfePy, implicit Euler.

    deformbench simulate beam.json --program "/usr/bin/python3 sfepy_solid.py" --method implicit_fem

SfePy's terms dw_tl_he_neohook and dw_tl_bulk_penalty, its assembly, and its Newton solver with a direct linear one.
The law is mu/2 (J^(-2/3) tr C - 3) + K/2 (J - 1)^2: no law of implicit_fem, but that of dolfinx_solid with
`law` isochoric_neo_hookean; all agree for small strains. Needs Debian's python3-sfepy.
"""

import peer

peer.packages(__doc__, "python3-sfepy", "2021.4", "sfepy")

import numpy as np  # noqa: E402
import scipy.sparse as sparse  # noqa: E402
from sfepy.base.base import IndexedStruct, output  # noqa: E402
from sfepy.discrete import Equation, Equations, FieldVariable, Integral, Material, Problem  # noqa: E402
from sfepy.discrete.fem import FEDomain, Field, Mesh  # noqa: E402
from sfepy.solvers.ls import ScipyDirect  # noqa: E402
from sfepy.solvers.nls import Newton  # noqa: E402
from sfepy.terms import Term  # noqa: E402

import deformbench  # noqa: E402


class SfepySolid(peer.ImplicitEuler):
    """Neo-Hookean linear tetrahedra of SfePy, implicit Euler by its Newton method."""

    paper = "SfePy 2021.4 (https://sfepy.org)"

    def __init__(self, scene, parameters):
        super().__init__(scene, parameters)
        output.set_output(quiet=True)
        groups = np.zeros(len(scene.rest_positions), dtype=np.int32)
        cells, kinds = scene.tetrahedra.astype(np.int32), np.zeros(len(scene.tetrahedra), dtype=np.int32)
        mesh = Mesh.from_data("body", scene.rest_positions, groups, [cells], [kinds], ["3_4"])
        whole = FEDomain("domain", mesh).create_region("whole", "all")
        field = Field.from_args("displacement", np.float64, "vector", whole, approx_order=1)
        u, v = FieldVariable("u", "unknown", field), FieldVariable("v", "test", field, primary_var_name="u")
        once = Integral("once", order=1)  # strains are constant in elements
        constants = {"mu": self.mu.reshape(-1, 1, 1), "bulk": (self.lame + 2 * self.mu / 3).reshape(-1, 1, 1)}
        m = Material("m", function=lambda ts, x, mode=None, **_: constants if mode == "qp" else None)
        terms = [
            Term.new(f"{term}(m.{key}, v, u)", once, whole, m=m, v=v, u=u)
            for term, key in (("dw_tl_he_neohook", "mu"), ("dw_tl_bulk_penalty", "bulk"))
        ]
        problem = Problem("step", equations=Equations([Equation("balance", terms[0] + terms[1])]))
        problem.time_update()
        problem.update_materials()
        self.elastic = problem.get_evaluator()
        self.moves = np.flatnonzero(~scene.is_held.ravel())
        self.mass = sparse.diags(np.repeat(scene.masses, 3)[self.moves] / scene.time_step**2)

    def forces(self, u):
        return self.elastic.eval_residual(u.ravel()).reshape(-1, 3)

    def solve(self, start, tolerance):
        def whole(moved):
            u = start.copy()
            u.flat[self.moves] = moved
            return u

        def residual(moved):
            u = whole(moved)
            return (self.forces(u) + self.inertia(u) - self.scene.external_forces).ravel()[self.moves]

        def tangent(moved):
            stiffness = self.elastic.eval_tangent_matrix(whole(moved).ravel()).tocsr()
            return stiffness[self.moves][:, self.moves] + self.mass

        status = IndexedStruct()
        newton = Newton({"i_max": 100, "eps_a": tolerance}, lin_solver=ScipyDirect({}), status=status)
        moved = newton(start.flat[self.moves], fun=residual, fun_grad=tangent)
        if status["condition"] != 0:
            raise deformbench.Diverged(f"residual {status['err']:.3g} N after {status['n_iter']} iterations")
        self.iterations = status["n_iter"]
        return whole(moved)


if __name__ == "__main__":
    deformbench.serve(SfepySolid)
