# SPDX-License-Identifier: BSD-3-Clause
"""The ledgers of errata: loading, and the bounds that numbers of the corrected reading must keep."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import papers
from .json_files import read_object
from .measurement import Value
from .schemas import check_errata
from .verdicts import Comparison, Outcome, compare


@dataclass(frozen=True)
class Size:
    """A measurement that shows how large an erratum is; `bound` is a comparison that it must meet,
    where it can be wrong."""

    measurement: str
    experiment: str
    bound: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Erratum:
    """One entry. Either `sizes` names measurements, or `notation` says why there is nothing to measure."""

    id: str
    tag: str
    where: str
    meant: str
    switch: dict[str, str]
    sizes: list[Size]
    notation: str

    @property
    def measured_by(self) -> list[str]:
        """Names of the measurements that show its size."""
        return [s.measurement for s in self.sizes]

    @property
    def experiments(self) -> list[str]:
        """Ids of the experiments that are measured, one per size."""
        return [s.experiment for s in self.sizes]

    def switch_text(self) -> str:
        """The parameter that chooses between text and correction, with both values; a dash where there is none."""
        s = self.switch
        return (
            f"{s['method']}: {s['parameter']} = {s['as_printed']} (as printed), {s['corrected']} (corrected)"
            if s
            else "–"
        )


def of_paper(paper: str) -> list[Erratum]:
    """The errata of a paper in the order of the file; none when there is no file."""
    of = papers.find(paper)
    if of is None or not of.errata.exists():
        return []
    document = read_object(of.errata)
    check_errata(document, f"{of.errata}: ")

    def entry(e: dict[str, Any]) -> Erratum:
        sizes = [Size(m["measurement"], m["experiment"], m.get("bound")) for m in e.get("measured_by", [])]
        return Erratum(
            e["id"], e["tag"], e["where"], e["meant"], dict(e.get("switch", {})), sizes, e.get("notation", "")
        )

    return [entry(e) for e in document["errata"]]


def bounds(errata: Iterable[Erratum], look: Callable[[str], Value]) -> list[tuple[Erratum, Comparison]]:
    """Every bound of the ledger with what was measured."""
    return [
        (
            e,
            Comparison(
                look(s.measurement),
                s.bound["op"],
                s.bound["value"],
                compare(s.bound, look(s.measurement), False),
                s.bound["origin"],
            ),
        )
        for e in errata
        for s in e.sizes
        if s.bound is not None
    ]


def broken_bounds(errata: Iterable[Erratum], look: Callable[[str], Value]) -> list[str]:
    """A line for each bound that does not hold; one without a trace is no failure."""
    return [f"erratum {e.id}: {c.text()}" for e, c in bounds(errata, look) if c.outcome is Outcome.FALSE]
