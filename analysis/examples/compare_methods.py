# SPDX-License-Identifier: BSD-3-Clause
"""Runs two experiments of the tree quickly, prints a table of their cells, and draws how the tips move.

    python3 analysis/examples/compare_methods.py [FOLDER]

Traces and the picture go into FOLDER (default: example_results).
"""

from __future__ import annotations

import sys
from pathlib import Path

import deformbench

EXPERIMENTS = {"cross/cantilever": ["tip_displacement"], "cross/free_vibration": ["tip_displacement", "total_energy"]}


def main(folder: Path) -> None:
    """Runs, compares, draws."""
    for name, channels in EXPERIMENTS.items():
        results = deformbench.run(name, tier="smoke", out=folder / "traces")
        print(f"{name}: last values\n{deformbench.compare(results, name, channels).to_string(index=False)}\n")
        measured = deformbench.measurements(results, name)
        print(f"{measured[['measurement', 'value', 'unit']].to_string(index=False)}\n")
    picture = folder / "tips.png"
    deformbench.plot(results, "cross/free_vibration", "tip_displacement").figure.savefig(picture)
    print(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "example_results"))
