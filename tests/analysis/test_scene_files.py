# SPDX-License-Identifier: BSD-3-Clause
"""Scene files from Python: exported ones are plain arrays with the bits of the trace, and results on a scene of one's
own are measured, drawn, reported and packed like others."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from deformbench_analysis import cli
from deformbench_analysis.declarations import Declaration
from deformbench_analysis.results import ExperimentData, Results
from deformbench_analysis.trace import Trace
from paper_figures import verbs

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "experiments" / "scenes" / "examples"
SCHEMA = json.loads((ROOT / "experiments" / "harness" / "schema" / "scene.schema.json").read_text(encoding="utf-8"))


def deformbench(*words: object, folder: Path) -> str:
    end = subprocess.run(
        [os.environ["DEFORMBENCH"], *map(str, words)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert end.returncode == 0, end.stderr
    return end.stdout


def exported(name: object, folder: Path) -> dict[str, Any]:
    scene: dict[str, Any] = json.loads(deformbench("export-scene", name, folder=folder))
    return scene


def declare(folder: Path) -> Path:
    declaration = {
        "id": "mine/pulled",
        "doc": "A beam of one's own.",
        "scene": {"file": str(EXAMPLES / "clamped_beam.json")},
        "methods": [{"method": "warped_fem"}],
        "schedule": {"steps": 4},
        "channels": {"step": {"names": ["kinetic_energy"]}, "frame": {"every": 2, "names": ["positions"]}},
        "tiers": {"smoke": {}, "paper": {}},
    }
    path = folder / "pulled.json"
    path.write_text(json.dumps(declaration), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mine")
    deformbench("run", declare(folder), "--tier", "smoke", "--out", folder / "out", "--quiet", folder=folder)
    return folder / "out"


def traces(results: Path) -> list[Path]:
    return sorted((results / "mine" / "pulled").glob("*.h5"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda p: p.stem)
def test_examples_fit_the_schema_and_so_does_their_export(path: Path, tmp_path: Path) -> None:
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), SCHEMA)
    jsonschema.validate(exported(path, tmp_path), SCHEMA)


def keys_of(schema: object) -> Iterator[str]:
    """Every key that a scene file may have."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from keys_of(value)


def test_the_page_explains_every_key_and_its_example_fits() -> None:
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`([a-z0-9_]+)`", page))
    assert sorted(set(keys_of(SCHEMA)) - names) == []
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, flags=re.S)]
    scenes = [example for example in examples if example.get("format") == "deformbench-scene"]
    assert len(scenes) == 1
    jsonschema.validate(scenes[0], SCHEMA)


def test_the_schema_refuses_an_unknown_key(tmp_path: Path) -> None:
    scene = exported("bar", tmp_path)
    jsonschema.validate(scene, SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**scene, "colour": "red"}, SCHEMA)


def test_exported_arrays_have_the_bits_of_the_trace(results: Path) -> None:
    trace = Trace(traces(results)[0])
    body = exported(EXAMPLES / "clamped_beam.json", results)["body"]
    assert np.array_equal(np.array(body["vertices_m"]), trace.scene("rest_positions"))
    assert np.array_equal(np.array(body["tetrahedra"]), trace.scene("tetrahedra"))


def test_reals_are_written_as_reals(tmp_path: Path) -> None:
    scene = exported("bar", tmp_path)
    assert all(isinstance(x, float) for row in scene["body"]["vertices_m"] for x in row)
    assert all(isinstance(x, float) for x in scene["gravity_m_s2"])
    assert all(isinstance(v, int) for row in scene["body"]["tetrahedra"] for v in row)


def test_a_scene_of_ones_own_says_its_name_its_digest_and_its_parameters(results: Path) -> None:
    trace = Trace(traces(results)[0])
    assert trace.value("scene.name") == "clamped_beam"
    assert len(str(trace.value("scene.content"))) == 32
    assert trace.value("scene.parameters.young_modulus_pa") == 1e6
    assert trace.value("scene.parameters.gravity_m_s2") == [0.0, -9.81, 0.0]


