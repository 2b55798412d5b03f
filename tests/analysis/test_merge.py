# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results become one: equal cells once, conflicts named and nothing written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from made_up_traces import list_cells, write_timing, write_trace

from deformbench_analysis import cli, merge as merging
from deformbench_analysis.errors import InputError, NothingSelected
from deformbench_analysis.merge import Conflicts, digest_of_results, first_difference, merge
from deformbench_analysis.results import Results

EXPERIMENT = "tests/bars"
DECLARED = {"id": EXPERIMENT, "methods": [], "tiers": {}}
VOLUME = np.array([1.0, 1.001, np.nan])


def cell(folder: Path, method: str, volume: np.ndarray = VOLUME, **more: object) -> Path:
    step = {"volume": volume}
    return write_trace(folder, f"{EXPERIMENT} {method}", step=step, **more)  # type: ignore[arg-type]


def shards(folder: Path) -> tuple[Path, Path]:
    """Cells a and b, c of one list, b in both."""
    whole = folder / "whole"
    for method in "abc":
        cell(whole, method)
    list_cells(whole, EXPERIMENT, DECLARED)
    one, two = folder / "one", folder / "two"
    for shard, left_out in ((one, "c"), (two, "a")):
        shutil.copytree(whole, shard)
        for path in shard.rglob("*.h5"):
            with h5py.File(path, "r") as file:
                method = file.attrs["method"]
            if method == left_out:
                path.unlink()
    return one, two


def changed(path: Path, change: Callable[[h5py.File], None]) -> None:
    with h5py.File(path, "a") as file:
        change(file)


