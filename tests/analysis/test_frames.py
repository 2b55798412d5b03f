# SPDX-License-Identifier: BSD-3-Clause
"""Frames of meshes that come apart: read, and written as VTK, OBJ and PLY files that other programs read."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np
import pytest
from made_up_traces import add_frames, write_trace

from deformbench_analysis import cli
from deformbench_analysis.errors import InputError
from deformbench_analysis.mesh_frames import boundary_triangles, surface_frames, vertex_normals
from deformbench_analysis.trace import Trace

REST = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=float)
WHOLE = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
APART = np.array([[0, 1, 2, 3], [5, 6, 7, 4]])
PARENTS = [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 1, 2, 3]]
STRAIN = np.zeros((3, 2, 6))
STRAIN[2, 1] = [3, 0, 0, 2, 2, 2]  # |ε|² = 9 + 2·12 = 33


def broken_trace(folder: Path, *, skin: bool = False) -> Path:
    """Two tetrahedra that share a face until step 1; positions are those of rest, shifted by the step."""
    arrays = {"rest_positions": REST, "tetrahedra": WHOLE}
    if skin:
        arrays |= {"skin_triangles": boundary_triangles(WHOLE), "skin_rest_positions": REST}
    path = write_trace(
        folder,
        "a/b warped_fem breaks",
        arrays=arrays,
        frame={"element_plastic_strains": STRAIN, "heated_elements": np.array([[0, 0], [0, 0], [0, 1]])},
    )
    frames = []
    for k, (tetrahedra, parents) in enumerate([(WHOLE, PARENTS[0]), (APART, PARENTS[1]), (APART, PARENTS[1])]):
        frame = {
            "tetrahedra": tetrahedra,
            "parents": np.array(parents),
            "positions": REST[parents] + k,
            "velocities": np.full((len(parents), 3), float(k)),
        }
        if skin:
            frame |= {
                "skin_positions": REST[parents] + k,
                "skin_triangles": boundary_triangles(tetrahedra),
                "skin_normals": np.tile([0.0, 0.0, 1.0], (len(parents), 1)),
                "skin_origins": np.zeros(len(boundary_triangles(tetrahedra)), dtype=int),
            }
        frames.append((k, 0.01 * k, frame))
    add_frames(path, [frames])
    return path


def test_a_frame_has_the_arrays_of_its_group_and_those_of_the_clock(tmp_path: Path) -> None:
    frames = list(Trace(broken_trace(tmp_path)).frames())
    assert [step for step, _, _ in frames] == [0, 1, 2]
    assert [len(arrays["positions"]) for _, _, arrays in frames] == [5, 8, 8]
    assert [time for _, time, _ in frames] == [0.0, 0.01, 0.02]
    assert frames[2][2]["element_plastic_strains"].tolist() == STRAIN[2].tolist()
    assert frames[1][2]["tetrahedra"].tolist() == APART.tolist()


def test_more_than_ten_frames_come_in_the_order_of_their_steps(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b m", arrays={"rest_positions": REST, "tetrahedra": WHOLE})
    add_frames(path, [[(10 * k, 0.1 * k, {"positions": REST + k}) for k in range(12)]])
    assert [step for step, _, _ in Trace(path).frames()] == [10 * k for k in range(12)]


def test_a_member_of_an_ensemble_has_its_own_frames(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a/b m", arrays={"rest_positions": REST, "tetrahedra": WHOLE})
    with h5py.File(path, "a") as file:
        series = file.create_group("series/frame")
        series["step"], series["time"] = np.array([[0, 5], [0, -1]]), np.array([[0, 0.5], [0, np.nan]])
    frames = [(0, 0.0, {"positions": REST}), (5, 0.5, {"positions": REST + 5})]
    add_frames(path, [frames, [(0, 0.0, {"positions": REST + 100})]])
    trace = Trace(path)
    with pytest.raises(InputError, match="frames of an ensemble"):
        list(trace.frames())
    assert [a["positions"][0, 0] for _, _, a in trace.frames(0)] == [0.0, 5.0]
    assert [a["positions"][0, 0] for _, _, a in trace.frames(1)] == [100.0]


def test_the_boundary_of_two_tetrahedra_is_closed_and_points_outwards(tmp_path: Path) -> None:
    for tetrahedra, count in ((WHOLE, 6), (APART, 8)):
        points = REST[PARENTS[1]]
        triangles = boundary_triangles(tetrahedra)
        assert len(triangles) == count
        corners = points[triangles]
        volume = np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
        assert volume == pytest.approx(1 / 6 + 1 / 3)
        assert np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).sum(axis=0)).max() < 1e-15


def test_pvd_names_every_frame_with_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["paraview", str(broken_trace(tmp_path)), "--to", str(tmp_path / "out")]) == 0
    pvd = Path(capsys.readouterr().out.strip())
    sets = ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    assert [float(s.attrib["timestep"]) for s in sets] == [0.0, 0.01, 0.02]
    for entry in sets:
        root = ElementTree.parse(pvd.parent / entry.attrib["file"]).getroot()
        assert root.attrib["type"] == "UnstructuredGrid"


def test_vtk_reads_back_points_cells_and_fields(tmp_path: Path) -> None:
    reader_module = pytest.importorskip("vtkmodules.vtkIOXML")
    support = pytest.importorskip("vtkmodules.util.numpy_support")
    assert cli.main(["paraview", str(broken_trace(tmp_path)), "--to", str(tmp_path / "out")]) == 0
    files = sorted((tmp_path / "out").rglob("*.vtu"))
    assert len(files) == 3
    for k, path in enumerate(files):
        reader = reader_module.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(path))
        reader.Update()
        grid = reader.GetOutput()
        parents = PARENTS[min(k, 1)]
        points = support.vtk_to_numpy(grid.GetPoints().GetData())
        assert points.tolist() == (REST[parents] + k).tolist()
        assert grid.GetNumberOfCells() == 2 and grid.GetCellType(0) == 10
        expected = WHOLE if k == 0 else APART
        assert [[grid.GetCell(c).GetPointId(i) for i in range(4)] for c in range(2)] == expected.tolist()
        assert (
            support.vtk_to_numpy(grid.GetPointData().GetArray("velocities")).tolist()
            == np.full((len(parents), 3), float(k)).tolist()
        )
        norms = support.vtk_to_numpy(grid.GetCellData().GetArray("plastic_strain_norm"))
        assert norms == pytest.approx([0, np.sqrt(33) if k == 2 else 0], rel=1e-6, abs=0)
        assert support.vtk_to_numpy(grid.GetCellData().GetArray("heated")).tolist() == [0, 1 if k == 2 else 0]


def read_obj(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows: dict[str, list[list[str]]] = {"v": [], "vn": [], "f": []}
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word in rows:
            rows[word].append(rest)
    triangles = [[int(corner.split("//")[0]) - 1 for corner in face] for face in rows["f"]]
    assert all(corner.split("//")[0] == corner.split("//")[1] for face in rows["f"] for corner in face)
    return np.array(rows["v"], dtype=float), np.array(rows["vn"], dtype=float), np.array(triangles)


def test_obj_files_hold_the_cut_surface_of_every_frame(tmp_path: Path) -> None:
    path = broken_trace(tmp_path, skin=True)
    assert cli.main(["surfaces", str(path), "--to", str(tmp_path / "out")]) == 0
    files = sorted((tmp_path / "out").rglob("*.obj"))
    for file, frame in zip(files, surface_frames(Trace(path)), strict=True):
        points, normals, triangles = read_obj(file)
        assert points.tolist() == frame.positions.tolist() and triangles.tolist() == frame.triangles.tolist()
        assert normals.tolist() == np.tile([0.0, 0.0, 1.0], (len(points), 1)).tolist()
    assert [len(read_obj(f)[2]) for f in files] == [6, 8, 8]


def test_ply_files_are_read_by_vtk(tmp_path: Path) -> None:
    reader_module = pytest.importorskip("vtkmodules.vtkIOPLY")
    support = pytest.importorskip("vtkmodules.util.numpy_support")
    path = broken_trace(tmp_path, skin=True)
    assert cli.main(["surfaces", str(path), "--format", "ply", "--to", str(tmp_path / "out")]) == 0
    for file, frame in zip(sorted((tmp_path / "out").rglob("*.ply")), surface_frames(Trace(path)), strict=True):
        reader = reader_module.vtkPLYReader()
        reader.SetFileName(str(file))
        reader.Update()
        mesh = reader.GetOutput()
        assert mesh.GetNumberOfCells() == len(frame.triangles)
        assert support.vtk_to_numpy(mesh.GetPoints().GetData()) == pytest.approx(frame.positions, rel=1e-6, abs=0)
        assert [
            [mesh.GetCell(c).GetPointId(i) for i in range(3)] for c in range(len(frame.triangles))
        ] == frame.triangles.tolist()


def test_a_body_without_skin_shows_the_boundary_of_its_mesh_with_normals_of_length_one(tmp_path: Path) -> None:
    frames = list(surface_frames(Trace(broken_trace(tmp_path))))
    assert [len(f.triangles) for f in frames] == [6, 8, 8]
    for frame in frames:
        assert np.linalg.norm(frame.normals, axis=1) == pytest.approx(np.ones(len(frame.positions)))
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [5, 5, 5]], dtype=float)
    assert vertex_normals(square, np.array([[0, 1, 2]])).tolist() == [[0, 0, 1]] * 3 + [[0, 0, 0]]


SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
FLAT = np.array([[0, 1, 2], [0, 2, 3]])
TORN = np.array([[0, 1, 2], [0, 4, 3]])
QUARTER_TURN = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], dtype=float)  # about z
BODY = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=float)
FACES = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]])


def torn_cloth_trace(folder: Path) -> Path:
    """A square of cloth whose corner 2 tears at step 1, and two rigid bodies,
    of which the second turns by 90° at step 1."""
    turns = np.tile(np.eye(3), (2, 2, 1, 1))
    turns[1, 1] = QUARTER_TURN
    shifts = np.array([[[0, 0, 5], [10, 0, 0]], [[0, 0, 6], [10, 0, 0]]], dtype=float)
    arrays = {
        "rest_positions": SQUARE,
        "triangles": FLAT,
        "rigid_0_positions": BODY,
        "rigid_0_triangles": FACES,
        "rigid_1_positions": BODY,
        "rigid_1_triangles": FACES,
    }
    frame = {"rigid_positions": shifts, "rigid_orientations": turns}
    path = write_trace(folder, "a/b pbd", arrays=arrays, frame=frame)
    frames = [
        (k, 0.01 * k, {"triangles": triangles, "parents": np.array(parents), "positions": SQUARE[parents] + k})
        for k, (triangles, parents) in enumerate([(FLAT, [0, 1, 2, 3]), (TORN, [0, 1, 2, 3, 2])])
    ]
    add_frames(path, [frames])
    return path


def test_cloth_and_rigid_bodies_go_to_vtk_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader_module = pytest.importorskip("vtkmodules.vtkIOXML")
    support = pytest.importorskip("vtkmodules.util.numpy_support")
    assert cli.main(["paraview", str(torn_cloth_trace(tmp_path)), "--to", str(tmp_path / "out")]) == 0
    pvd = Path(capsys.readouterr().out.strip())
    found = []
    for entry in ElementTree.parse(pvd).getroot().findall("Collection/DataSet"):
        reader = reader_module.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(pvd.parent / entry.attrib["file"]))
        reader.Update()
        grid = reader.GetOutput()
        assert grid.GetCellType(0) == 5
        cells = [[grid.GetCell(c).GetPointId(i) for i in range(3)] for c in range(grid.GetNumberOfCells())]
        found.append(
            (
                int(entry.attrib["part"]),
                float(entry.attrib["timestep"]),
                support.vtk_to_numpy(grid.GetPoints().GetData()),
                cells,
            )
        )
    assert [(part, time) for part, time, _, _ in found] == [(0, 0.0), (0, 0.01), (1, 0.0), (1, 0.01)]
    assert found[0][2].tolist() == SQUARE.tolist() and found[0][3] == FLAT.tolist()
    assert found[1][2].tolist() == (SQUARE[[0, 1, 2, 3, 2]] + 1).tolist() and found[1][3] == TORN.tolist()
    bodies = found[3]
    assert bodies[2][:4].tolist() == (BODY + [0, 0, 6]).tolist()
    assert bodies[2][4:].tolist() == [[10, 1, 0], [9, 0, 0], [10, 0, 1], [10, 0, 0]]  # x → y, y → −x
    assert bodies[3] == [*FACES.tolist(), *(FACES + 4).tolist()]


def test_obj_files_hold_the_torn_cloth_and_the_bodies(tmp_path: Path) -> None:
    assert cli.main(["surfaces", str(torn_cloth_trace(tmp_path)), "--to", str(tmp_path / "out")]) == 0
    cloth, bodies = (sorted((tmp_path / "out").rglob(f"{name}_*.obj")) for name in ("frame", "bodies"))
    assert len(cloth) == len(bodies) == 2
    points, normals, triangles = read_obj(cloth[1])
    assert triangles.tolist() == TORN.tolist() and len(points) == 5
    assert normals.tolist() == [[0, 0, 1]] * 5
    assert len(read_obj(bodies[1])[2]) == 8


def test_particles_are_points_and_bodies_alone_are_enough(tmp_path: Path) -> None:
    particles = write_trace(
        tmp_path / "p", "a/p pbd", arrays={"rest_positions": SQUARE}, frame={"positions": np.stack([SQUARE])}
    )
    assert cli.main(["paraview", str(particles), "--to", str(tmp_path / "out")]) == 0
    text = next((tmp_path / "out").rglob("frame_*.vtu")).read_text()
    assert 'NumberOfPoints="4" NumberOfCells="4"' in text
    frame = {"rigid_positions": np.zeros((1, 1, 3)), "rigid_orientations": np.eye(3)[None, None]}
    arrays = {"rigid_0_positions": BODY, "rigid_0_triangles": FACES}
    alone = write_trace(tmp_path / "q", "a/q pbd", arrays=arrays, frame=frame)
    assert cli.main(["surfaces", str(alone), "--to", str(tmp_path / "out")]) == 0
    assert [p.name for p in (tmp_path / "out" / "a").rglob("*.obj")] == ["bodies_00000.obj"]


def test_a_folder_gives_the_files_of_all_traces_with_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken_trace(tmp_path / "r")
    write_trace(tmp_path / "r", "c/d linear_fem", step={"volume": np.ones(2)})
    arrays = {"rest_positions": REST, "tetrahedra": WHOLE}
    write_trace(tmp_path / "r", "e/f linear_fem", arrays=arrays, frame={"positions": np.stack([REST, REST + 1])})
    assert cli.main(["paraview", str(tmp_path / "r"), "--to", str(tmp_path / "out")]) == 0
    assert len(capsys.readouterr().out.strip().splitlines()) == 2
    assert len(list((tmp_path / "out").rglob("*.vtu"))) == 5


def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["paraview", str(tmp_path / "nowhere.h5")]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    (tmp_path / "text.h5").write_text("no")
    assert cli.main(["surfaces", str(tmp_path / "text.h5")]) == 2
    assert "not a readable HDF5" in capsys.readouterr().err
    plain = write_trace(
        tmp_path, "c/d m", arrays={"rest_positions": REST, "tetrahedra": WHOLE}, step={"volume": np.ones(2)}
    )
    assert cli.main(["paraview", str(plain), "--to", str(tmp_path / "out")]) == 5
    assert "no frame with positions" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert cli.main(["surfaces", str(tmp_path / "empty")]) == 5
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["paraview", "surfaces"])
@pytest.mark.parametrize(
    "experiment", ["{tmp}/elsewhere", "../../../elsewhere/x", "..", "a/../../elsewhere", "a\n/b", ""]
)
def test_nothing_is_written_outside_the_folder_whatever_a_trace_is_called(
    tmp_path: Path, verb: str, experiment: str
) -> None:
    path = broken_trace(tmp_path / "in")
    with h5py.File(path, "a") as file:
        file.attrs["experiment"] = experiment.format(tmp=tmp_path)
        file.attrs["cell_id"] = "/../../../x"
    before = set(tmp_path.rglob("*"))
    assert cli.main([verb, str(path), "--to", str(tmp_path / "deep" / "er" / "out")]) == 0
    written = {p for p in set(tmp_path.rglob("*")) - before if p.is_file()}
    assert written and all(p.resolve().is_relative_to(tmp_path / "deep" / "er" / "out") for p in written)
