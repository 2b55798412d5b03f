#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The commands of the guides: the fenced blocks of `sh`, and the commands in running text.

A block of `sh` is run by test_guides.py as it stands, unless its fence says why not: `sh parsed: takes an hour`.
Commands that are not run are parsed: each verb, option, experiment, method, scene and file that they name must exist.
This program lists all blocks:

    tests/consumer/guides.py
"""

import json
import os
import re
import shlex
import subprocess
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", flags=re.S | re.M)
FILE = re.compile(r"^ *`([\w./]+\.\w+)`\n\n( *)```\w+\n(.*?)^\2```$", flags=re.S | re.M)
COMMAND = re.compile(
    r"(\w+=\S+ )*(deformbench |ctest |cmake |\./|[\w/]*bin/python3? |(build|tests|cmake)/[\w./]+( |$))"
)
PLACEHOLDER = re.compile(r"[…<>*$]|^[A-Z]+([.=]|$)|^my_|^\.\.\.$")  # FILE, <tier>, my_method
FOLDERS = "tests|cmake|analysis|docs|experiments|methods|paper_figures|reference_data"
IN_THE_TREE = re.compile(rf"^(\./)?(({FOLDERS})/|\w+$)")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, and its text."""

    guide: str
    line: int
    language: str
    why_not: str
    text: str

    @property
    def is_run(self) -> bool:
        return self.language == "sh" and not self.why_not


def guides() -> list[str]:
    patterns = (
        "README.md CONTRIBUTING.md docs/*.md methods/*/README.md experiments/*/README.md analysis/README.md".split()
    )
    return [str(p.relative_to(ROOT)) for pattern in patterns for p in sorted(ROOT.glob(pattern))]


def text_of(guide: str) -> str:
    return (ROOT / guide).read_text(encoding="utf-8")


def blocks(guide: str, text: str | None = None) -> list[Block]:
    text = text_of(guide) if text is None else text
    found = []
    for match in FENCE.finditer(text):
        language, _, note = match[2].partition(" ")
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(guide, line, language, note.removeprefix("parsed:").strip(), textwrap.dedent(match[3])))
    return found


def without_a_reason(guide: str, text: str | None = None) -> Iterator[str]:
    """Blocks that nothing would look at: commands without the word `sh`, or words behind it that are no reason."""
    text = text_of(guide) if text is None else text
    for match in FENCE.finditer(text):
        language, _, note = match[2].partition(" ")
        where = f"{guide}:{text.count(chr(10), 0, match.start()) + 1}"
        if language == "sh" and note and not re.fullmatch(r"parsed: \S.{8,}", note):
            yield f"{where}: got '{note}' behind sh, expected nothing or 'parsed: why it is not run'"
        if language in ("", "bash", "shell", "console") and any(
            map(COMMAND.match, textwrap.dedent(match[3]).splitlines())
        ):
            yield f"{where}: commands in a block of '{language}', expected sh"


def inline_commands(text: str) -> list[str]:
    spans = (" ".join(m[1].split()) for m in re.finditer(r"`([^`]+)`", FENCE.sub("", text)))
    return [span.replace("\\|", "|") for span in spans if COMMAND.match(span)]


