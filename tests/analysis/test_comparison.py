# SPDX-License-Identifier: BSD-3-Clause
"""Methods compared pair by pair: ratios from interleaved repeats, errors, failures, parameters, and the page."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import write_timing, write_trace

from deformbench_analysis import cell_errors, timing_marks
from deformbench_analysis.comparison import overhead, ratios
from deformbench_analysis.comparison.accuracy import at_common_times, curve_errors
from deformbench_analysis.comparison.pairs import Comparison, compare_sides
from deformbench_analysis.comparison.sides import parse, parse_all
from deformbench_analysis.comparison.tables import DIFFERS, LACKS, SAME, outcome, pair_table, parameters
from deformbench_analysis.declarations import all_declarations
from deformbench_analysis.errors import InputError, MissingData, NothingSelected
from deformbench_analysis.results import Results
from deformbench_analysis.trace import Series, Trace
from paper_figures import verbs
from paper_figures.comparison import page, standing

EXPERIMENT = "made_up/race"  # of no declaration: all of its traces count
MACHINE = {"host": "h", "harness_fingerprint": "0" * 32, "cpu": "Test CPU", "threads": 1}


def drifting(
    rng: np.random.Generator, ratio: float, repeats: int = 8, steps: int = 30
) -> tuple[np.ndarray, np.ndarray]:
    """Step times of two sides whose machine drifts: repeats differ by up to several times, for both sides alike."""
    drift = np.exp(rng.normal(0.0, 0.7, (repeats, 1)))
    noise = [np.exp(rng.normal(0.0, 0.02, (repeats, 1)) + rng.normal(0.0, 0.05, (repeats, steps))) for _ in range(2)]
    return 1e-3 * drift * noise[0], 1e-3 * ratio * drift * noise[1]


def share_without_difference(ratio: float, draws: int, repeats: int, shift: int = 0) -> float:
    """Share of `draws` simulated timings that show no difference; `shift` breaks the pairs."""
    rng = np.random.default_rng(7)
    count = 0
    for _ in range(draws):
        a, b = drifting(rng, ratio, repeats)
        found = ratios.ratio_of(ratios.pair_ratios(a, np.roll(b, shift, axis=0)))
        assert found is not None and found.low <= found.value <= found.high
        count += found.verdict == "no difference shown"
    return count / draws


@pytest.mark.parametrize("repeats", [5, 7, 10])
def test_equal_step_times_show_no_difference_in_about_95_percent(repeats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratios, "RESAMPLES", 2000)
    # 400 draws: three standard deviations of a share of 0.94 are 0.036.
    # An interval that is wide for nothing would never show any.
    assert 0.90 <= share_without_difference(1.0, 400, repeats) < 0.99


@pytest.mark.parametrize(("ratio", "verdict"), [(1.3, "slower"), (1 / 1.3, "faster")])
def test_a_ratio_of_1_3_is_shown_on_either_side(ratio: float, verdict: str) -> None:
    a, b = drifting(np.random.default_rng(3), ratio)
    found = ratios.ratio_of(ratios.pair_ratios(a, b))
    assert found is not None and found.verdict == verdict and found.pairs == 8
    assert found.low < ratio < found.high
    back = ratios.ratio_of(ratios.pair_ratios(b, a))
    assert back is not None and back.value == pytest.approx(1 / found.value)
    assert share_without_difference(ratio, 40, 8) == 0.0


def test_broken_pairs_would_lose_the_ratio() -> None:
    """The mistake that the pairing is against: the k-th repeat beside the next one of the other side.
    The drift hides the ratio."""
    assert share_without_difference(1.3, 40, 8, shift=1) > 0.5


def test_few_pairs_show_nothing_whatever_their_interval() -> None:
    a, b = drifting(np.random.default_rng(3), 3.0, repeats=ratios.LEAST_PAIRS - 1)
    found = ratios.ratio_of(ratios.pair_ratios(a, b))
    assert (
        found is not None and found.low > 2 and found.verdict == "no difference shown" and "at least 5" in found.reason
    )


def test_steps_that_one_side_lacks_do_not_count() -> None:
    a, b = np.full((5, 40), 1e-3), np.full((5, 20), 1e-3)
    a[:, 20:] = 1.0
    assert ratios.pair_ratios(a, b) == pytest.approx(np.ones(5))


def timed(
    folder: Path,
    method: str,  # and its row, where that has another name
    seconds: np.ndarray | None,
    session: str | None = "s",
    machine: dict[str, Any] | None = None,
    scene: dict[str, Any] | None = None,
    **more: Any,
) -> Path:
    """A trace of a falling tip, and its timing, with the provenance that pairing looks at."""
    about = {**MACHINE, **(machine or {})}
    tip = np.linspace(0.0, 1.0, 11)[:, None] * [0.0, -1.0, 0.0]
    series = more.pop("series", {"step": {"tip_displacement": tip}})
    schedule = {"steps": 10}
    path = write_trace(
        folder, f"{EXPERIMENT} {method}", scene=scene or {"length_m": 1.0}, schedule=schedule, series=series, **more
    )
    files = [path]
    if seconds is not None:
        files.append(write_timing(path, seconds))
    for file in files:
        with h5py.File(file, "r+") as trace:
            for key, value in about.items():
                trace["provenance"].attrs[key] = value
            if file is not path and session is not None:
                trace["timing"].attrs["protocol"] = json.dumps({"session": session})
    return path


def compared(folder: Path, *names: str) -> Comparison:
    return compare_sides(Results(folder), parse_all(names), "paper", [EXPERIMENT])


def only_outcome(folder: Path) -> str:
    (one,) = compared(folder, "a", "b").experiments
    (pair,) = one.pairs
    return outcome(pair)


STEPS = drifting(np.random.default_rng(5), 1.3)


def test_interleaved_repeats_of_one_machine_give_a_ratio(tmp_path: Path) -> None:
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b", STEPS[1])
    assert only_outcome(tmp_path) == "slower"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"session": "another"}, "not interleaved"),
        ({"session": None}, "not interleaved"),
        ({"machine": {"host": "other"}}, "not compared: another machine"),
        ({"machine": {"harness_fingerprint": "1" * 32}}, "not compared: another harness"),
        ({"machine": {"harness_fingerprint": ""}}, "is not recorded"),
        ({"machine": {"cpu": "other"}}, "not compared: another processor"),
        ({"machine": {"threads": 2}}, "not compared: another number of threads: 1 and 2"),
        ({"seconds": None}, "b is not timed"),
        ({"status": "diverged", "reason": "made up"}, "not compared: b diverged"),
    ],
)
def test_what_is_never_paired(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b", **{"seconds": STEPS[1], **change})
    assert reason in only_outcome(tmp_path)
    table = pair_table(compared(tmp_path, "a", "b").experiments[0], parse_all(["a", "b"]))
    assert len(table.rows) == 1 and table.rows[0][3] is None


def test_another_scene_is_no_pair_but_is_shown(tmp_path: Path) -> None:
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b", STEPS[1], scene={"length_m": 2.0})
    (one,) = compared(tmp_path, "a", "b").experiments
    assert not one.pairs
    table = pair_table(one, parse_all(["a", "b"]))
    assert [row[7] for row in table.rows] == ["no counterpart", "no counterpart"]


def test_the_way_to_a_static_limit_is_compared_as_a_whole() -> None:
    """Steps after the limit find nothing to do: of a run of two steps, the first two count, warm-up or not."""
    both = []
    for cost in (1.0, 3.0):
        rest, way = np.full((5, 8), 1e-6), np.full((5, 4), 1e-6)
        way[:, :2] = cost
        both.append(ratios.Timing(Path(), rest, np.zeros((0, 0, 0)), [], {}, {}, None, way))
    assert ratios.run_ratios(both[0], both[1], (2, 2)) == pytest.approx(np.full(5, 3.0))
    assert ratios.run_ratios(both[0], both[1], (1, 2)) == pytest.approx(np.full(5, 6.0))
    assert len(ratios.run_ratios(both[0], both[1], (2, 13))) == 0


def test_errors_against_a_reference_cell_at_common_times(tmp_path: Path) -> None:
    tip = np.linspace(0.0, 1.0, 11)[:, None] * [0.0, -1.0, 0.0]
    timed(tmp_path, "exact reference", None)
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b", STEPS[1], series={"step": {"tip_displacement": 0.9 * tip}})
    (one,) = compared(tmp_path, "a", "b").experiments
    found = {c.method_id: [e.value for e in one.errors[c.cell_id]] for of in one.cells for c in of}
    rms = float(np.sqrt(np.mean((0.1 * np.linspace(0, 1, 11)) ** 2)))
    assert found == {"a": [0.0, 0.0], "b": [pytest.approx(0.1), pytest.approx(rms)]}


def test_a_cell_that_did_not_complete_has_no_error_and_no_cost(tmp_path: Path) -> None:
    timed(tmp_path, "exact reference", None)
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b", STEPS[1], status="diverged", reason="made up")
    (one,) = compared(tmp_path, "a", "b").experiments
    ((whole,), (broken,)) = one.cells
    assert set(one.errors) == {whole.cell_id} and broken.cell_id not in one.costs


STEP = "scene.parameters.time_step_s"


def swept(folder: Path, method: str, step: float, factor: float = 1.0, **more: Any) -> Path:
    """A cell of a sweep over time steps, whose tip falls 1 m in 10 rows, times a factor."""
    tip = factor * np.linspace(0.0, 1.0, 11)[:, None] * [0.0, -1.0, 0.0]
    scene = {"length_m": more.pop("length", 1.0), "time_step_s": step}
    coordinates = {STEP: step}
    return timed(
        folder, method, None, scene=scene, coordinates=coordinates, series={"step": {"tip_displacement": tip}}, **more
    )


@pytest.mark.parametrize(
    ("references", "errors", "said"),
    [
        ([(0.1, 1.0), (0.2, 2.0)], {0.1: 0.5, 0.2: 0.25}, ""),  # each at its own step
        ([(0.1, 1.0), (0.05, 2.0)], {0.1: 0.5, 0.2: 0.25}, ""),  # the other at the finest
        ([], {}, "no reference"),
        ([(0.1, 1.0, {"length": 2.0})], {}, "no completed cell `reference` on this scene"),
        ([(0.1, 1.0, {"status": "failed"})], {}, "no completed cell `reference` on this scene"),
        ([(0.1, 1.0), (0.1, 1.0, {"parameters": {"p": 1}})], {}, "2 cells `reference` fit, expected one"),
    ],
)
def test_the_reference_of_a_row_is_that_of_its_own_point_or_the_finest_or_is_said_to_lack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], references: list[Any], errors: dict[float, float], said: str
) -> None:
    for step, factor, *more in references:
        swept(tmp_path, "exact reference", step, factor, **(more[0] if more else {}))
    for step in (0.1, 0.2):
        swept(tmp_path, "a", step, 0.5 if step == 0.1 else 1.5)
        swept(tmp_path, "b", step)
    (one,) = compared(tmp_path, "a", "b").experiments
    found = {c.value(STEP): [e.value for e in one.errors.get(c.cell_id, [])][:1] for c in one.cells[0]}
    assert found == {
        step: [pytest.approx(errors[step])] if errors else [None] * bool(references) for step in (0.1, 0.2)
    }
    assert verbs.main(["compare", "a", "b", "--out", str(tmp_path), "--report-out", str(tmp_path / "out")]) == 0
    printed = "".join(capsys.readouterr())
    page_text = next((tmp_path / "out").glob("*.html")).read_text(encoding="utf-8")
    assert (said in printed and (said or "o error") in page_text) if said else "no error" not in printed


def series(time: np.ndarray) -> Series:
    return Series("x", "step", "m", "", "", "", 10 * time, np.arange(len(time)), time)


def test_common_times_are_found_through_rounding_and_up_to_one_end() -> None:
    coarse, fine = 0.01 * np.arange(11), np.cumsum(np.full(301, 0.01 / 30)) - 0.01 / 30
    assert not set(coarse[1:]) <= set(fine)  # a sum rounds
    for left, right in ((coarse, fine), (fine, coarse)):
        ours, theirs = at_common_times(series(left), series(right))
        for found in (ours, theirs):  # 300 roundings of sums up to 0.1 by 2⁻⁵⁷, times 10: 2e-14
            assert found == pytest.approx(10 * coarse, rel=1e-6, abs=1e-13)
    with pytest.raises(MissingData, match="no times in common up to the end"):
        at_common_times(series(coarse), series(fine[:-1]))
    shifted = fine + 0.01 / 60  # half a step later
    with pytest.raises(MissingData, match="no times in common"):
        at_common_times(series(coarse), series(shifted))


def test_errors_of_curves_are_relative_to_the_largest_value_expected() -> None:
    end, whole = curve_errors(np.array([0.0, 2.0, 1.0]), np.array([0.0, 4.0, 1.0]))
    assert (end, whole) == (0.0, pytest.approx(0.5 / np.sqrt(3)))


def test_parameters_that_differ_are_marked(tmp_path: Path) -> None:
    timed(tmp_path, "a", None, parameters={"solver": "cg", "tolerance": 1e-10, "only_a": 1})
    timed(tmp_path, "b", None, parameters={"solver": "direct", "tolerance": 1e-10})
    rows = {r.name: r for r in parameters(compared(tmp_path, "a", "b").experiments[0])}
    assert (rows["solver"].kind, rows["solver"].values) == (DIFFERS, [["cg"], ["direct"]])
    assert (rows["only_a"].kind, rows["only_a"].values) == (LACKS, [[1], None])
    assert rows["tolerance"].kind == SAME
    text = page.write(compared(tmp_path, "a", "b"), Results(tmp_path), tmp_path).read_text(encoding="utf-8")
    assert "Parameters of the methods: 1 differs, 1 is the same, 1 is not a parameter of all" in text


def test_a_cell_is_of_the_side_that_says_most_of_it(tmp_path: Path) -> None:
    timed(tmp_path, "a", STEPS[0])
    timed(tmp_path, "b soft", STEPS[1], parameters={"law": "x"})
    timed(tmp_path, "b stiff", STEPS[1], parameters={"law": "y"})
    for sides in (["a", "b", "b:law=y"], ["a", "b:law=y", "b"], ["a", "b", "stiff"]):
        (one,) = compared(tmp_path, *sides).experiments
        assert sorted(p.other.method_name for p in one.pairs) == ["soft", "stiff"]
        assert [len(of) for of in one.cells] == [1, 1, 1]
    assert [c.method_name for of in compared(tmp_path, "b", "b:law=y").experiments[0].cells for c in of] == [
        "soft",
        "stiff",
    ]
    assert compared(tmp_path, "a", "b:law=x", "b:law=y", "b").lacking == {EXPERIMENT: ["b other than b:law=x, b:law=y"]}


def test_sides_by_id_entry_and_parameters(tmp_path: Path) -> None:
    timed(tmp_path, "fem soft", None, parameters={"law": "x"})
    timed(tmp_path, "fem stiff", None, parameters={"law": "y"})
    data = Results(tmp_path).experiment(EXPERIMENT)
    assert [len(parse(t).cells(data)) for t in ("fem", "soft", "fem:law=y", "fem:law=z")] == [2, 1, 1, 0]
    for bad in (["fem"], ["fem", "fem"], ["fem", "soft:"], ["fem", ":a=1"]):
        with pytest.raises(InputError):
            parse_all(bad)
    with pytest.raises(NothingSelected, match="--method soft nothing"):
        compared(tmp_path, "soft", "nothing")


def test_the_page_draws_failures_and_marks_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "traces", tmp_path / "out"
    timed(folder, "exact reference", None)
    timed(folder, "a", STEPS[0], parameters={"solver": "cg"})
    timed(folder, "b", STEPS[1], parameters={"solver": "direct"})
    timed(folder, "c", None, status="unsupported", reason="knows no <tetrahedra>")
    assert verbs.main(["compare", str(folder), "a", "b", "c", "--report-out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "slower" in printed and "not compared: c unsupported" in printed
    (path,) = out.glob("comparison_*.html")
    text = path.read_text(encoding="utf-8")
    assert "unsupported — knows no &lt;tetrahedra&gt;" in text and "<tetrahedra>" not in text
    assert re.search(r"<tr class=changed><td><code>solver</code></td>\s*<td>cg</td>\s*<td>direct</td>", text)
    assert text.count("<img") == 2 and "http" not in text.split("</style>")[1].split("data:image")[0]
    assert page.known_pages(out) == [(path.name, "a, compared with b, c")]


def test_the_page_links_numbers_and_pictures_for_print_and_says_what_to_cite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = {"paper": {"text": "A. Author: A & B, 2031"}}
    monkeypatch.setattr(page, "described", lambda: {"a": about})
    busy, quiet = timed(tmp_path, "a", STEPS[0]), timed(tmp_path, "b", STEPS[1])
    for path, load in ((busy, 5.0), (quiet, 1.5)):
        with h5py.File(path.with_name(f"{path.stem}.timing.h5"), "r+") as file:
            file["provenance"].attrs.update({"load_1min": load, "cores": 2})
    with h5py.File(quiet, "r+") as file:
        file["provenance"].attrs["program"] = "b=python3.11 mine.py"
    text = page.write(compared(tmp_path, "a", "b"), Results(tmp_path), tmp_path).read_text(encoding="utf-8")
    links = re.findall(r'download="([^"]*)" href="data:([a-z/-]+);base64,([^"]*)"', text)
    content = {name.rpartition(".")[2]: base64.b64decode(data) for name, _, data in links}
    assert set(content) == {"csv", "tex", "pdf"} and {kind for _, kind, _ in links} == {
        "text/csv", "application/x-tex", "application/pdf",
    }  # fmt: skip
    assert content["pdf"].startswith(b"%PDF") and b"\\toprule" in content["tex"]
    cited = text[text.index('id="cite"') :]
    assert "A. Author: A &amp; B, 2031" in cited and "(abc)" in cited
    noted = text[text.index('id="busy"') : text.index('id="cite"')]
    assert "load 5.0 on 2 cores" in noted and "1 cells" in noted
    assert re.findall(r'<th scope="col">([ab][†‡]*)', text)[:2] == ["a‡", "b†"]
    assert "† an interpreter runs it (python3.11)" in text and "‡ timed while more was running" in text
    assert b"a\\ddag{} & b\\dag{}" in content["tex"] and "a‡,b†".encode() in content["csv"]


@pytest.mark.parametrize(
    "command, name",
    [
        ("/usr/bin/python3 /opt/me/mine.py", "python3"), ("mine=julia-1.9/bin/julia x", "julia"),
        ("env -S ./mine.py", "mine.py"), ("./mine --law=python", ""), ("", ""), ("a.out deck.m5", ""),
    ],
)  # fmt: skip
def test_an_interpreter_is_known_by_the_words_of_the_command(tmp_path: Path, command: str, name: str) -> None:
    path = timed(tmp_path, "a", None)
    with h5py.File(path, "r+") as file:
        spec = json.loads(file["provenance"].attrs["spec"])
        spec["method"]["program"] = command
        file["provenance"].attrs["spec"] = json.dumps(spec)
    assert timing_marks.interpreter(Trace(path)) == name


def test_one_word_stays_a_folder_and_two_are_methods(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    timed(tmp_path, "a", None)
    timed(tmp_path, "b", None)
    assert verbs.main(["compare", str(tmp_path)]) == 0
    assert "last values" in capsys.readouterr().out
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert verbs.main(["compare", "a", "b", "--out", ".", "--report-out", "pages", "--format", "csv"]) == 0
    assert "no ratio: a is not timed; b is not timed" in capsys.readouterr().out
    assert verbs.main(["compare", str(tmp_path), "a", "--report-out", str(tmp_path)]) == 2


def test_an_error_of_cells_says_when_it_is_taken() -> None:
    with pytest.raises(ValueError, match="at the end"):
        cell_errors.cell_error("x/y", "sometimes", "z")


def test_a_programs_own_time_stands_apart_from_the_protocols(tmp_path: Path) -> None:
    timed(tmp_path, "a", STEPS[0])
    path = timed(tmp_path, "b", STEPS[1])
    write_timing(path, np.full((5, 4), 5e-3), {"program": np.full((5, 4), 4e-3), "protocol": np.full((5, 4), 1e-3)})
    comparison = compared(tmp_path, "a", "b")
    table = overhead.overhead_table(comparison.experiments)
    assert table is not None
    (row,) = table.rows  # the other is no program
    assert row[1] == "b" and row[4:] == pytest.approx([4.0, 1.0, 0.2])
    assert page.write(comparison, Results(tmp_path), tmp_path).read_text().count('id="overhead"') == 1


def test_without_programs_there_is_no_word_of_the_protocol(tmp_path: Path) -> None:
    for name in ("a", "b"):
        timed(tmp_path, name, STEPS[0])
    comparison = compared(tmp_path, "a", "b")
    assert overhead.overhead_table(comparison.experiments) is None
    assert "overhead" not in page.write(comparison, Results(tmp_path), tmp_path).read_text()


def test_the_standing_page_leaves_out_a_side_without_cells_and_names_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        timed(tmp_path, name, STEPS[0])
    entry = {"title": "Three Of Them", "sides": ["a", "absent", "b"], "experiments": [EXPERIMENT]}
    out = tmp_path / "out"
    (path,) = standing.write_all(Results(tmp_path), "paper", out, [entry])
    text = path.read_text(encoding="utf-8")
    assert path.name == "comparison_three_of_them.html"
    assert "<title>Three Of Them" in text and "No cell of absent" in text
    assert page.known_pages(out)[0][0] == path.name
    assert standing.write_all(Results(tmp_path), "paper", out, [{**entry, "sides": ["absent", "a", "b"]}]) == []
    assert standing.write_all(Results(tmp_path), "paper", out, [{**entry, "sides": ["a", "absent"]}]) == []


def test_the_standing_comparisons_name_experiments_and_methods_that_are_declared() -> None:
    declarations = all_declarations()
    for entry in json.loads(standing.LIST.read_text(encoding="utf-8")):
        rows = [m for i in entry["experiments"] for m in declarations[i].data["methods"]]
        for side in parse_all(entry["sides"]):
            if side.name != "bullet_fem":  # a row of builds that have it
                assert any(side.name == row["method"] for row in rows), side.text
