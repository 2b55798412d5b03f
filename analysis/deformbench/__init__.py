# SPDX-License-Identifier: BSD-3-Clause
"""deformbench from Python: run experiments, and look at what they recorded (docs/python.md).

    import deformbench

    results = deformbench.run("cross/cantilever", tier="smoke", out="results")
    print(deformbench.compare(results, "cross/cantilever"))
    deformbench.plot(results, "cross/cantilever", "tip_displacement").figure.savefig("tips.png")

Simulations are run by the command `deformbench`; what is here starts it, and reads the traces that it leaves. Bad
input is an InputError with one line; a selection that matches nothing is NothingSelected."""

from deformbench_analysis.errors import InputError, MissingData, NothingSelected
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace

from .looking import compare, load, measurements, plot, verdicts
from .method import Diverged, Method, Parameter, Scene, serve
from .running import command, run

__all__ = ["Diverged", "ExperimentData", "InputError", "Method", "MissingData", "NothingSelected", "Parameter"]
__all__ += ["Results", "Scene", "Trace", "command", "compare", "load", "measurements", "plot", "run", "serve"]
__all__ += ["verdicts"]
