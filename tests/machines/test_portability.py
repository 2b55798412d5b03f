# SPDX-License-Identifier: BSD-3-Clause
"""tests/portability: what it takes for a difference, and the variants that its options choose."""

import argparse
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from deformbench_analysis.claims import all_claims

SCRIPT = Path(__file__).resolve().parents[1] / "portability"
sys.path.insert(0, str(Path(__file__).resolve().parent))

import outcomes  # noqa: E402
import variants  # noqa: E402
from outcomes import ABSOLUTE, MAY_DIFFER, Outcome, compare  # noqa: E402


def script() -> Any:
    loader = SourceFileLoader("portability", str(SCRIPT))
    spec = spec_from_loader("portability", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


portability = script()


def outcome(**changes: Any) -> Outcome:
    found = {
        "codes": {"run": 0, "measure": 0, "verify": 0},
        "verdicts": {"IVM-03": "holds"},
        "values": {"a.ratio": (2.0, "1"), "a.drift": (1e-14, "1"), "a.energy": (3.0, "J"), "a.none": (None, "m")},
        "tests": {"python_extremes": "run"},
    }
    return Outcome(**{key: {**of, **changes.get(key, {})} for key, of in found.items()})


@pytest.mark.parametrize(
    "changes, difference",
    [
        ({"values": {"a.ratio": (2.0 + 3e-6, "1")}}, "a.ratio: 2.0 → 2.000003 1"),
        ({"values": {"a.energy": (3.0 - 4e-6, "J")}}, "a.energy: 3.0 → 2.999996 J"),
        ({"values": {"a.drift": (2e-9, "1")}}, "a.drift: 1e-14 → 2e-09 1"),
        ({"values": {"a.ratio": (float("inf"), "1")}}, "a.ratio: 2.0 → inf 1"),
        ({"values": {"a.ratio": (float("nan"), "1")}}, "a.ratio: 2.0 → nan 1"),
        ({"values": {"a.ratio": (None, "1")}}, "a.ratio: 2.0 → None 1"),
        ({"values": {"a.none": (0.0, "m")}}, "a.none: None → 0.0 m"),
        ({"values": {"a.more": (1.0, "1")}}, "a.more: only in this run"),
        ({"verdicts": {"IVM-03": "inconclusive"}}, "IVM-03: holds → inconclusive"),
        ({"verdicts": {"IVM-04": "holds"}}, "IVM-04: only in this run"),
        ({"codes": {"verify": 6}}, "verify: 0 → 6"),
        ({"tests": {"python_extremes": "fail"}}, "python_extremes: run → fail"),
    ],
)
def test_each_difference_is_told_in_one_line(changes: dict[str, Any], difference: str) -> None:
    assert compare(outcome(), outcome(**changes)) == [difference]


@pytest.mark.parametrize(
    "changes",
    [
        {"values": {"a.ratio": (2.0 + 1e-6, "1"), "a.energy": (3.0 + 2e-6, "J")}},
        {"values": {"a.drift": (-9e-10, "1")}},
        {"tests": {"others": "fail"}, "codes": {"compiled_tests": 8}},  # not run with the plain one
    ],
)
def test_rounding_and_what_one_of_both_did_not_run_are_no_difference(changes: dict[str, Any]) -> None:
    assert compare(outcome(), outcome(**changes)) == []


def test_a_unit_without_a_scale_is_compared_by_shares_alone() -> None:
    assert "J" not in ABSOLUTE
    assert compare(outcome(values={"x": (1e-30, "J")}), outcome(values={"x": (2e-30, "J")})) == ["x: 1e-30 → 2e-30 J"]


def test_listed_measurements_may_differ_and_their_verdicts_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(outcomes.MAY_DIFFER, "a.ratio", "a reason for it")
    other = outcome(values={"a.ratio": (9.0, "1")}, verdicts={"IVM-03": "does_not_hold"})
    assert compare(outcome(), other) == ["IVM-03: holds → does_not_hold"]
    assert all(len(reason.split()) > 2 for reason in MAY_DIFFER.values())


def names(*words: str) -> list[str]:
    return [v.name for v in portability.chosen(portability.parsed(words))]


def test_options_choose_variants() -> None:
    every = list(variants.VARIANTS)
    cheap = [n for n, v in variants.VARIANTS.items() if not v.is_build]
    assert names() == cheap and names("--builds") == every and len(cheap) < len(every)
    assert names("--only", "time-zone", "home") == ["time-zone", "home"]
    drawn = [names("--draw", "2", "--seed", seed) for seed in "abcdefgh"]
    assert all(sorted(d) == sorted(cheap) for d in drawn) and len({d[0] for d in drawn}) > 2
    assert names("--draw", "1", "--seed", "a") == drawn[0]


def test_tests_are_those_whose_arithmetic_changes() -> None:
    def tests(name: str, *words: str) -> list[str]:
        return list(portability.tests_of(variants.VARIANTS[name], portability.parsed(words)))

    both = ["python_tests", "compiled_tests"]
    assert tests("openblas-zen") == both[:1] and tests("threads-1") == both
    assert tests("build-x86-64-v2", "--builds") == [] and tests("build-x86-64-v2", "--builds", "--tests") == both
    assert tests("threads-1", "--draw", "1") == both[:1] and tests("threads-1", "--no-tests") == []


@pytest.mark.parametrize(
    "words, said",
    [
        (["--draw", "0"], "from 1"),
        (["--draw", "1", "--only", "home"], "without --only"),
        (["--draw", "1", "--builds"], "without --only and --builds"),
        (["--tests", "--no-tests"], "exclude"),
        (["--only", "no_such"], "no_such"),
        (["--unknown"], "--unknown"),
    ],
)
def test_bad_usage_ends_with_2(words: list[str], said: str) -> None:
    done = subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_the_list_has_every_variant() -> None:
    done = subprocess.run([SCRIPT, "--list"], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(variants.VARIANTS)


def test_what_a_machine_cannot_run_is_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting, args = variants.Setting(tmp_path), argparse.Namespace(openblas=tmp_path / "none")
    with pytest.raises(variants.Absent, match="no OpenBLAS"):
        variants.VARIANTS["openblas-zen"].prepare(setting, args)
    (tmp_path / "libblas.so.3").touch()
    monkeypatch.setattr(variants, "flags", lambda: {"sse4_2"})
    args = argparse.Namespace(openblas=tmp_path)
    with pytest.raises(variants.Absent, match="avx512f"):
        variants.VARIANTS["openblas-skylakex"].prepare(setting, args)
    variants.VARIANTS["openblas-nehalem"].prepare(setting, args)
    assert setting.environment()["OPENBLAS_CORETYPE"] == "Nehalem"
    assert setting.environment()["LD_LIBRARY_PATH"] == str(tmp_path)


def test_a_setting_takes_variables_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLIBC_TUNABLES", "x=1")
    found = variants.Setting(tmp_path, dict.fromkeys(variants.CHANGED)).environment()
    assert not set(variants.CHANGED) & set(found) and found["PATH"] == os.environ["PATH"]


def test_the_claims_are_of_every_paper() -> None:
    experiments, papers = portability.claims_and_papers()
    assert {claim.split("-")[0] for claim in portability.CLAIMS} == {
        c.id.split("-")[0] for claims in all_claims().values() for c in claims if c.data.get("min_tier") == "smoke"
    }
    assert set(portability.CLAIMS) <= set(experiments)
    assert papers == sorted(paper for paper, claims in all_claims().items() if claims)
