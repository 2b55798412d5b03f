# SPDX-License-Identifier: BSD-3-Clause
"""The direction of the includes, the length of files, and what must not be in the tree."""
import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
        "methods/phase_clock.hpp",
        "methods/registry.hpp",
        "methods/parameters.hpp",
    ],
}
# Inside experiments: each folder may use those listed before it, and itself.
EXPERIMENTS_IN_ORDER = [
    "experiments/scenes/",
    "experiments/harness/trace/",
    "experiments/harness/files/",
    "experiments/harness/probes/",
    "experiments/harness/run/",
    "experiments/harness/cells/",
    "experiments/harness/outside/",
    "experiments/harness/commands/",
    "experiments/harness/",
    "experiments/benchmarks/",
    "experiments/add_a_method/",
]
# The Python packages in the same way: the interface for users, and paper_figures, are layers above the analysis.
PACKAGES_IN_ORDER = ["analysis/deformbench_analysis", "analysis/deformbench", "experiments", "paper_figures"]
PAPERS = sorted(p.parent.name for p in (ROOT / "experiments").glob("*/paper.json"))


def sources(*folders: str) -> list[Path]:
    return [p for folder in folders for p in sorted((ROOT / folder).rglob("*")) if p.suffix in {".hpp", ".cpp"}]


def own_includes(path: Path) -> list[str]:
    found = re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), flags=re.M)
    return [name for name in found if not name.startswith("deformbench_generated/")]


def test_there_is_something_to_check() -> None:
    assert len(sources("methods")) > 10


@pytest.mark.parametrize("parent, may_include", [("", MAY_INCLUDE), ("methods/", METHODS_MAY_INCLUDE)])
def test_includes_flow_one_way(parent: str, may_include: dict[str, list[str]]) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for folder, allowed in may_include.items()
        for path in sources(f"{parent}{folder}")
        for name in own_includes(path)
        if not name.startswith(tuple(allowed))
    ]
    assert not wrong, "\n".join(wrong)


def test_folders_include_each_other_in_no_circle() -> None:
    """A folder and those below it count apart: what is above includes what is below, or the other way round."""
    graph: dict[str, set[str]] = {}
    for path in sources("methods", "reference_data", "experiments"):
        folder = str(path.parent.relative_to(ROOT))
        graph.setdefault(folder, set()).update({str(Path(name).parent) for name in own_includes(path)} - {folder})
    assert len(graph) > 30
    graphlib.TopologicalSorter(graph).prepare()  # CycleError names the folders


def folder_of(name: str) -> str:
    shared = re.sub(rf"^experiments/({'|'.join(PAPERS)})/scenes/", "experiments/scenes/", name)
    return max((f for f in EXPERIMENTS_IN_ORDER if shared.startswith(f)), key=len)


def test_includes_inside_experiments_flow_one_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in sources("experiments")
        for name in own_includes(path)
        if name.startswith("experiments/")
        and EXPERIMENTS_IN_ORDER.index(folder_of(name))
        > EXPERIMENTS_IN_ORDER.index(folder_of(str(path.relative_to(ROOT))))
    ]
    assert not wrong, "\n".join(wrong)


def paper_in(path: str) -> str | None:
    return next((part for part in re.split(r"[/.]", path) if part in PAPERS), None)


def scenes() -> list[Path]:
    return sources("experiments/scenes", *(f"experiments/{paper}/scenes" for paper in PAPERS))


def test_no_scene_needs_one_of_another_paper() -> None:
    assert {paper_in(str(path)) for path in scenes()} > {None, "mueller_gross_2004"}
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in scenes()
        for name in own_includes(path)
        if paper_in(name) not in (None, paper_in(str(path)))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_scene_is_called_as_its_file_and_function() -> None:
    """The list of scenes in CMakeLists.txt is the only one: it names files,
    and generated code calls the functions."""
    for path in scenes():
        text = path.read_text(encoding="utf-8")
        for function in re.findall(r"^SceneDescriptor (\w+)\(\) \{", text, flags=re.M):
            ids = re.findall(r'return \{\s*"(\w+)",', text)
            assert function == path.stem and path.stem in ids, path.relative_to(ROOT)


