# SPDX-License-Identifier: BSD-3-Clause
"""What a variant of the machine gave, and how far it may differ from the plain run."""

import math
from dataclasses import dataclass, field

# What two machines may differ by. Values: a share of the larger one, or a size below which a unit's values are
# rounding: of sums over bodies of about 1 m, 1 kg and 1 s, whose 2⁻⁵³ is multiplied by numbers of terms, conditions
# and steps.
RELATIVE = 1e-6
ABSOLUTE = {"1": 1e-9, "m": 1e-12, "rad": 1e-12, "kg m": 1e-12, "kg m^2": 1e-12, "kg m/s": 1e-9, "kg m^2/s": 1e-9}
# Measurement → why it may differ without bounds; its verdict may not.
MAY_DIFFER = {
    "deformation_gradients.error": "rounding itself, in units of ε",
    "bent_gradients.error": "rounding itself, in units of ε",
    "spurious_modes.rigid_frequency": "square root of the rounding of eigenvalues that are 0",
}


@dataclass
class Outcome:
    """What a variant gave: exit codes by step, verdicts by claim, values with units by measurement, results by
    test."""

    codes: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[float | None, str]] = field(default_factory=dict)
    tests: dict[str, str] = field(default_factory=dict)


def agree(one: float | None, other: float | None, unit: str) -> bool:
    """Within RELATIVE of the larger one, or within ABSOLUTE of the unit; what is no number agrees with itself
    alone."""
    if one is None or other is None or not math.isfinite(one) or not math.isfinite(other):
        return repr(one) == repr(other)
    return abs(one - other) <= max(RELATIVE * max(abs(one), abs(other)), ABSOLUTE.get(unit, 0.0))


def compare(plain: Outcome, other: Outcome) -> list[str]:
    """Differences, one line each. Steps and tests are compared where both ran them, all verdicts and values."""
    found = []
    for what in ("codes", "tests", "verdicts", "values"):
        ours, theirs = getattr(plain, what), getattr(other, what)
        if what in ("verdicts", "values"):
            found += [
                f"{name}: only in {'the plain run' if name in ours else 'this run'}"
                for name in sorted({*ours} ^ {*theirs})
            ]
        for name in sorted({*ours} & {*theirs}):
            if what != "values" and ours[name] != theirs[name]:
                found.append(f"{name}: {ours[name]} → {theirs[name]}")
            if what == "values" and name not in MAY_DIFFER and not agree(ours[name][0], theirs[name][0], ours[name][1]):
                found.append(f"{name}: {ours[name][0]!r} → {theirs[name][0]!r} {ours[name][1]}")
    return found
