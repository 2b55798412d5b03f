# SPDX-License-Identifier: BSD-3-Clause
"""The direction of the includes, the length of files, and what must not stand in the tree."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["methods", "reference_data", "experiments", "analysis", "paper_figures", "tests", "cmake", "docs"]

# What each folder may include of ours: everything flows one way.
MAY_INCLUDE = {
    "methods": ["methods/"],
    "reference_data": ["reference_data/"],
    "experiments": ["methods/", "reference_data/", "experiments/"],
}
# Below methods, sorted by physics: model knows nothing above it.
METHODS_MAY_INCLUDE = {
    "model": ["methods/model/", "methods/parameters.hpp"],
    "numerics": [
        "methods/model/types.hpp",
        "methods/model/error.hpp",
        "methods/model/split_mix.hpp",
        "methods/model/triangle_mesh.hpp",
        "methods/model/triangle_distance.hpp",
        "methods/numerics/",
    ],
    "surface": ["methods/model/", "methods/numerics/", "methods/surface/"],
    "peers": [
        "methods/model/",
        "methods/peers/",
        "methods/facets.hpp",
        "methods/method.hpp",
        "methods/registry.hpp",
        "methods/parameters.hpp",
    ],
}


def sources(*folders: str) -> list[Path]:
    return [p for folder in folders for p in sorted((ROOT / folder).rglob("*")) if p.suffix in {".hpp", ".cpp"}]


def own_includes(path: Path) -> list[str]:
    found = re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), flags=re.M)
    return [name for name in found if not name.startswith("deformbench_generated/")]


def test_there_is_something_to_check() -> None:
    assert len(sources("methods")) > 10


def test_includes_flow_one_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for folder, allowed in MAY_INCLUDE.items()
        for path in sources(folder)
        for name in own_includes(path)
        if not name.startswith(tuple(allowed))
    ]
    assert not wrong, "\n".join(wrong)


def test_includes_inside_methods_flow_one_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for folder, allowed in METHODS_MAY_INCLUDE.items()
        for path in sources(f"methods/{folder}")
        for name in own_includes(path)
        if not name.startswith(tuple(allowed))
    ]
    assert not wrong, "\n".join(wrong)


def test_includes_start_at_the_root() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in sources("methods", "experiments", "reference_data", "tests")
        for name in own_includes(path)
        if not (ROOT / name).exists()
    ]
    assert not wrong, "\n".join(wrong)


def test_hdf5_is_used_in_the_harness_alone() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in sources("methods", "reference_data")
        if "hdf5.h" in path.read_text(encoding="utf-8")
    ]
    assert not wrong


def test_no_source_file_is_over_600_lines() -> None:
    long = [
        f"{p.relative_to(ROOT)}: {n}"
        for folder in FOLDERS
        for p in (ROOT / folder).rglob("*")
        if p.suffix in {".hpp", ".cpp", ".py"} and (n := len(p.read_text(encoding="utf-8").splitlines())) > 600
    ]
    assert not long, "\n".join(long)


def test_every_source_file_names_its_licence() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for folder in FOLDERS
        for p in (ROOT / folder).rglob("*")
        if p.suffix in {".hpp", ".cpp", ".py"}
        and p.stat().st_size > 0
        and "SPDX-License-Identifier: BSD-3-Clause" not in "\n".join(p.read_text(encoding="utf-8").splitlines()[:3])
    ]
    assert not silent, "\n".join(silent)


def test_no_path_of_one_machine_is_in_the_tree() -> None:
    # Built from parts, so that this file does not match itself.
    pattern = re.compile("|".join("/" + name + "/" for name in ("work", "root", "home")))
    wrong = [
        f"{p.relative_to(ROOT)}:{k}"
        for folder in FOLDERS
        for p in (ROOT / folder).rglob("*")
        if p.suffix in {".hpp", ".cpp", ".py", ".json", ".md", ".txt", ".cmake"} and "/out/" not in str(p)
        for k, line in enumerate(p.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_a_result_depends_on_every_folder_of_methods_that_the_harness_computes_with() -> None:
    """The fingerprint of a method covers what all methods link; what the harness alone uses must be named among its own sources."""
    linked_by_methods = {"model", "numerics", "fem", "pbd", "peers"}
    listed = (ROOT / "experiments/harness/CMakeLists.txt").read_text(encoding="utf-8")
    used = {
        name.split("/")[1]
        for path in sources("experiments/harness/run", "experiments/harness/probes", "experiments/scenes")
        for name in own_includes(path)
        if name.startswith("methods/") and name.count("/") > 1
    }
    assert "surface" in used
    assert [f for f in sorted(used - linked_by_methods) if f"methods/{f}/*.cpp" not in listed] == []