def imports_of(path: Path) -> list[str]:
    """Modules that a Python file imports, with dots resolved."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = path.parent.parts[len(ROOT.parts) :]
            base = base[1:] if base[0] == "analysis" else base
            above = list(base[: len(base) - node.level + 1]) if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return found


def python_files(folder: str) -> list[Path]:
    apart = {"out", "add_a_method"}  # what is made, and programs of their own
    return [p for p in sorted((ROOT / folder).rglob("*.py")) if not apart & set(p.relative_to(ROOT).parts)]


def test_python_packages_know_only_those_below_them() -> None:
    names = [Path(folder).name for folder in PACKAGES_IN_ORDER]
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for k, folder in enumerate(PACKAGES_IN_ORDER)
        for path in python_files(folder)
        for module in imports_of(path)
        if module.split(".")[0] in [*names[k + 1 :], "tests"]
    ]
    assert not wrong, "\n".join(wrong)


def test_the_modules_of_the_analysis_do_not_know_single_measurements() -> None:
    folder = ROOT / "analysis" / "deformbench_analysis"
    wrong = [
        f"{path.name} imports {module}"
        for path in sorted(folder.glob("*.py"))
        for module in imports_of(path)
        if module.split(".")[0] == "experiments"
    ]
    assert not wrong, "\n".join(wrong)


def test_no_measurement_or_figure_needs_one_of_another_paper() -> None:
    """Figures may show measurements of experiments that span papers."""
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for folder in ("experiments", "paper_figures")
        for path in python_files(folder)
        for module in imports_of(path)
        if paper_in(str(path.relative_to(ROOT)))
        and module.split(".")[0] in ("experiments", "paper_figures")
        and paper_in(module) not in (None, "cross", paper_in(str(path.relative_to(ROOT))))
    ]
    assert not wrong, "\n".join(wrong)


def shared_files() -> list[Path]:
    """Code that serves every paper, those outside the tree too: not the files of one paper, and no list of scenes."""
    folders = ["analysis/deformbench_analysis", "paper_figures", "experiments/harness", "cmake"]
    kinds = {".py", ".cpp", ".hpp", ".txt", ".cmake", ".in", ".css", ".json"}
    own = [p for p in PAPERS if p != "cross"]
    found = [p for folder in folders for p in sorted((ROOT / folder).rglob("*")) if p.suffix in kinds]
    found += [ROOT / name for name in ("CMakeLists.txt", "experiments/CMakeLists.txt", "reference_data/CMakeLists.txt")]
    parts = {p: p.relative_to(ROOT).parts for p in found}
    return [p for p in found if "out" not in parts[p] and not any(o in parts[p] for o in own)]


METHODS_TOO = {"projective_dynamics"}  # ids of methods from outside


def test_shared_code_names_no_paper_of_ours() -> None:
    names = [p for p in PAPERS if p != "cross"]
    assert sorted(names) == sorted(p.parent.name for p in (ROOT / "experiments").glob("*/claims.json"))
    assert len(shared_files()) > 100
    wrong = [
        f"{path.relative_to(ROOT)} names {name}"
        for path in shared_files()
        for name in names
        if (f"{name}/" if name in METHODS_TOO else name) in path.read_text(encoding="utf-8")
        and "cross" not in path.relative_to(ROOT).parts
    ]
    assert not wrong, "\n".join(wrong)


def test_packages_leave_the_search_path_alone() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for folder in PACKAGES_IN_ORDER
        for path in python_files(folder)
        if "sys.path" in path.read_text(encoding="utf-8")
    ]
    assert not wrong


def is_described(part: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a decorator's first argument says in words what it gives, as that of a quantity does."""
    calls = [d for d in part.decorator_list if isinstance(d, ast.Call) and d.args]
    return any(isinstance(d.args[0], ast.Constant) and " " in str(d.args[0].value) for d in calls)


def undocumented(node: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[str]:
    """Public functions, classes and methods without a docstring."""
    for part in node.body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)) and not part.name.startswith("_"):
            if ast.get_docstring(part) is None and not is_described(part):
                yield prefix + part.name
            if isinstance(part, ast.ClassDef):
                yield from undocumented(part, f"{part.name}.")


def test_public_functions_are_documented() -> None:
    """The function `make` of a figure's script is described by its module, whose docstring it shares."""
    silent = []
    for folder in (*PACKAGES_IN_ORDER, "tests/mutants"):
        for path in python_files(folder):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert ast.get_docstring(tree), path
            if not path.name.startswith("test_"):
                silent += [f"{path.relative_to(ROOT)}: {name}" for name in undocumented(tree) if name != "make"]
    assert not silent, "\n".join(silent)


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
    """The fingerprint of a method covers what all methods link;
    what the harness alone uses must be named among its own sources."""
    linked_by_methods = {"model", "numerics", "fem", "pbd", "meshless", "peers"}
    listed = (ROOT / "experiments/harness/CMakeLists.txt").read_text(encoding="utf-8")
    used = {
        name.split("/")[1]
        for path in [*sources("experiments/harness/run", "experiments/harness/probes"), *scenes()]
        for name in own_includes(path)
        if name.startswith("methods/") and name.count("/") > 1
    }
    assert "surface" in used
    assert [f for f in sorted(used - linked_by_methods) if f"methods/{f}/*.cpp" not in listed] == []
