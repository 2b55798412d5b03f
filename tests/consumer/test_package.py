# SPDX-License-Identifier: BSD-3-Clause
"""The Debian package that cpack makes of a finished build."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from conftest import BUILD, assert_works
from guides import ROOT

WANTED = set(re.findall(r"^[a-z][^#\s]*$", (ROOT / "cmake/packages.txt").read_text(), flags=re.M))
PART_OF = {"markupsafe": "jinja2", "mpl_toolkits": "matplotlib"}  # modules that come with a package of another name


def output_of(*words: str | Path) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=3600).stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for program in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("package")
    output_of("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
    shutil.rmtree(folder / "_CPack_Packages")
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def unpacked(package: Path) -> Path:
    folder = package.parent / "un packed"
    output_of("dpkg-deb", "-x", package, folder)
    return folder


def field(package: Path, name: str) -> set[str]:
    """Names of the packages in a field, without versions."""
    return {part.split()[0] for part in output_of("dpkg-deb", "-f", package, name).split(",")}


def test_it_has_what_install_puts_into_a_prefix(package: Path, prefix: Path) -> None:
    rows = [line.split(maxsplit=5) for line in output_of("dpkg-deb", "-c", package).splitlines()]
    files = {row[5].removeprefix("./usr/") for row in rows if not row[0].startswith("d")}
    assert files == {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    assert {row[1] for row in rows} == {"root/root"}
    assert {
        "bin/deformbench",
        "share/deformbench/analysis/deformbench/__init__.py",
        "share/deformbench/experiments/mueller_gross_2004/claims.json",
        "share/deformbench/paper_figures/verbs.py",
        "share/bash-completion/completions/deformbench",
        "share/man/man1/deformbench.1",
        "share/man/man1/deformbench-run.1",
        "share/doc/deformbench/copyright",
    } <= files


def third_party_modules(folder: Path, where: Callable[[ast.Module], Iterable[ast.AST]]) -> set[str]:
    """Modules that the Python half imports, its examples aside."""
    found = set()
    for path in folder.rglob("*.py"):
        if {"examples", "add_a_method"} & set(path.parts):
            continue
        for node in where(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                found.add(node.module.partition(".")[0])
    ours = {path.stem for path in folder.rglob("*")}
    return {f"python3-{PART_OF.get(name, name).lower()}" for name in found - set(sys.stdlib_module_names) - ours}


def test_it_depends_on_the_libraries_and_on_every_module_of_the_python_half(package: Path, unpacked: Path) -> None:
    data = unpacked / "usr/share/deformbench"
    depends = field(package, "Depends")
    python = {name for name in depends if name.startswith("python3-")}
    needed = third_party_modules(data, lambda module: module.body)
    assert {"python3-numpy", "python3-jinja2"} <= needed <= python <= third_party_modules(data, ast.walk)
    assert {"libc", "libfmt", "libstdc++", "python"} <= {name.rstrip("0123456789.") for name in depends - python}
    recommended = field(package, "Recommends")
    assert python | recommended <= WANTED
    assert {"cmake", "povray", "nlohmann-json3-dev"} <= recommended and "libgtest-dev" not in recommended


def test_pip_is_told_of_the_modules_of_its_part() -> None:
    project = tomllib.loads((ROOT / "analysis/pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = {f"python3-{name}" for name in project["dependencies"]}
    analysis = ROOT / "analysis"
    assert third_party_modules(analysis, lambda module: module.body) <= told <= third_party_modules(analysis, ast.walk)


def test_a_build_for_one_machine_is_named_so(package: Path) -> None:
    cache = (BUILD / "CMakeCache.txt").read_text()
    is_native = "DEFORMBENCH_MARCH_NATIVE:BOOL=ON" in cache
    version = re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.*)$", cache, flags=re.M)
    assert version
    assert output_of("dpkg-deb", "-f", package, "Version").strip() == version[1] + "-native" * is_native


def test_it_works_wherever_it_is_unpacked(unpacked: Path, environment: dict[str, str], tmp_path: Path) -> None:
    assert_works(unpacked / "usr", tmp_path, environment)
