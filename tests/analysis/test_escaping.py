# SPDX-License-Identifier: BSD-3-Clause
"""Whatever text a foreign trace, paper or file name holds is text on every page, and never a tag or an attribute."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, write_trace
from made_up_paper import declaration, write, write_paper

from deformbench_analysis.claims import load_claims
from deformbench_analysis.trace import Trace
from paper_figures import style, verbs
from paper_figures.report import figure_blocks
from paper_figures.report.templating import environment

HOSTILE = """<script pwned>"'><b pwned>&lt; ' pwned=' " pwned=" """
STRUCTURE = ("paper", "op", "min_tier", "kind", "variant", "tag", "figure")  # what a paper must say in given words
MEASURED = ("measurement", "experiment", "experiments", "best")  # names of what there is elsewhere
NAMES = (*MEASURED, "id", "behind")
EXPERIMENT = "made_up/swelling"


class Tags(HTMLParser):
    """Collects what HOSTILE would add to a page: attributes, and scripts that are not the one of all pages."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.scripts: list[str] = []
        self.is_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_script = tag == "script"
        if (tag == "script" and attrs) or any(name.startswith("pwned") for name, _ in attrs):
            self.found.append(f"<{tag}> at {self.getpos()}: {(self.get_starttag_text() or '')[:120]}")

    def handle_data(self, data: str) -> None:
        self.scripts += [data] if self.is_script else []

    def handle_endtag(self, tag: str) -> None:
        self.is_script = False


def poisoned(tree: Any, kept: tuple[str, ...]) -> Any:
    """Every string of a JSON document with HOSTILE behind it, but for the keys that are kept."""
    if isinstance(tree, dict):
        return {k: v if k in kept else poisoned(v, kept) for k, v in tree.items()}
    if isinstance(tree, list):
        return [poisoned(v, kept) for v in tree]
    return tree + HOSTILE if isinstance(tree, str) else tree


def hostile_paper(folder: Path, kept: tuple[str, ...]) -> Path:
    """Every text of a paper outside the tree: notes, claims, errata, findings, figures, and what measurements say of
    themselves."""
    write_paper(folder)
    size = {
        "measurement": "swelling.largest",
        "experiment": EXPERIMENT,
        "bound": {"op": "<", "value": 9, "origin": "o"},
    }
    switch = {"method": "m", "parameter": "p", "as_printed": "a", "corrected": "c"}
    erratum = {"tag": "E", "where": "w", "meant": "m", "switch": switch}
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    (claim,) = claims["claims"]
    (leaf,) = [claim["predicate"]]
    claims["claims"] += [
        {**claim, "id": "MADE-02", "variant": "as_printed", "deviations": ["d"], "predicate": {**leaf, "value": -1}},
        {**claim, "id": "MADE-03", "predicate": {**leaf, "value": -1}, "holds_in_regime": {"regime": "r", **leaf}},
        {
            **claim,
            "id": "MADE-04",
            "predicate": None,
            "verdict": "not_testable",
            "missing": "m",
            "best": [leaf["measurement"]],
        },
        {**claim, "id": "MADE-05", "predicate": None, "experiments": [], "waits_for": "w", "why_no_mutant": "y"},
    ]
    when = {"measurement": "swelling.largest", "op": ">", "value": 0, "origin": "o"}
    finding = {
        "sentence": "It grows {swelling.largest:.1f} times.",
        "figure": "fig_1_swelling",
        "behind": ["MADE-01", "B-1"],
    }
    documents = {
        "claims.json": (claims, ("verdict",)),
        "paper.json": ({"paper": "made_up", "short": "s", "citation": "c", "limitations": ["l"]}, ()),
        "errata.json": (
            {
                "errata": [
                    {**erratum, "id": "B-1", "measured_by": [size]},
                    {k: v for k, v in erratum.items() if k != "switch"} | {"id": "B-2", "notation": "n"},
                ]
            },
            (),
        ),
        "findings.json": (
            {"findings": [{**finding, "id": "f1", "when": when}, {**finding, "id": "f2", "when": {**when, "op": "<"}}]},
            (),
        ),
    }
    for name, (document, more) in documents.items():
        write(folder / name, poisoned(document, (*STRUCTURE, *kept, *more)))
    index = json.loads((folder / "figures" / "figures.json").read_text(encoding="utf-8"))
    for kind in ("drawn", "not_drawn", "broken"):
        script = (folder / "figures" / "fig_1_swelling.py").read_text(encoding="utf-8")
        script = script.replace('"Volume"', repr("Volume" + HOSTILE)).replace("{{", "{").replace("}}", "}")
        script = (
            script.replace("largest(data)", "largest(data).value")
            .replace('f"Machine', f'{HOSTILE!r} f"Machine')
            .replace('"largest"', repr("largest" + HOSTILE))
        )
        script = script.replace("make(results, out_dir):", "make(results, out_dir):\n" + {
            "drawn": "    pass",
            "not_drawn": f"    from deformbench_analysis.errors import MissingData\n    raise MissingData({HOSTILE!r})",
            "broken": f"    raise ValueError({HOSTILE!r})",
        }[kind])  # fmt: skip
        script = (
            script.replace("    return FigureEntry(", "    entry = FigureEntry(")
            + f"    entry.failed = [{HOSTILE!r}]\n    return entry\n"
        )
        write(folder / "figures" / f"{kind}.py", script)
        index["figures"].append(poisoned({**index["figures"][0], "id": kind}, ("id", "experiments")))
    write(folder / "figures" / "figures.json", index)
    module = folder / "measurements" / "swelling.py"
    text = module.read_text(encoding="utf-8").replace('unit="1"', f"unit={HOSTILE!r}")
    text = text.replace("The largest", HOSTILE.replace('"', "'") + " The largest")
    text = text.replace("return max(", f"return Measured(note={HOSTILE!r}, value=max(").replace("some())", "some()))")
    write(module, text.replace("import measurement", "import Measured, measurement"))
    return folder


def hostile_results(folder: Path) -> Path:
    """A completed cell, one that ended as nobody knows, and one without a trace, with HOSTILE in every string they
    have but the cell and experiment that their names must repeat."""
    for name in ("a", "b", "c"):
        own = HOSTILE + name
        path = write_trace(
            folder,
            f"{EXPERIMENT} {own} {own}",
            parameters={own: own},
            scene={own: own},
            swept={HOSTILE: own},
            expect={"status": HOSTILE if name == "b" else "completed"},
            reason=own,
            units={"volume": HOSTILE, HOSTILE: HOSTILE},
            events=[(0, 0.0, HOSTILE, 0, HOSTILE)],
            references={HOSTILE: {"volume": np.array(1.0)}},
            claimed_by=own,
            step={"volume": np.array([1.0, 1.5, 1.0]), HOSTILE: np.ones(3)},
        )
        with h5py.File(path, "r+") as file:
            for key in ("method", *(["status"] if name == "b" else [])):
                file.attrs[key] = own
            about = file["provenance"].attrs
            keys = [k for k, v in about.items() if isinstance(v, str) and k != "spec"]
            for key in (*keys, "governor", "eigen_version", "spectra_version", "hdf5_version", "harness_fingerprint"):
                about[key] = HOSTILE
            about["cores"] = about["load_1min"] = HOSTILE
    listed = list_cells(folder, EXPERIMENT, declaration("made_up", "swelling"))
    cells = json.loads(listed.read_text(encoding="utf-8"))
    for cell in cells["cells"]:
        cell["claimed_by"] = HOSTILE
    cells["cells"].append(
        {**cells["cells"][0], "cell_id": "gone", "method": HOSTILE, "coordinates": {HOSTILE: HOSTILE}}
    )
    listed.write_text(json.dumps(cells), encoding="utf-8")
    return folder


@pytest.mark.parametrize("kept", [NAMES, MEASURED, ()], ids=["texts", "ids too", "all"])
def test_no_text_becomes_a_tag(tmp_path: Path, kept: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "FORMATS", ("svg", "png"))
    folder, out = hostile_paper(tmp_path / "paper", kept), tmp_path / "out"
    results = hostile_results(tmp_path / "results")
    (out / f"comparison_{HOSTILE}.html").parent.mkdir()
    (out / f"comparison_{HOSTILE}.html".replace("/", "")).write_text("no title", encoding="utf-8")
    assert len(load_claims(folder / "claims.json", "made_up")) == 5
    named = ["--papers", str(folder), "--report-out", str(out)]
    sides = [HOSTILE + "a", HOSTILE + "b"]
    assert verbs.main(["compare", *sides, "--out", str(results), *named]) == 0
    assert verbs.main(["report", str(results), "--paper", "made_up", *named]) == 1  # a figure is broken
    pages = {p.name: p.read_text(encoding="utf-8") for p in out.glob("*.html") if "no title" not in p.read_text()}
    assert {"report.html", "made_up.html", "gallery.html"} < set(pages) and len(pages) == 4
    claims = {p.name: p.read_text(encoding="utf-8") for p in (out / "made_up" / "claims").iterdir()}
    assert len(claims) == 5 and all(re.fullmatch(r"[\w-]+\.html", name) for name in claims)
    for name, text in {**pages, **claims}.items():
        tags = Tags()
        tags.feed(text)
        assert tags.found == [] and tags.scripts == [str(environment().globals["script"])], name
        assert text.count("&lt;script pwned&gt;") > {"gallery.html": 1}.get(name, 20 if name in pages else 5), name
        assert "&amp;amp;" not in text  # escaped twice


def test_the_trace_of_the_test_has_hostile_text_in_all_that_it_says(tmp_path: Path) -> None:
    paths = sorted(hostile_results(tmp_path).rglob("*.h5"))
    for trace in map(Trace, paths):
        said = [trace.method_id, trace.status_reason, trace.label, trace.claimed_by]
        said += [str(v) for k, v in trace.provenance.items() if k not in ("threads",)]
        assert [text for text in said if HOSTILE not in text] == []


def test_a_table_of_numbers_is_text_too(tmp_path: Path) -> None:
    path = tmp_path / f"{HOSTILE}.csv".replace("/", "")
    path.write_text('"<script pwned>",b\n"<b pwned>",1\n', encoding="utf-8")
    for elsewhere in ("", 'p.html#" pwned="'):
        tags = Tags()
        tags.feed(figure_blocks.csv_block(path, elsewhere))
        assert tags.found == tags.scripts == []
