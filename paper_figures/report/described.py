# SPDX-License-Identifier: BSD-3-Clause
"""What the command says of its methods."""

import json
import subprocess
from typing import Any

from deformbench_analysis.errors import InputError
from deformbench_analysis.paths import command


def described() -> dict[str, dict[str, Any]]:
    """Method → its paper, parameters and known violations; empty where there is no command, or one that does not
    answer."""
    try:
        words = [str(command()), "list", "methods", "--json"]
        answer = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
        return {entry["id"]: entry for entry in json.loads(answer)}
    except (InputError, OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return {}
