# SPDX-License-Identifier: BSD-3-Clause
"""Runs a method of one's own beside others in two experiments: docs/compare_methods.md shows it with what it prints.

    /usr/bin/python3 analysis/examples/compare_methods.py [FOLDER]

Traces and the picture go into FOLDER (default: example_results)."""

# %% [markdown]
# # A method in Python beside others
# [`backward_euler.py`](../analysis/examples/backward_euler.py) is a class over numpy arrays: linear tetrahedra,
# backward Euler, one sparse factorization. The harness starts it as a program, passes it the scenes of the
# experiments, and records it like its own methods.

# %%
import shlex
import sys
from pathlib import Path

import deformbench

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example_results")
mine = shlex.join([sys.executable, str(Path(__file__).with_name("backward_euler.py"))])
methods = ["linear_fem", "warped_fem"]
MESH = {"scene.parameters.cells_across": 2}


def run(experiment: str) -> deformbench.Results:
    """The experiment on one mesh, by three methods."""
    return deformbench.run(experiment, tier="smoke", methods=methods, programs=[mine], set=MESH, out=folder)


# %% [markdown]
# ## A beam that bends under its own weight
# The static tip must match `linear_fem`: the elements are the same.

# %%
results = run("cross/cantilever")
print(deformbench.compare(results, "cantilever", ["tip_displacement"]).to_string(index=False))

# %% [markdown]
# ## A beam that swings
# The final tip must match too: `linear_fem` also uses backward Euler. What a program does not report, such as
# elastic energy, is NaN.

# %%
results = run("cross/free_vibration")
print(deformbench.compare(results, "free_vibration", ["tip_displacement", "total_energy"]).to_string(index=False))

# %% [markdown]
# The whole history is one call:

# %%
deformbench.plot(results, "free_vibration", "tip_displacement").figure.savefig(folder / "tips.png")
