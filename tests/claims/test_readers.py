# SPDX-License-Identifier: BSD-3-Clause
"""Every registered measurement has a reader: a claim, an erratum, a finding, a figure or a guide."""

import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import CodeType

import pytest

from deformbench_analysis import papers
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.measurement import Measurement, load_all
from deformbench_analysis.paths import figures_dir, project_root
from deformbench_analysis.vocabulary import Measure

# Read by people alone: a name, `*` for every experiment or every quantity → why it stays.
READ_BY_PEOPLE = {
    "*.census_crossings": "counts what crosses in all steps that `deformbench run … --tier large` records",
    "*.census_steps": "the number of steps judged: a census of 0 crossings means nothing without it",
    "frame_cost.runs_not_finite": "the times that `deformbench time frame_cost` prints of a failed run mean nothing",
}
DECLARATIONS = all_declarations()
NAME = re.compile(r"(?<![\w.])[a-z]\w*\.\w+")


@cache
def texts() -> list[str]:
    """Claims, errata, findings, figures and guides. Not the records: they repeat what the claims read."""
    root = project_root()
    files = [f for paper in papers.known() for f in (paper.claims, paper.errata) if f.exists()]
    files += [f for f in figures_dir().rglob("*") if f.suffix in (".py", ".json")]
    files += [root / "README.md", *(root / "docs").glob("*.md")]
    return [f.read_text(encoding="utf-8") for f in files]


@cache
def names_in_texts() -> frozenset[str]:
    """Everything there that has the form of a measurement's name."""
    return frozenset(name for text in texts() for name in NAME.findall(text))


def functions_read(source: str) -> set[str]:
    """The functions of modules of measurements that a script reads: `<module>.<function>`."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "measurements" in (node.module or "").split(".")
        for alias in node.names
    }
    attributes = {
        f"{imported[node.value.id]}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported
    }
    return set(imported.values()) | attributes


@cache
def functions_of_figures() -> frozenset[str]:
    """Functions of measurements that figures call without the registered name."""
    scripts = figures_dir().rglob("*.py")
    return frozenset(f for s in scripts for f in functions_read(s.read_text(encoding="utf-8")))


def is_shown_on_a_page_without_claims(entry: Measurement) -> bool:
    """Whether neither the experiment nor its page has a claim: the page's table of measurements is the result."""
    declaration, paper = DECLARATIONS.get(entry.experiment), papers.find(entry.experiment.split("/")[0])
    return bool(declaration and declaration.exploratory and paper and not paper.claims.exists())


def keys_of(name: str) -> set[str]:
    """The entries of the list above that are of this measurement."""
    experiment, quantity = name.split(".")
    return {name, f"*.{quantity}", f"{experiment}.*"} & READ_BY_PEOPLE.keys()


def is_read(entry: Measurement) -> bool:
    """Whether anyone reads this one measurement."""
    name = getattr(entry.function, "__qualname__", entry.name.split(".")[-1])  # of the vocabulary: where it is assigned
    function = f"{entry.function.__module__}.{name}"
    return (
        entry.name in names_in_texts()
        or function in functions_of_figures()
        or bool(keys_of(entry.name))
        or is_shown_on_a_page_without_claims(entry)
    )


def source_of(entry: Measurement) -> tuple[str, int]:
    """Module and first line of the function. One that is registered for several rows stays if one of them is read."""
    if isinstance(entry.function, Measure):
        return entry.function.__module__, entry.function.line
    code = getattr(inspect.unwrap(entry.function), "__code__", None)
    assert isinstance(code, CodeType), f"{entry.name} is no function"
    return entry.function.__module__, code.co_firstlineno


def orphans(registry: Mapping[str, Measurement]) -> list[str]:
    """The measurements that nobody reads."""
    read = {source_of(entry) for entry in registry.values() if is_read(entry)}
    return [name for name, entry in registry.items() if source_of(entry) not in read]


def by_experiment(names: Iterable[str]) -> str:
    """A line for each experiment."""
    lines: dict[str, list[str]] = {}
    for name in names:
        lines.setdefault(name.split(".")[0], []).append(name.split(".")[1])
    return "".join(f"\n  {e}: {', '.join(q)}" for e, q in sorted(lines.items()))


def test_every_measurement_has_a_reader() -> None:
    found = orphans(load_all())
    assert not found, (
        f"{len(found)} measurements are read by no claim, erratum, finding, figure or guide; "
        f"expected each to be used or deleted with its tests:{by_experiment(found)}"
    )


def made(name: str, experiment: str = "mueller_gross_2004/rotation_artefact") -> Measurement:
    return Measurement(name, "1", experiment, "Made.", False, lambda data: 1.0)


def test_a_measurement_without_a_reader_is_named() -> None:
    used = load_all()["rotation_artefact.linear_volume_error"]
    unused = made("rotation_artefact.made_unread")
    assert orphans({used.name: used, unused.name: unused}) == [unused.name]
    assert by_experiment([unused.name]) == "\n  rotation_artefact: made_unread"


def test_a_row_that_nobody_reads_stays_with_one_that_is_read() -> None:
    used = load_all()["rotation_artefact.linear_volume_error"]
    row = Measurement("rotation_artefact.another_row", "1", used.experiment, "Made.", False, used.function)
    assert orphans({row.name: row}) == [row.name]
    assert orphans({row.name: row, used.name: used}) == []


def test_a_page_without_claims_reads_its_experiments_and_a_paper_does_not() -> None:
    assert is_shown_on_a_page_without_claims(made("twist.made_unread", "cross/twist"))
    for experiment in ("cross/ms_per_step", "mueller_gross_2004/constructions"):  # one of a claim, one of a paper
        assert not is_shown_on_a_page_without_claims(made(f"{experiment.split('/')[1]}.made_unread", experiment))


@pytest.mark.parametrize(
    "source,read",
    [
        ("from a.measurements.b import c as m\nm.size(data)", {"a.measurements.b.c", "a.measurements.b.c.size"}),
        ("from a.measurements.b.c import size", {"a.measurements.b.c.size"}),
        ("from a.other import c as m\nm.size(data)", set()),
    ],
)
def test_a_figure_reads_the_functions_that_it_calls(source: str, read: set[str]) -> None:
    assert functions_read(source) == read


def test_the_list_of_those_read_by_people_is_short_and_of_the_present() -> None:
    assert {key for name in load_all() for key in keys_of(name)} == READ_BY_PEOPLE.keys()
    assert len(READ_BY_PEOPLE) <= 10