def test_verbs_take_results_on_a_scene_of_ones_own(results: Path, tmp_path: Path) -> None:
    where = [str(results), "--tier", "smoke", "--report-out", str(tmp_path)]
    # Nothing that a claim is about was run: nothing to measure (5), and figures that are not drawn (4).
    assert {verb: verbs.main([verb, *where]) for verb in ("measure", "figures", "report")} == {
        "measure": 5,
        "figures": 4,
        "report": 4,
    }
    assert (tmp_path / "report.html").exists()


def test_frames_and_archives_of_a_scene_of_ones_own(results: Path, tmp_path: Path) -> None:
    assert cli.main(["paraview", str(results), "--to", str(tmp_path / "vtu")]) == 0
    assert list((tmp_path / "vtu").rglob("*.pvd"))
    assert cli.main(["pack", str(results), "--to", str(tmp_path / "a.tar.gz")]) == 0
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        assert any(name.endswith("step.csv") for name in archive.getnames())


def copied_example(folder: Path) -> Path:
    """A declaration beside copies of an example scene and its mesh."""
    path = declare(folder)
    for name in ("clamped_beam.json", "block.mesh"):
        shutil.copy(EXAMPLES / name, folder / name)
    declared = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**declared, "scene": {"file": "clamped_beam.json"}}), encoding="utf-8")
    deformbench("run", path, "--tier", "smoke", "--out", folder / "out", "--quiet", folder=folder)
    return path


def move_a_vertex(folder: Path) -> None:
    mesh = folder / "block.mesh"
    text = mesh.read_text(encoding="utf-8")
    assert "1 0.125 0.125" in text
    mesh.write_text(text.replace("1 0.125 0.125", "1 0.125 0.126", 1), encoding="utf-8")


def test_an_archive_holds_the_scene_and_its_mesh_and_runs_from_anywhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    copied_example(here)
    assert cli.main(["pack", str(here / "out"), "--to", str(tmp_path / "a.tar.gz")]) == 0
    content = str(Trace(traces(here / "out")[0]).value("scene.content"))
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        names = archive.getnames()
        archive.extractall(there)  # of our own making
    assert {f"scenes/{content}/clamped_beam.json", f"scenes/{content}/block.mesh"} < set(names)
    shutil.rmtree(here)
    (spec,) = (there / "specs").rglob("*.json")
    again = json.loads(deformbench("run", spec, "--dry-run", "--json", folder=tmp_path))
    assert again[0]["spec"]["scene"]["content"] == content
    assert spec.stem == again[0]["cell_id"]


def test_an_archive_says_when_a_scene_is_no_longer_what_was_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied_example(tmp_path)
    move_a_vertex(tmp_path)
    assert cli.main(["pack", str(tmp_path / "out"), "--to", str(tmp_path / "a.tar.gz")]) == 0
    assert "1 cells without their scene file" in capsys.readouterr().err
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        assert not [name for name in archive.getnames() if name.startswith("scenes/")]


def test_cells_of_a_scene_that_has_changed_are_not_measured(tmp_path: Path) -> None:
    path = copied_example(tmp_path)
    declared = {"mine/pulled": Declaration(path, json.loads(path.read_text(encoding="utf-8")))}

    def experiment() -> ExperimentData:
        return Results(tmp_path / "out", "smoke", declared).experiment("mine/pulled")

    assert len(experiment().cells) == 1
    before = traces(tmp_path / "out")
    move_a_vertex(tmp_path)
    assert experiment().cells == []
    assert experiment().reason == "the scene (block.mesh) has changed since it was run at tier smoke"
    deformbench("run", path, "--tier", "smoke", "--out", tmp_path / "out", "--quiet", folder=tmp_path)
    (new,) = (cell.path for cell in experiment().cells)
    assert new not in before
    # Nor do two contents of one scene stand beside each other where no declaration is known.
    assert [cell.path for cell in Results(tmp_path / "out", "smoke", {}).experiment("mine/pulled").cells] == [new]
