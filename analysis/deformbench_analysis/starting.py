# SPDX-License-Identifier: BSD-3-Clause
"""`deformbench new`: a folder to start from, whole or not at all, from the files in templates/.

A template ends in `.in`; `%%{name}` in it, and `PAPER` or `METHOD` in its path, are filled in.
One that begins with `#!` becomes executable."""

import os
import re
import shutil
import string
from collections.abc import Mapping
from pathlib import Path

from . import papers, registration
from .claims import load_claims
from .declarations import all_declarations
from .errors import InputError
from .records import read_record, write_record

TEMPLATES = Path(__file__).with_name("templates")
KINDS = ("paper", "method")


class _Template(string.Template):
    delimiter = "%%"  # `$` and `@` are common in what is filled in


def name_of(folder: Path, kind: str) -> str:
    """The name that the folder gives to what is in it: its own, in lower case letters, digits and underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", folder.name.lower()).strip("_")
    if not re.match(r"[a-z]", name):
        raise InputError(
            f"new {kind} {folder}: expected a folder whose name begins with a letter, which names the {kind}"
        )
    return name


def words_for(kind: str, name: str) -> dict[str, str]:
    """What is filled in for a name."""
    return {
        kind: name,
        "title": name.replace("_", " ").title(),
        "claim": name.replace("_", "").upper(),
        "class": "".join(part.capitalize() for part in name.split("_")),
    }


def _fill(template: Path, target: Path, words: Mapping[str, str]) -> None:
    text = _Template(template.read_text(encoding="utf-8")).substitute(words)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    if text.startswith("#!"):
        target.chmod(target.stat().st_mode | 0o111)


def _seal(folder: Path, name: str) -> None:
    """Registers the claims of a fresh paper, and puts their seals into its record."""
    with papers.also([folder]):
        paper, declarations = papers.named(name), all_declarations()
        seals = {c.id: registration.seal(c, declarations).data() for c in load_claims(paper.claims, name)}
        registration.write(paper, {k: {"registered": registration.today(), **seal} for k, seal in seals.items()})
        write_record(paper.verdicts, name, {k: {**e, **seals[k]} for k, e in read_record(paper.verdicts).items()})


def make_new(kind: str, named: str | Path) -> Path:
    """Makes the folder, which must not be there or be empty. InputError otherwise; then nothing is written."""
    folder = Path(os.path.abspath(named))
    name = name_of(folder, kind)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise InputError(f"new {kind} {named}: exists already, expected a folder that does not, or an empty one")
    source = TEMPLATES / kind
    templates = sorted(source.rglob("*.in"))
    if not templates:
        raise InputError(f"new {kind}: no templates in {source}, expected those that come with this package")
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    try:
        for template in templates:
            path = str(template.relative_to(source)).removesuffix(".in").replace(kind.upper(), name)
            _fill(template, fresh / path, words_for(kind, name))
        if folder.exists():  # it may be where the caller is, and stays the same folder
            for part in fresh.iterdir():
                part.rename(folder / part.name)
        else:
            fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    if kind == "paper":
        _seal(folder, name)
    return folder
