# SPDX-License-Identifier: BSD-3-Clause
"""Variants of the machine: processors, languages, surroundings and compilers that others have."""

import argparse
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = Path(f"/usr/lib/{platform.machine()}-linux-gnu")
JOBS = len(os.sched_getaffinity(0))
CHANGED = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES", "OMP_NUM_THREADS", "LD_LIBRARY_PATH")


class Absent(Exception):
    """This machine cannot run a variant; the message says why."""


@dataclass
class Setting:
    """How a variant is run: variables (None: unset), the program, and the folder of its results and of what it
    needs."""

    folder: Path
    variables: dict[str, str | None] = field(default_factory=dict)
    build: Path = ROOT / "build/release"

    def environment(self) -> dict[str, str]:
        """That of this process with the variant's changes."""
        found: dict[str, str | None] = {**os.environ, **self.variables}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class Variant:
    """`prepare` fills in the setting or raises Absent; cells are run again if the compiled program `computes`
    otherwise."""

    name: str
    about: str
    prepare: Callable[[Setting, argparse.Namespace], None]
    computes: bool = True
    is_build: bool = False


def require(condition: object, why: str) -> None:
    """Raises Absent where the condition does not hold."""
    if not condition:
        raise Absent(why)


def flags() -> set[str]:
    """Feature flags of the processor."""
    found = re.search(r"^flags\s*:(.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    return set(found[1].split()) if found else set()


def variables(**changes: str | None) -> Callable[[Setting, argparse.Namespace], None]:
    """A variant that only sets variables."""
    return lambda setting, args: setting.variables.update(changes)


def openblas(core: str, needed: str) -> Variant:
    """OpenBLAS with the kernels of a kind of processor."""

    def prepare(setting: Setting, args: argparse.Namespace) -> None:
        folder = args.openblas or next(iter(sorted(LIBRARIES.glob("openblas-*"))), None)
        require(folder and (folder / "libblas.so.3").exists(), "no OpenBLAS (apt-get install libopenblas0-pthread)")
        require(needed in flags(), f"this processor has no {needed}")
        setting.variables |= {"OPENBLAS_CORETYPE": core, "LD_LIBRARY_PATH": str(folder)}

    return Variant(f"openblas-{core.lower()}", f"OPENBLAS_CORETYPE={core}", prepare, computes=False)


def reference_blas(setting: Setting, args: argparse.Namespace) -> None:
    """Debian's unoptimised BLAS and LAPACK."""
    folders = [LIBRARIES / "blas", LIBRARIES / "lapack"]
    require(all(f.is_dir() for f in folders), "not installed (apt-get install libblas3 liblapack3)")
    setting.variables["LD_LIBRARY_PATH"] = ":".join(map(str, folders))


def locale(name: str) -> Variant:
    """A language, made by localedef into a folder of the variant's own."""

    def prepare(setting: Setting, args: argparse.Namespace) -> None:
        if name != "C":
            require(shutil.which("localedef"), "no localedef")
            language, charset = name.split(".")
            made = setting.folder / "locales" / name
            made.parent.mkdir()
            done = subprocess.run(["localedef", "-i", language, "-f", charset, made], capture_output=True, check=False)
            require(done.returncode == 0, f"localedef makes no {name} (apt-get install locales)")
            setting.variables["LOCPATH"] = str(made.parent)
        setting.variables |= {"LANG": name, "LC_ALL": name}

    return Variant(f"locale-{name.split('.')[0].lower()}", f"LANG and LC_ALL are {name}", prepare)


def bare_python(setting: Setting, args: argparse.Namespace) -> None:
    """`python3` is an interpreter that finds no module of Debian's."""
    script = setting.folder / "bin/python3"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\nexec /usr/bin/python3 -I -S "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    setting.variables["PATH"] = f"{script.parent}:{os.environ['PATH']}"


def venv(setting: Setting, args: argparse.Namespace) -> None:
    """An activated virtual environment without packages."""
    made = setting.folder / "venv"
    run(["/usr/bin/python3", "-m", "venv", "--without-pip", made], os.environ)
    setting.variables |= {"PATH": f"{made}/bin:{os.environ['PATH']}", "VIRTUAL_ENV": str(made), "PYTHONHOME": None}


def spaced_checkout(setting: Setting, args: argparse.Namespace) -> None:
    """A clone of HEAD whose path has a space: it is configured, and built where builds are asked for."""
    clone = setting.folder / "with space" / "checkout"
    require(run(["git", "clone", "-q", ROOT, clone], os.environ).returncode == 0, "this is no git checkout")
    configured = configure(clone, clone / "build/release", args, [])
    if args.builds:
        compile_program(configured)
        setting.build = configured
    setting.folder = clone.parent
    setting.variables["DEFORMBENCH_DATA"] = str(clone)


def build(name: str, *words: str) -> Variant:
    """Compiled otherwise; a level of x86-64 only where the loader says that the processor has it."""

    def prepare(setting: Setting, args: argparse.Namespace) -> None:
        if name.startswith("x86-64"):
            loader = run([next(iter(Path("/lib64").glob("ld-linux-x86-64.so.*"))), "--help"], os.environ).stdout
            require(re.search(rf"{name} \(supported", loader), f"this processor is no {name}")
        else:
            require(shutil.which(name), f"no {name} (apt-get install {name})")
        setting.build = configure(ROOT, ROOT / "build/portability" / name, args, words)
        compile_program(setting.build, args.tests)

    return Variant(f"build-{name}", " ".join(words), prepare, is_build=True)


def run(words: Sequence[str | Path], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """With its output."""
    return subprocess.run(
        [*map(str, words)], cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False
    )


def configure(source: Path, folder: Path, args: argparse.Namespace, words: Sequence[str]) -> Path:
    """Returns the folder of the build; the tests are part of it where they are asked for."""
    tests = "ON" if args.tests else "OFF"
    options = ["-GNinja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG", *words]
    options += [f"-DDEFORMBENCH_BUILD_TESTS={tests}", "-DDEFORMBENCH_BUILD_BENCHMARKS=OFF"]
    done = run(["cmake", "-S", source, "-B", folder, *options], os.environ)
    if done.returncode != 0:
        raise RuntimeError(f"cmake ends with {done.returncode}: {done.stderr.strip()[-1000:]}")
    return folder


def compile_program(folder: Path, with_tests: bool = False) -> None:
    """The target deformbench, or all."""
    done = run(
        ["nice", "-n", "10", "ninja", "-C", folder, f"-j{JOBS}", *([] if with_tests else ["deformbench"])], os.environ
    )
    if done.returncode != 0:
        raise RuntimeError("the build fails: " + "\n".join(done.stdout.splitlines()[-20:]))


NO_AVX512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
HOMELESS = dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "MPLCONFIGDIR"))
LEVELS = [
    build(f"x86-64-{v}", "-DDEFORMBENCH_MARCH_NATIVE=OFF", f"-DCMAKE_CXX_FLAGS=-march=x86-64-{v}")
    for v in ("v2", "v3", "v4")
]
VARIANTS = {
    v.name: v
    for v in [
        *(
            openblas(*kind)
            for kind in (("Haswell", "avx2"), ("SkylakeX", "avx512f"), ("Zen", "avx2"), ("Nehalem", "sse4_2"))
        ),
        Variant("blas-reference", "Debian's reference BLAS and LAPACK", reference_blas, computes=False),
        Variant(
            "numpy-no-avx512", "NumPy without AVX512", variables(NPY_DISABLE_CPU_FEATURES=NO_AVX512), computes=False
        ),
        Variant(
            "numpy-no-avx2",
            "nor AVX2, FMA3",
            variables(NPY_DISABLE_CPU_FEATURES=f"AVX2 FMA3 {NO_AVX512}"),
            computes=False,
        ),
        # The names of glibc 2.33 and later; before, they ended in _Usable.
        Variant(
            "glibc-no-fma",
            "libm without FMA, AVX2",
            variables(GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"),
        ),
        *(Variant(f"threads-{n}", f"OMP_NUM_THREADS={n}", variables(OMP_NUM_THREADS=str(n))) for n in (1, 2)),
        *(locale(name) for name in ("C", "tr_TR.UTF-8", "de_DE.UTF-8")),
        Variant("time-zone", "TZ=Pacific/Chatham, 45 minutes off the hour", variables(TZ="Pacific/Chatham")),
        Variant("python-without-modules", "another python3 comes first in PATH", bare_python),
        Variant("python-venv", "a virtual environment is active", venv),
        Variant("home", "HOME cannot be written or made", variables(HOME="/proc/none", **HOMELESS)),
        Variant("space", "a checkout whose path has a space", spaced_checkout),
        *LEVELS,
        build("clang++-14", "-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_CXX_COMPILER=clang++-14"),
    ]
}
