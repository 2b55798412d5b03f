# SPDX-License-Identifier: BSD-3-Clause
"""A vocabulary of measurements: a quantity of one run, the runs that count, and a reduction.

    M = Measures("<paper>/strain_limit")
    positions = rows("positions", says="limits on positions alone")

    def excess(trace: Trace) -> float:
        \"\"\"Largest strain of an edge relative to the limit.\"\"\"

    M.largest("excess", excess, positions)
    M.least("excess_of_one_sweep", excess, positions.where(strain_limit_sweeps=1))

registers strain_limit.excess, "Largest strain of an edge relative to the limit: maximum over limits on positions
alone." All declared runs count: one that did not end as declared raises MissingData, unless the rows say why it may
be missing.
"""

from .. import extremes
from ..arrays import Array
from ..errors import MissingData
from ..measurement import Measured, measurement
from ..results import ExperimentData, Results
from ..trace import Trace
from .measures import Measure, Measures
from .quantities import Quantity, difference, order, parameter, quantity, ratio
from .rows import EVERY_RUN, Rows, rows

# including what measurements need from other modules
__all__ = ["Array", "ExperimentData", "Measured", "MissingData", "Results", "Trace", "extremes", "measurement"]
__all__ += ["EVERY_RUN", "Measure", "Measures", "Quantity", "Rows", "difference", "order", "parameter", "quantity"]
__all__ += ["ratio", "rows"]
