# SPDX-License-Identifier: BSD-3-Clause
"""Made-up cells of position-based dynamics."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from made_up_traces import write_trace

PAPER = "mueller_et_al_2007/"


def write_cell(folder: Path, experiment: str, name: str, swept: Mapping[str, Any], **more: Any) -> Path:
    """write_trace of method pbd; `experiment` without its folder."""
    return write_trace(folder, f"{PAPER + experiment} pbd {name}", swept=swept, **more)