def commands_in_comments() -> list[tuple[str, str]]:
    """Commands that the examples of docs/add_a_method.md name in their comments."""
    files = sorted(p for p in (ROOT / "experiments/add_a_method").glob("*/*") if p.is_file())
    texts = {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8") for p in files}
    found = re.compile(r"^(?://)? {3,}(deformbench (?:run|simulate) .*)$", flags=re.M)
    return [(name, command) for name, text in texts.items() for command in found.findall(text)]


def simple_commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a script, without comments, redirections and assignments in front."""
    for line in re.sub(r"<(\w+)>", lambda match: match[1].upper(), text.replace("\\\n", " ")).splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>{}")
        lexer.whitespace_split = True
        words: list[str] = []
        for word in [*lexer, ";"]:
            if set(word) <= set("|&;{}"):
                while words and re.match(r"\w+=", words[0]):
                    words.pop(0)
                if words:
                    yield words
                words = []
            else:
                words.append(word)


# ---- What there is


def output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=3600).stdout


@cache
def listed(kind: str) -> set[str]:
    """Ids that `deformbench list` knows, and short names of experiments."""
    ids = {entry["id"] for entry in json.loads(output(os.environ["DEFORMBENCH"], "list", kind, "--json"))}
    return ids | {name.split("/")[-1] for name in ids if kind == "experiments"}


@cache
def entries() -> set[str]:
    """Names and ids of the methods that declarations have, among them those from outside."""
    declared = json.loads(output(os.environ["DEFORMBENCH"], "list", "experiments", "--json"))
    rows = [row for e in declared for row in e["declaration"]["methods"]]
    return {row["method"] for row in rows} | {row.get("name", "") for row in rows} | listed("methods")


@cache
def options(verb: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", output(os.environ["DEFORMBENCH"], verb, "--help")))


@cache
def verbs() -> set[str]:
    text = output(os.environ["DEFORMBENCH"], "--help")
    handed_over = re.search(r"Handed over to the Python package[^\n]*\n([a-z |]+)", text)
    assert handed_over is not None
    return set(re.findall(r"^  ([a-z][a-z-]+)  ", text, flags=re.M)) | set(re.findall(r"[a-z]+", handed_over[1]))


def is_made(word: str) -> bool:
    """A file or folder that the reader has or makes, or a placeholder."""
    return PLACEHOLDER.search(word) is not None or "." in word or word in ("all", "results", "out")


def names_after(verb: str) -> set[str] | None:
    """What the words behind the verb must be; None: files."""
    known = {
        "list": {"methods", "scenes", "experiments", "references", "claims", "channels"},
        "new": {"method", "paper"},
        "compare": entries(),
        "simulate": listed("scenes"),
        "export-scene": listed("scenes"),
        **{name: listed("experiments") for name in ("run", "time", "status")},
    }
    if verb == "describe":
        return {name for kind in known["list"] for name in listed(kind)}
    return known.get(verb)


def known_values(option: str) -> set[str] | None:
    papers = {p.parent.name for p in (ROOT / "experiments").glob("*/paper.json")}
    indexes = [json.loads(p.read_text()) for p in (ROOT / "paper_figures").glob("*/figures.json")]
    figures = {f["id"] for index in indexes for f in index["figures"]}
    return {
        "--tier": {"smoke", "paper", "large"},
        "--method": entries(),
        "--experiment": listed("experiments"),
        "--claim": listed("claims"),
        "--paper": papers,
        "--only": figures,
    }.get(option)


def findings_of_deformbench(words: list[str], made: set[str]) -> Iterator[str]:
    if not words:
        return
    verb, *rest = words
    if verb not in verbs():
        yield f"no verb '{verb}'"
        return
    option = ""
    for word in rest:
        if word.startswith("-"):
            option = word.split("=")[0]
            if option not in options(verb):
                yield f"{verb} has no option '{option}'"
            continue
        known = known_values(option) if option else names_after(verb)
        if verb == "new" and word not in ("method", "paper"):
            continue
        name = word.split(":")[0]  # ID:parameter=value
        if known is not None and name not in known | made and not is_made(name):
            yield f"{verb} {option}: no '{name}'".replace(" :", ":")
        if option not in ("--method", "--channel", "--set", "--experiment", "--paper", "--plugin"):
            option = ""


def files_of(guide: str) -> Iterator[tuple[str, str]]:
    """The files that a guide has its reader write: a block below a line that is a path."""
    for path, _, text in FILE.findall(text_of(guide)):
        yield path, textwrap.dedent(text)


def made_by(guide: str) -> set[str]:
    """Names that a guide introduces: its files, and what is quoted in them and in its pieces of files."""
    texts = [block.text for block in blocks(guide) if block.language not in ("", "sh")]
    names = {path for path, _ in files_of(guide)} | {n for text in texts for n in re.findall(r'"([\w/-]+)"', text)}
    return names | {name.split("/")[-1] for name in names}


def findings(text: str, made: frozenset[str] | set[str] = frozenset()) -> Iterator[str]:
    """What a script names and is not there."""
    presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    for words in simple_commands(text):
        program = words[0]
        if program.endswith(("deformbench", "_bench")):
            yield from findings_of_deformbench(words[1:], set(made))
        for option, word in zip(words, words[1:]):
            if option == "--preset" and word not in presets:
                yield f"no preset '{word}' in CMakePresets.json"
        for word in words if program not in ("export", "printf") else []:
            if (
                "/" in word
                and IN_THE_TREE.match(word)
                and not PLACEHOLDER.search(word)
                and word not in made
                and not (ROOT / word).exists()
            ):
                yield f"no file '{word}'"


if __name__ == "__main__":
    for name in guides():
        for block in blocks(name):
            if block.language == "sh":
                print(f"{name}:{block.line}: {'run' if block.is_run else f'parsed: {block.why_not}'}")
