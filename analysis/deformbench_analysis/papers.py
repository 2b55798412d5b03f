# SPDX-License-Identifier: BSD-3-Clause
"""The papers that are known, with the paths of their parts: ours, and those of folders outside the tree
(docs/extending.md). Everything that reads declarations, claims, measurements, figures or records of a paper asks here
where they are; `experiments/harness/cells/papers.cpp` is the same lookup in C++."""

import importlib
import os
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .errors import InputError
from .json_files import read_object
from .nearest_names import suggestion
from .paths import experiments_dir, figures_dir

VARIABLE = "DEFORMBENCH_PAPERS"
ABOUT = "paper.json"
OURS = "experiments"  # the package in which modules of our papers are
OUTSIDE = "deformbench_papers"  # and that of papers outside the tree


@dataclass(frozen=True)
class Paper:
    """One paper, a folder. A part that it does not have is a path where nothing is,
    or a package that cannot be found."""

    name: str
    folder: Path
    is_outside: bool  # from a folder outside the tree
    declarations: Path  # folder
    claims: Path
    errata: Path
    about: Path  # its short name, citation and limitations
    registrations: Path  # digests of what is judged, and amendments
    verdicts: Path  # the record
    figure_index: Path  # the list of its figures
    scripts: Path  # folder of its figures
    measurements: str  # package
    figures: str  # package
    findings: Path  # sentences that open the report; may hold some of other papers too

    def sources(self) -> list[Path]:
        """The files that verdicts and figures depend on."""
        folders = [self.declarations, self.folder / "measurements", self.scripts]
        found = [*self.folder.iterdir(), *(p for folder in folders for p in folder.rglob("*"))]
        return [p for p in found if p.suffix in (".py", ".json", ".csv")]


def _in_folder(folder: Path) -> Paper:
    name = read_object(folder / ABOUT).get("paper")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InputError(
            f"{folder / ABOUT}: /paper: got {name!r}, expected the paper's name in lower case letters, digits and underscores"
        )
    ours = folder.parent == experiments_dir()
    scripts = figures_dir() / name if ours else folder / "figures"
    package = f"{OURS if ours else OUTSIDE}.{name}"
    declarations, as_before = folder / "declarations", folder / "experiments"
    return Paper(
        name=name,
        folder=folder,
        is_outside=not ours,
        declarations=as_before if as_before.is_dir() and not declarations.is_dir() else declarations,
        claims=folder / "claims.json",
        errata=folder / "errata.json",
        about=folder / ABOUT,
        registrations=folder / "registrations.json",
        verdicts=folder / "verdicts.json",
        figure_index=scripts / "figures.json",
        scripts=scripts,
        measurements=f"{package}.measurements",
        figures=f"paper_figures.{name}" if ours else f"{package}.figures",
        findings=(figures_dir() / "report" if ours else folder) / "findings.json",
    )


def _below(folder: Path) -> list[Paper]:
    """The paper that the folder is, or those that it holds, by name."""
    if (folder / ABOUT).exists():
        return [_in_folder(folder)]
    papers = [_in_folder(p.parent) for p in folder.glob(f"*/{ABOUT}")] if folder.is_dir() else []
    if not papers:
        raise InputError(
            f"papers in {folder}: {'none' if folder.is_dir() else 'no such folder'}, "
            f"expected a paper (a folder with {ABOUT}) or a folder of papers"
        )
    return sorted(papers, key=lambda p: p.name)


def known() -> list[Paper]:
    """Those of experiments/, then those of the folders in DEFORMBENCH_PAPERS. InputError where a folder holds no
    paper, or two have one name."""
    papers = {p.name: p for p in _below(experiments_dir())}
    for folder in filter(None, os.environ.get(VARIABLE, "").split(":")):
        for paper in _below(Path(folder).absolute()):
            other = papers.setdefault(paper.name, paper)
            if other.folder.resolve() != paper.folder.resolve():
                raise InputError(
                    f"paper {paper.name}: is in {other.folder} and in {paper.folder}, "
                    "expected every paper to have a name of its own"
                )
    return list(papers.values())


def find(name: str) -> Paper | None:
    """The paper of this name."""
    return next((p for p in known() if p.name == name), None)


def named(name: str) -> Paper:
    """The paper of this name; InputError where there is none."""
    paper = find(name)
    if paper is None:
        raise InputError(f"paper {name}: no such one{suggestion(name, (p.name for p in known()))}")
    return paper


@contextmanager
def also(folders: Iterable[str | Path]) -> Iterator[None]:
    """Adds folders to DEFORMBENCH_PAPERS, for this process and those that it starts, until the block ends."""
    before = os.environ.get(VARIABLE)
    listed = [before] if before else []
    for folder in map(str, folders):
        if not folder or ":" in folder:
            raise InputError(
                f'--papers "{folder}": expected a folder whose path has no colon, which separates folders in {VARIABLE}'
            )
        listed.append(os.path.abspath(folder))
    try:
        if listed:
            os.environ[VARIABLE] = ":".join(listed)
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def _package(name: str, folders: list[str]) -> None:
    """A package whose modules are in these folders. Modules of other folders under that name are forgotten."""
    package = sys.modules.get(name)
    if package is not None and list(package.__path__) == folders:
        return
    for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[module]
    package = ModuleType(name)
    package.__path__ = folders
    sys.modules[name] = package
    if "." in name:
        above, _, last = name.rpartition(".")
        setattr(sys.modules[above], last, package)


def _lead_to_ours() -> None:
    """Our papers can be imported even where the folder above them is not searched,
    or another package is called like them."""
    try:
        package = importlib.import_module(OURS)
    except ModuleNotFoundError:
        _package(OURS, [])
        package = sys.modules[OURS]
    folder = str(experiments_dir())
    if folder not in package.__path__:
        package.__path__.append(folder)


def module(paper: Paper, name: str) -> ModuleType:
    """A module of the paper, by its full name. Modules of a paper outside the tree import each other as those of a
    package: `from ..measurements.own_weight import …`."""
    if paper.is_outside:
        if OUTSIDE not in sys.modules:
            _package(OUTSIDE, [])
        _package(f"{OUTSIDE}.{paper.name}", [str(paper.folder)])
        importlib.invalidate_caches()
    else:
        _lead_to_ours()
    return importlib.import_module(name)


def measuring_modules(paper: Paper) -> list[str]:
    """Full names of the modules that hold its measurements."""
    try:
        package = module(paper, paper.measurements)
    except ModuleNotFoundError as error:
        if error.name != paper.measurements:
            raise
        return []
    return [m.name for m in pkgutil.walk_packages(package.__path__, f"{paper.measurements}.")]
