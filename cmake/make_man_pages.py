#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Man pages of `deformbench` and of each verb, made from what the command prints: its help and its first steps.

    cmake/make_man_pages.py COMMAND FOLDER
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# A terminal so wide that nothing is wrapped, and headings in English.
ENVIRONMENT = {**os.environ, "COLUMNS": "5000", "LC_ALL": "C.UTF-8", "LANGUAGE": "", "PYTHONDONTWRITEBYTECODE": "1"}
Entries = list[tuple[str, str]]


class Help:
    """The parts of a help text, in the form of CLI11 or of argparse."""

    def __init__(self, text: str) -> None:
        self.doc, self.usage = "", ""
        self.sections: dict[str, Entries] = {}
        self.handed_over: list[str] = []
        self.exit_codes: Entries = []
        text, _, footer = text.partition("\nHanded over to the Python package")
        verbs, _, codes = footer.partition("\nExit codes: ")
        self.handed_over = re.findall(r"[a-z][a-z-]*", verbs.partition(":")[2])
        for meaning in re.split(r",\s+(?=\d+ )", codes.strip(" .\n")) if codes else []:
            code, _, words = " ".join(meaning.split()).partition(" ")
            self.exit_codes.append((code, words))
        entries: Entries | None = None
        for line in filter(str.strip, text.splitlines()):
            if usage := re.match(r"[Uu]sage: (.*)", line):
                self.usage = usage[1]
            elif heading := re.fullmatch(r"(\w[\w ]*):", line):
                entries = self.sections.setdefault(heading[1].upper(), [])
            elif entries is None:
                self.doc = f"{self.doc} {line}".strip()
            elif entry := re.fullmatch(r" {2}(\S.*?)(?:(?: {2,}| (?<=^.{30}))(\S.*))?", line):  # CLI11's second column
                entries.append((entry[1], entry[2] or ""))
            else:
                entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}".strip())


def printed(command: str, *words: str) -> str:
    done = subprocess.run([command, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != (0 if words else 2):
        sys.exit(f"make_man_pages: {' '.join([command, *words])} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def roff(text: str) -> str:
    text = text.replace("\\", "\\(rs").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def listed(entries: Entries) -> str:
    """The names of options are bold, what follows them is not."""
    bold = [re.sub(r"(?<![\w\\])(\\-[\w\\-]+)", r"\\fB\1\\fR", roff(term)) for term, _ in entries]
    return "".join(f".TP\n{term}\n{roff(text)}\n" for term, (_, text) in zip(bold, entries, strict=True))


def page(name: str, doc: str, version: str, sections: dict[str, str]) -> str:
    if not doc:
        sys.exit(f"make_man_pages: the help of {name} has no line before its options, expected what it does")
    head = f'.TH {roff(name.upper())} 1 "" "{roff(version)}" "User Commands"\n'
    parts = {"NAME": f"{roff(name)} \\- {roff(doc)}\n", **sections}
    return head + "".join(f".SH {title}\n{text}" for title, text in parts.items())


def synopsis(usage: str) -> str:
    return f".nh\n.ad l\n{roff(usage)}\n.ad\n.hy\n"


def pages(command: str) -> dict[str, str]:
    """The text of each page by its name."""
    version = printed(command, "--version").splitlines()[0]
    top = Help(printed(command, "--help"))
    verbs = [name for name, _ in top.sections.pop("SUBCOMMANDS")] + top.handed_over
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        helps = dict(zip(verbs, map(Help, threads.map(lambda v: printed(command, v, "--help"), verbs)), strict=True))
    found = {}
    for verb, read in helps.items():
        sections = {title: listed(entries) for title, entries in read.sections.items()}
        sections = {"SYNOPSIS": synopsis(read.usage), **sections, "SEE ALSO": ".BR deformbench (1)\n"}
        found[f"deformbench-{verb}"] = page(f"deformbench-{verb}", read.doc, version, sections)
    commands = "".join(f".TP\n.BR deformbench\\-{roff(verb)} (1)\n{roff(read.doc)}\n" for verb, read in helps.items())
    sections = {"SYNOPSIS": synopsis(top.usage), "COMMANDS": commands}
    sections |= {title: listed(entries) for title, entries in top.sections.items()}
    sections |= {"EXAMPLES": f".nf\n{roff(printed(command))}.fi\n", "EXIT STATUS": listed(top.exit_codes)}
    return {"deformbench": page("deformbench", top.doc, version, sections), **found}


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("make_man_pages: expected the command and the folder of the pages")
    folder = Path(sys.argv[2])
    texts = pages(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("deformbench*.1"):
        old.unlink()
    for name, text in texts.items():
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
