# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of containers: packages come from cmake/packages.txt alone, and ./install builds."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from guides import ROOT

CONTAINERFILE = ROOT / "cmake/container/Containerfile"
APPTAINER = ROOT / "cmake/container/deformbench.def"
DEVCONTAINER = ROOT / ".devcontainer/devcontainer.json"


def without_comments(path: Path) -> str:
    return re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M)


def stages() -> dict[str, str]:
    """The text of each stage of the Containerfile by its name; the last has none."""
    parts = re.split(r"^FROM (\S+)(?: AS (\w+))?\n", without_comments(CONTAINERFILE), flags=re.M)[1:]
    return {name or "": f"FROM {base}\n{text}" for base, name, text in zip(*[iter(parts)] * 3, strict=True)}


def sections() -> dict[str, str]:
    """The sections of the Apptainer recipe; the header is named ''."""
    parts = re.split(r"^%(\w+)\n", "%\n" + without_comments(APPTAINER), flags=re.M)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def steps() -> dict[str, list[str]]:
    """Shell commands of each recipe, in their order."""
    dev = json.loads(DEVCONTAINER.read_text(encoding="utf-8"))
    built = {name: re.findall(r"^RUN (.*)", text, flags=re.M) for name, text in stages().items()}
    commands = {
        "Containerfile": built["packages"] + built[""],
        "Apptainer": sections()["post"].strip().splitlines(),
        "devcontainer": [*built[dev["build"]["target"]], dev["postCreateCommand"]],
    }
    return {name: [part.strip() for line in of for part in line.split("&&")] for name, of in commands.items()}


@pytest.mark.parametrize("recipe", ["Containerfile", "Apptainer", "devcontainer"])
def test_a_recipe_runs_the_two_scripts_and_installs_nothing_else(recipe: str) -> None:
    def kind(step: str) -> str:
        return re.sub(r"^(/opt/deformbench|\.)?/?", "", step).partition(" ")[0]

    done = [kind(step) for step in steps()[recipe]]
    assert [name for name in done if name in ("cmake/ensure_packages", "install")] == [
        "cmake/ensure_packages",
        "install",
    ]
    assert set(done) <= {"cmake/ensure_packages", "install", "cmake", "cd", "rm"}, done


def test_the_devcontainer_is_the_containerfile_before_its_sources() -> None:
    dev = json.loads(DEVCONTAINER.read_text(encoding="utf-8"))
    assert (DEVCONTAINER.parent / dev["build"]["dockerfile"]).resolve() == CONTAINERFILE
    assert (DEVCONTAINER.parent / dev["build"]["context"]).resolve() == ROOT
    packages, last = stages()[dev["build"]["target"]], stages()[""]
    assert last.startswith(f"FROM {dev['build']['target']}\n") and "COPY ." not in packages
    copied = re.findall(r"^COPY (.*) \S+$", packages, flags=re.M)
    assert copied == ["cmake/packages.txt cmake/ensure_packages"]


def test_the_recipes_begin_with_the_system_that_the_list_is_for() -> None:
    base = re.search(r"^ARG BASE=docker\.io/library/(\S+)$", CONTAINERFILE.read_text(), flags=re.M)
    assert base and f"From: {base[1]}\n" in sections()[""]
    assert base[1] == "debian:bookworm" and "Debian 12" in (ROOT / "cmake/packages.txt").read_text().splitlines()[0]


def test_no_image_is_for_the_processor_of_its_builder_unless_asked_for() -> None:
    assert "ARG MARCH_NATIVE=OFF\n" in stages()[""]
    for recipe, value in (("Containerfile", "${MARCH_NATIVE}"), ("Apptainer", "OFF")):
        done = [step for step in steps()[recipe] if step.split()[0] in ("cmake", "./install")]
        assert done == [f"cmake --preset release -DDEFORMBENCH_MARCH_NATIVE={value}", "./install"]


def test_apptainer_takes_the_checkout_without_what_is_made_in_it(tmp_path: Path) -> None:
    """What a fresh clone has, and none of what git ignores."""
    tree, image = tmp_path / "a checkout", tmp_path / "root"
    kept = ["install", "cmake/build_release", "reference_data/calculix/results/a.json", "tests/out.py", ".clang-format"]
    made = [
        "build/release/CMakeCache.txt",
        "results/x/a.h5",
        ".cache/a",
        "paper_figures/out/report.html",
        "analysis/build/a.py",
    ]
    made += ["analysis/deformbench/__pycache__/a.pyc"]
    for name in [*kept, *made]:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    for name in (".gitignore", ".dockerignore"):
        (tree / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(["git", "init", "-q", tree], check=True)
    words = ["git", "ls-files", "--others", "--ignored", "--exclude-standard"]
    ignored = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=True)
    assert set(ignored.stdout.splitlines()) == set(made)
    environment = {**os.environ, "APPTAINER_ROOTFS": str(image)}
    subprocess.run(["sh", "-cex", sections()["setup"]], cwd=tree, env=environment, check=True)
    files = {str(path.relative_to(image / "opt/deformbench")) for path in image.rglob("*") if path.is_file()}
    assert {name for name in files if not name.startswith(".git/")} == {*kept, ".gitignore", ".dockerignore"}