def files_in(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_two_shards_become_the_folder_of_a_whole_run(tmp_path: Path) -> None:
    one, two = shards(tmp_path)
    merged = merge([one, two], tmp_path / "out")
    assert (merged.cells, merged.repeated, merged.missing) == (3, 1, [])
    assert files_in(tmp_path / "out") == files_in(tmp_path / "whole")
    for name in files_in(tmp_path / "whole"):
        ours, theirs = (tmp_path / "out" / name).read_bytes(), (tmp_path / "whole" / name).read_bytes()
        assert ours == theirs if name.endswith(".h5") else json.loads(ours) == json.loads(theirs)
    assert len(Results(tmp_path / "out").experiment(EXPERIMENT).cells) == 3


def test_when_and_where_a_cell_was_run_is_no_conflict(tmp_path: Path) -> None:
    one, two = shards(tmp_path)
    for path in two.rglob("*.h5"):
        changed(path, lambda file: file["provenance"].attrs.update({"host": "another", "finished": "2027"}))
    merged = merge([one, two], tmp_path / "out")
    assert (merged.cells, merged.repeated, len(merged.machines)) == (3, 1, 2)


def test_cells_of_several_kinds_of_processor_are_joined_and_the_kinds_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = shards(tmp_path)
    for folder in (one, two):
        for path in folder.rglob("*.h5"):
            changed(
                path, lambda file: file["provenance"].attrs.update({"cpu": f"Chip {folder.name}", "host": path.stem})
            )
    assert cli.main(["merge", str(one), str(one), "--out", str(tmp_path / "alike")]) == 4
    assert "kinds of processor" not in capsys.readouterr().err
    assert cli.main(["merge", str(one), str(two), "--out", str(tmp_path / "out")]) == 0
    assert f"2 kinds of processor: Chip {one.name}, Chip {two.name}" in capsys.readouterr().err
    assert cli.main(["merge", str(one), str(two), "--out", str(tmp_path / "facts"), "--json"]) == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    assert (facts["cells"], facts["repeated"], facts["conflicts"], facts["missing"]) == (3, 1, [], [])
    assert {m["processor"] for m in facts["machines"]} == {f"Chip {one.name}", f"Chip {two.name}"}
    assert "3 cells" in said.err


@pytest.mark.parametrize(
    "change, named",
    [
        (lambda f: f["series/step/volume"].__setitem__(0, 1 + 2**-52), "series/step/volume"),
        (lambda f: f["series/step/volume"].attrs.__setitem__("unit", "m3"), "series/step/volume attribute unit"),
        (lambda f: f["series/step"].__delitem__("volume"), "series/step/volume"),
        (lambda f: f["series/step"].__setitem__("mass", VOLUME), "series/step/mass"),
        (lambda f: f.__setitem__("scene/masses", VOLUME), "scene"),
        (lambda f: f.attrs.__setitem__("status", "diverged"), "attribute status"),
        (lambda f: f["provenance"].attrs.__setitem__("threads", 2), "provenance attribute threads"),
        (lambda f: f["provenance"].attrs.__setitem__("harness_fingerprint", "h1"), "harness_fingerprint"),
    ],
)
def test_a_cell_with_other_results_is_named_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[h5py.File], None], named: str
) -> None:
    one, two = shards(tmp_path)
    shared = sorted({p.name for p in one.rglob("*.h5")} & {p.name for p in two.rglob("*.h5")})
    changed(two / EXPERIMENT / shared[0], change)
    assert cli.main(["merge", str(one), str(two), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "nothing was written" in said.err
    assert named in said.out and shared[0] in said.out
    assert cli.main(["merge", str(one), str(two), "--out", str(tmp_path / "out"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["conflicts"] == said.out.splitlines()
    assert {p.name for p in tmp_path.iterdir()} == {"whole", "one", "two"}


def test_results_of_several_machines_are_kept_apart_when_asked(tmp_path: Path) -> None:
    results = tmp_path / "results"
    cell(tmp_path / "one", "a", cpu="AMD EPYC")
    cell(tmp_path / "two", "a", 1 + VOLUME, cpu="Intel(R) Xeon(R) CPU @ 2.1GHz")
    cell(results / "named_by_hand", "a", 2 + VOLUME)
    for folder in (tmp_path / "one", tmp_path / "two", results / "named_by_hand"):
        list_cells(folder, EXPERIMENT, DECLARED)
    with pytest.raises(Conflicts, match="--by-machine"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out")
    merge([tmp_path / "one", tmp_path / "two", results], tmp_path / "out", by_machine=True)
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"amd_epyc", "intel_xeon_cpu_2_1ghz", "named_by_hand"}
    assert len(Results(tmp_path / "out" / "amd_epyc").experiment(EXPERIMENT).cells) == 1


def test_timings_travel_with_their_cell_and_only_of_one_machine(tmp_path: Path) -> None:
    one, two = shards(tmp_path)
    for folder, cpu in ((one, "Test CPU"), (two, "Other CPU")):
        path = sorted(folder.rglob("*.h5"))[0]
        changed(write_timing(path, np.ones((2, 3))), lambda f: f["provenance"].attrs.__setitem__("cpu", cpu))
    assert merge([one], tmp_path / "out").timings == 1
    with pytest.raises(Conflicts, match="timing"):
        merge([one, two], tmp_path / "both")


def test_lists_of_another_declaration_or_build_conflict(tmp_path: Path) -> None:
    one, two = shards(tmp_path)
    (path,) = two.rglob("*.cells.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "declaration": {"seed": 2}}))
    with pytest.raises(Conflicts, match="declaration not as in"):
        merge([one, two], tmp_path / "out")


def test_two_builds_are_joined_only_when_asked(tmp_path: Path) -> None:
    for name, fingerprint in (("one", "h1"), ("two", "h2")):
        path = write_trace(tmp_path / name, f"tests/{name} a", series={"step": {"volume": VOLUME}})
        changed(path, lambda f: f["provenance"].attrs.__setitem__("harness_fingerprint", fingerprint))
    folders = [tmp_path / "one", tmp_path / "two"]
    with pytest.raises(Conflicts, match="the harness: fingerprint h1… in .*, h2… in"):
        merge(folders, tmp_path / "out")
    assert merge(folders, tmp_path / "out", stale=True).cells == 2


def test_what_no_list_names_and_what_is_stale_stays_behind_and_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = shards(tmp_path)
    cell(one, "old")
    (one / EXPERIMENT / "x.h5.part").write_text("begun")
    (path,) = one.rglob("*.cells.json")
    document = json.loads(path.read_text())
    document["cells"][0]["method_fingerprint"] = "newer"
    path.write_text(json.dumps(document))
    assert cli.main(["merge", str(one), "--out", str(tmp_path / "out")]) == 4
    said = capsys.readouterr()
    assert ": 1 cells" in said.out or ": 2 cells" in said.out
    for words in ("1 traces that no list", "unfinished", "listed cells without a trace"):
        assert words in said.err
    merged = merging.merge([one], tmp_path / "again")
    assert merged.unlisted == 1 and merged.unfinished == 1 and merged.cells + merged.stale == 2


@pytest.mark.parametrize("spoil", ["digest", "cell", "fifo", "list", "deep"])
def test_bad_input_is_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: str
) -> None:
    import os

    one, _ = shards(tmp_path)
    path = sorted(one.rglob("*.h5"))[0]
    folder = one
    if spoil == "digest":
        changed(path, lambda f: f["provenance"].attrs.__setitem__("digest", "sha256 at byte 440"))
    elif spoil == "cell":
        other = sorted(one.rglob("*.h5"))[1]
        path.write_bytes(other.read_bytes())
    elif spoil == "fifo":
        path.unlink()
        os.mkfifo(path)
    elif spoil == "list":
        next(one.rglob("*.cells.json")).write_text("[" * 10_000)
    else:
        folder = tmp_path / "above"
        (folder / "a" / "b").mkdir(parents=True)
        shutil.copytree(one, folder / "a" / "b" / "one")
    assert cli.main(["merge", str(folder), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob(".out*"))


def test_a_folder_that_holds_something_is_not_written_into(tmp_path: Path) -> None:
    one, _ = shards(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(InputError, match="expected a new or empty folder"):
        merge([one], tmp_path / "out")
    with pytest.raises(InputError, match="no such folder"):
        merge([tmp_path / "absent"], tmp_path / "new")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingSelected):
        merge([tmp_path / "empty"], tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_measured_time_is_no_result(tmp_path: Path) -> None:
    paths = [
        write_trace(tmp_path / name, f"{EXPERIMENT} a", series={"iteration": {"elapsed_seconds": np.array([0.0, t])}})
        for name, t in (("one", 1.0), ("two", 2.0))
    ]
    assert first_difference(*paths) == ""
    assert digest_of_results(paths[0]) == digest_of_results(paths[1])


def test_the_digest_of_results_is_of_their_bits(tmp_path: Path) -> None:
    def digest(name: str, value: float, **about: Any) -> str:
        series = {"step": {"volume": np.array([1.0, value])}}
        return digest_of_results(write_trace(tmp_path / name, f"{EXPERIMENT} a", series=series, **about))

    one = digest("one", 2.0)
    assert one == digest("two", 2.0, cpu="Other CPU", finished="2026-02-02T00:00:00Z")
    assert one != digest("three", np.nextafter(2.0, 3.0)) and one != digest("four", 2.0, status="diverged")
