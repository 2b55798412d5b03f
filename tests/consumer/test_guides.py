# SPDX-License-Identifier: BSD-3-Clause
"""The guides to the letter: their blocks of commands run in order as they stand, with the installed package and
another `python3` first on the path; what is not run says why, and names nothing that does not exist."""

import re
import subprocess
from pathlib import Path

import guides
import pytest
from conftest import BUILD
from guides import blocks

STARTS_IN_THE_CHECKOUT = {"docs/add_a_method.md", "docs/python.md", "docs/extending.md", "docs/tutorial.md"}
RUN = [name for name in guides.guides() if any(block.is_run for block in blocks(name))]


def given(guide: str, folder: Path, prefix: Path) -> None:
    """What a guide says that its reader has."""
    if guide == "docs/scenes.md":
        mesh = prefix / "share/deformbench/experiments/scenes/examples/block.mesh"
        subprocess.run([prefix / "bin/deformbench", "convert", mesh, folder / "figure.node"], check=True)


def run_blocks(guide: str, folder: Path, environment: dict[str, str]) -> list[str]:
    """What each block prints."""
    parts = [f"echo '@ {b.guide}:{b.line}' | tee /dev/stderr\n{b.text}" for b in blocks(guide) if b.is_run]
    bash = ["bash", "-euo", "pipefail", "-c", "".join(parts)]
    done = subprocess.run(bash, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=3600)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return re.split(r"^@ .*\n", done.stdout, flags=re.M)[1:]


