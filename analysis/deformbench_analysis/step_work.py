# SPDX-License-Identifier: BSD-3-Clause
"""Work of the iterations of one step in a common unit: gradients of all elements."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from .arrays import Array
from .trace import Trace

# In element gradients: an energy; a Hessian with eigenvalues; a product with the element's matrix; force and 3×3
# block of one corner; the 3×3 solve of a vertex. Each may be half or twice as much.
COSTS = {"energies": 0.5, "hessians": 10.0, "products": 0.5, "corners": 1.0, "local_solves": 0.3}
PLAIN = dict.fromkeys(COSTS, 1.0)


@lru_cache(maxsize=128)
def _counts(trace: Trace) -> dict[str, Array]:
    return {name: trace.values("iteration", f"work_{name}") for name in (*COSTS, "gradients") if name != "corners"}


def work(trace: Trace, factors: Mapping[str, float] = PLAIN) -> Array:
    """Work up to every iteration in gradients of all elements. A corner's force and block are one number."""
    count = _counts(trace)
    cost = {name: COSTS[name] * factors[name] for name in COSTS}
    elements = float(trace.tetrahedra or 0)
    rest = count["energies"] * cost["energies"] + count["local_solves"] * cost["local_solves"]
    if trace.method_id == "vbd":
        return np.asarray((rest + count["gradients"] * cost["corners"]) / elements)
    newton = count["gradients"] + count["hessians"] * cost["hessians"]
    return np.asarray((rest + newton) / elements + count["products"] * cost["products"])
