# SPDX-License-Identifier: BSD-3-Clause
"""Where the tree's folders and the command are: where DEFORMBENCH_DATA says (the command sets it),
or beside this package."""

import os
import re
import shutil
import socket
from collections.abc import Iterable
from pathlib import Path

from .errors import InputError


def _holds_data(root: Path) -> bool:
    return (root / "experiments" / "harness" / "schema").is_dir()


def project_root() -> Path:
    """The folder with experiments/, reference_data/ and paper_figures/: DEFORMBENCH_DATA, else the one that this
    package lies in, else that of the command, where the package was installed on its own."""
    override = os.environ.get("DEFORMBENCH_DATA")
    if override:
        root = Path(override)
        if not _holds_data(root):
            raise InputError(
                f"{root}: no folder experiments/harness/schema; set DEFORMBENCH_DATA to the checkout or the installed data"
            )
        return root
    here = Path(__file__).resolve().parents[2]
    for root in (here, *_beside(_named_command())):
        if _holds_data(root):
            return root
    raise InputError(
        f"{here}: no folder experiments/harness/schema; set DEFORMBENCH_DATA to the checkout or the installed data, or put the command "
        "deformbench on the PATH"
    )


def _named_command() -> str | None:
    """What DEFORMBENCH says, or what the PATH has."""
    return os.environ.get("DEFORMBENCH") or shutil.which("deformbench")


def _beside(program: str | None) -> list[Path]:
    """Where a command may have its data: share/deformbench where it is installed,
    or a folder above where it was built."""
    if program is None:
        return []
    above = list(Path(program).resolve().parents)
    return [above[1] / "share" / "deformbench", *above] if len(above) > 1 else []


def command() -> Path:
    """The command `deformbench`: DEFORMBENCH, else on the PATH, else as the checkout built it.
    InputError where there is none."""
    named = _named_command()
    if named:
        return Path(named)
    built = project_root() / "build" / "release" / "bin" / "deformbench"
    if not built.exists():
        raise InputError(f"no command deformbench on the PATH nor {built}; build it, or set DEFORMBENCH to it")
    return built


def experiments_dir() -> Path:
    """experiments."""
    return project_root() / "experiments"


def figures_dir() -> Path:
    """paper_figures."""
    return project_root() / "paper_figures"


def is_checkout() -> bool:
    """Whether the data are in a checkout, and not where they were installed to be read."""
    return (project_root() / "CMakeLists.txt").exists()


def default_out() -> Path:
    """paper_figures/out of the checkout; of the current folder where the package is installed, or its folder is read-
    only."""
    folder = figures_dir()
    return (folder if is_checkout() and os.access(folder, os.W_OK) else Path("paper_figures")) / "out"


def machine_name() -> str:
    """The name in results/<machine>, as the command makes it: DEFORMBENCH_MACHINE, else the kind of processor,
    else the host."""
    return cleaned_machine_name([os.environ.get("DEFORMBENCH_MACHINE", ""), processor_name(), socket.gethostname()])


def processor_name() -> str:
    """Model name, and family and model numbers, since virtual machines shorten the name; "" where unknown."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text(encoding="utf-8", errors="replace") if cpuinfo.exists() else ""
    first: dict[str, str] = {
        key.rstrip(): value for key, value in reversed(re.findall(r"^([\w ]+?)\s*: (.*)$", text, re.M))
    }
    name = first.get("model name", first.get("Model", ""))
    numbered = name and "cpu family" in first and "model" in first
    return f"{name} (family {first['cpu family']}, model {first['model']})" if numbered else name


def cleaned_machine_name(names: Iterable[str]) -> str:
    """The first name with letters or digits, as the name of a folder: small letters, digits and underscores."""
    cleaned = [re.sub(r"[^a-z0-9]+", "_", re.sub(r"\(R\)|\(TM\)", "", name).lower()).strip("_") for name in names]
    return next((name for name in cleaned if name), "unknown")


def results_folder(named: str | None) -> Path:
    """The folder named, or results/<this machine>, or the only folder below results/."""
    if named:
        return Path(named)
    base = Path("results") if Path("results").is_dir() or not is_checkout() else project_root() / "results"
    own = base / machine_name()
    if own.is_dir():
        return own
    folders = sorted(p for p in base.glob("*") if p.is_dir())
    if len(folders) == 1:
        return folders[0]
    raise InputError(f"{base}: expected one folder of results, found {len(folders)}; name it: deformbench VERB DIR")