@pytest.mark.parametrize("guide", RUN)
def test_a_guide_runs_as_printed(
    guide: str, checkout: Path, prefix: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    # Its ./install has been built already: ctest runs in a finished build.
    (checkout / "install").write_text(f'#!/bin/sh\nexec cmake --install "{BUILD}" --prefix "$1" >/dev/null\n')
    folder = checkout if guide in STARTS_IN_THE_CHECKOUT else tmp_path
    written = Path(environment["HOME"]) / "tutorial" if guide == "docs/tutorial.md" else folder
    for path, text in guides.files_of(guide):
        (written / path).parent.mkdir(parents=True, exist_ok=True)
        (written / path).write_text(text, encoding="utf-8")
    given(guide, folder, prefix)
    own, _, rest = environment["PATH"].partition(":")
    printed = run_blocks(guide, folder, {**environment, "PATH": f"{own}:{prefix}/bin:{rest}"})
    if guide == "docs/python.md":
        assert_page_shows(printed[1], "docs/compare_methods.md", "analysis/examples/compare_methods.py")
        assert (folder / "example_results/tips.png").stat().st_size > 10_000
        assert_installed_by_pip(folder / "env", tmp_path, environment)
    if guide == "docs/tutorial.md":
        assert_rows_shown(guide, printed)


def assert_rows_shown(guide: str, printed: list[str]) -> None:
    """The rows of output that a guide shows are among those that its commands print."""
    rows = [line.split() for text in printed for line in text.splitlines()]
    shown = [line.split() for block in blocks(guide) if not block.language for line in block.text.splitlines()]
    assert len(shown) > 4
    for words in shown:
        like = [row for row in rows if row[:-1] == words[:-1]]
        assert any(float(row[-1]) == pytest.approx(float(words[-1]), rel=1e-3) for row in like), words


def assert_page_shows(printed: str, page: str, script: str) -> None:
    """The page has the cells of the script and what they print; numbers may differ by rounding."""
    text = guides.text_of(page)
    for cell in re.findall(r"^# %%\n((?:(?!# %%).*\n)*)", guides.text_of(script), flags=re.M):
        assert cell.strip() in text, "run docs/make_example.py"
    shown = "\n".join(block.text for block in blocks(page) if not block.language).split()
    assert len(shown) == len(printed.split()) > 50
    for expected, word in zip(shown, printed.split(), strict=True):
        if re.fullmatch(r"[-+.e\d]+", word):
            assert float(word) == pytest.approx(float(expected), rel=1e-3, abs=1e-9)
        else:
            assert word == expected


def assert_installed_by_pip(env: Path, folder: Path, environment: dict[str, str]) -> None:
    """With its templates, and not as a link to the checkout."""
    where = "import deformbench, deformbench_analysis as a; print(deformbench.__file__, a.__file__, sep='\\n')"
    for words in (["-c", where], ["-m", "deformbench_analysis", "new", "paper", "short"]):
        home = {**environment, "PATH": f"{environment['HOME']}/deformbench/bin:/usr/bin:/bin"}
        done = subprocess.run(
            [env / "bin/python", *words], cwd=folder, env=home, capture_output=True, text=True, check=True
        )
        assert words[0] == "-m" or all(line.startswith(str(env)) for line in done.stdout.splitlines())
    assert (folder / "short/claims.json").exists()


def test_most_guides_with_commands_are_run() -> None:
    names = ("add_a_method", "comparing", "extending", "python", "scenes", "tutorial")
    assert {f"docs/{name}.md" for name in names} <= set(RUN)


def test_the_sources_that_extending_shows_compile(checkout: Path) -> None:
    """Their commands are parsed alone, for they build the tree."""
    sources = {path: text for path, text in guides.files_of("docs/extending.md") if path.endswith((".cpp", ".hpp"))}
    assert len(sources) == 3
    for path, text in sources.items():
        (checkout / path).parent.mkdir(exist_ok=True)
        (checkout / path).write_text(text, encoding="utf-8")
    words = [
        "g++",
        "-std=c++20",
        "-fsyntax-only",
        "-Wall",
        "-Werror",
        "-I.",
        f"-I{BUILD}",
        "-isystem/usr/include/eigen3",
    ]
    for path in (path for path in sources if path.endswith(".cpp")):
        done = subprocess.run([*words, path], cwd=checkout, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.parametrize("guide", guides.guides())
def test_what_is_not_run_says_why_and_names_what_exists(guide: str) -> None:
    wrong = list(guides.without_a_reason(guide))
    parsed = [b.text for b in blocks(guide) if b.language == "sh" and not b.is_run]
    for script in parsed + guides.inline_commands(guides.text_of(guide)):
        wrong += [
            f"{guide}: {script.strip().splitlines()[0]}: {f}" for f in guides.findings(script, guides.made_by(guide))
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("example, command", guides.commands_in_comments())
def test_an_example_says_how_it_is_run(example: str, command: str) -> None:
    assert list(guides.findings(command)) == []
    assert "--program" not in command or '"/usr/bin/python3 ' in command, f"{example}: another python3 lacks numpy"


@pytest.mark.parametrize(
    "script, found",
    [
        ("deformbench simulat bar", "no verb 'simulat'"),
        ("deformbench run no_such_one --tier smoke", "run: no 'no_such_one'"),
        ("x=1 build/release/bin/deformbench run ms_per_step --teir smoke", "run has no option '--teir'"),
        ("deformbench run ms_per_step --method warped_fem no_fem", "run --method: no 'no_fem'"),
        ("true | deformbench figures --only fig_99 && true", "figures --only: no 'fig_99'"),
        ("deformbench list method", "list: no 'method'"),
        ("deformbench describe warped_femm  # comment", "describe: no 'warped_femm'"),
        ("deformbench verify --claim NO-1", "verify --claim: no 'NO-1'"),
        ("deformbench compare warped_fem no_fem:law=x", "compare: no 'no_fem'"),
        ("cmake --preset relase", "no preset 'relase' in CMakePresets.json"),
        ("tests/hardness/trail kills", "no file 'tests/hardness/trail'"),
        ("./chekc --force", "no file './chekc'"),
        ("deformbench run ms_per_step --tier smoke --set a.b=1 --out my_folder", None),
        ("deformbench describe <experiment> && deformbench validate FILE", None),
    ],
)
def test_the_parser_finds_what_does_not_exist(script: str, found: str | None) -> None:
    assert list(guides.findings(script)) == ([] if found is None else [found])


@pytest.mark.parametrize(
    "text, is_found",
    [
        ("```sh\nls\n```", False),
        ("```sh parsed: takes an hour\nls\n```", False),
        ("```sh parsed:\nls\n```", True),
        ("```sh slow\nls\n```", True),
        ("```\ndeformbench list methods\n```", True),
        ("```bash\n./check\n```", True),
        ("```\nScene → Body\n```", False),
    ],
)
def test_a_block_that_nothing_looks_at_is_found(text: str, is_found: bool) -> None:
    assert bool(list(guides.without_a_reason("page.md", text))) == is_found
