# SPDX-License-Identifier: BSD-3-Clause
"""The page that plays frames: what it holds is the trace's, to 16 bits, and what a browser draws is where NumPy
projects it."""

import base64
import io
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_up_traces import add_frames, write_trace
from PIL import Image
from scipy.ndimage import maximum_filter, minimum_filter

from deformbench_analysis import cli, view
from deformbench_analysis.errors import InputError, MissingData
from deformbench_analysis.trace import Trace

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 0.4) for z in (0.0, 0.3)])
BLOCK = np.array([[0, 1, 3, 5], [0, 3, 2, 6], [0, 5, 4, 6], [3, 5, 6, 7], [0, 3, 5, 6]])
BLOCK = np.where(
    (np.linalg.det(CORNERS[BLOCK[:, 1:]] - CORNERS[BLOCK[:, :1]]) > 0)[:, None], BLOCK, BLOCK[:, [1, 0, 2, 3]]
)


def bent(frames: int) -> np.ndarray:
    """A block whose free end falls by 0.5 t², [frames, 8, 3]."""
    times = np.linspace(0, 1, frames)
    moved = np.repeat(CORNERS[None], frames, axis=0)
    moved[:, :, 1] -= 0.5 * times[:, None] ** 2 * CORNERS[:, 0]
    return moved


def block(folder: Path, frames: int = 5, name: str = "m", **more: Any) -> Path:
    positions = bent(frames)
    series = {
        "frame": {
            "positions": positions,
            "velocities": np.gradient(positions, axis=0),
            "element_strain": np.tile(np.arange(5.0), (frames, 1)),
        }
    }
    units = {"element_strain": "1", "velocities": "m/s"}
    arrays = {"rest_positions": CORNERS, "tetrahedra": BLOCK}
    return write_trace(folder, f"tests/block m {name}", series=series, units=units, arrays=arrays, dt=0.25, **more)


def decoded(scene: view.Scene) -> list[tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]]:
    """Positions, triangles and fields of every frame as the page's script decodes them."""
    data = np.frombuffer(zlib.decompress(scene.data), dtype=np.uint8)
    low, high = np.array(scene.about["low"]), np.array(scene.about["high"])
    at, found = 0, []
    for part in scene.about["segments"]:
        k, n, t = part["frames"], part["vertices"], part["triangles"]
        triangles = data[at : at + 12 * t].view("<u4").reshape(t, 3)
        at += 12 * t
        low_bytes, high_bytes = data[at : at + 3 * k * n], data[at + 3 * k * n : at + 6 * k * n]
        at += 6 * k * n
        differences = (low_bytes.astype(np.uint16) | high_bytes.astype(np.uint16) << 8).reshape(k, n, 3)
        differences[0] = np.cumsum(differences[0], axis=0, dtype=np.uint16)
        levels = np.cumsum(differences, axis=0, dtype=np.uint16)
        fields = {}
        for field in scene.about["fields"]:
            values = np.cumsum(data[at : at + k * n].reshape(k, n), axis=0, dtype=np.uint8).astype(float)
            values[values == view.NO_VALUE] = np.nan
            fields[field["name"]] = field["low"] + values / view.FIELD_LEVELS * (field["high"] - field["low"])
            at += k * n
        found += [
            (low + levels[i] / view.LEVELS * (high - low), triangles, {name: v[i] for name, v in fields.items()})
            for i in range(k)
        ]
    assert at == len(data)
    return found


def test_what_the_page_holds_is_the_trace_to_half_a_level(tmp_path: Path) -> None:
    scene = view.encode(Trace(block(tmp_path)))
    frames = decoded(scene)
    assert len(frames) == 5 and scene.about["times"] == [0, 0.25, 0.5, 0.75, 1.0]
    size = np.array(scene.about["high"]) - np.array(scene.about["low"])
    for (positions, triangles, fields), expected in zip(frames, bent(5)):
        assert (np.abs(positions - expected) <= 0.5001 * size / view.LEVELS).all()
        assert len(triangles) == 12
        moved = np.linalg.norm(expected - CORNERS, axis=1)
        assert np.abs(fields["displacement"] - moved).max() <= 0.5001 * 0.5 / view.FIELD_LEVELS
    about = {f["name"]: f for f in scene.about["fields"]}
    assert list(about) == ["displacement", "element_strain", "velocities"]
    assert about["velocities"]["unit"] == "m/s" and about["displacement"]["high"] == pytest.approx(0.5)
    # Vertex 7 belongs to element 3 alone; vertex 0 to elements 0, 1, 2 and 4.
    strain = frames[0][2]["element_strain"]
    assert strain[7] == pytest.approx(3, abs=0.01) and strain[0] == pytest.approx(7 / 4, abs=0.01)


def test_a_body_that_breaks_has_a_topology_per_frame(tmp_path: Path) -> None:
    path = write_trace(
        tmp_path, "tests/torn m", series={"step": {"volume": np.ones(2)}},
        arrays={"rest_positions": CORNERS, "tetrahedra": BLOCK},
    )  # fmt: skip
    torn = np.concatenate([CORNERS, CORNERS[3:4] + 0.2])
    apart = np.where((np.arange(5) == 3)[:, None] & (BLOCK == 3), 8, BLOCK)
    frames = [(0, 0.0, {"positions": CORNERS, "tetrahedra": BLOCK, "parents": np.arange(8)}),
              (1, 0.1, {"positions": torn, "tetrahedra": apart, "parents": np.append(np.arange(8), 3)})]  # fmt: skip
    add_frames(path, [frames])
    scene = view.encode(Trace(path))
    assert [s["triangles"] for s in scene.about["segments"]] == [12, 14]
    (first, _, _), (second, _, fields) = decoded(scene)
    assert np.allclose(first, CORNERS, atol=1e-4) and np.allclose(second, torn, atol=1e-4)
    assert fields["displacement"].max() == pytest.approx(0.2 * 3**0.5, abs=0.01)


def test_a_trace_that_is_too_large_loses_frames_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = Trace(block(tmp_path, frames=200))
    whole = view.encode(trace)
    monkeypatch.setattr(view, "MOST_BYTES", whole.size // 3)
    scene = view.encode(trace)
    assert scene.size <= whole.size // 3 and len(scene.about["times"]) < 100
    assert re.fullmatch(r"every \d+th of 200 frames, and the last", scene.about["notes"][0])
    assert scene.about["times"][-1] == whole.about["times"][-1]
    monkeypatch.setattr(view, "MOST_BYTES", 100)
    with pytest.raises(InputError, match="a single frame takes"):
        view.encode(trace)


def test_a_member_of_what_is_no_ensemble_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the trace is no ensemble"):
        view.write([block(tmp_path)], tmp_path / "page.html", member=7)


def test_frames_that_are_not_finite_are_left_out_and_said(tmp_path: Path) -> None:
    positions = bent(3)
    positions[2, 0, 0] = np.inf
    path = write_trace(
        tmp_path, "tests/block m", series={"frame": {"positions": positions}},
        arrays={"rest_positions": CORNERS, "tetrahedra": BLOCK}, status="diverged",
    )  # fmt: skip
    scene = view.encode(Trace(path))
    assert len(scene.about["times"]) == 2 and "1 frames without finite positions" in scene.about["notes"][0]


def test_the_command_writes_one_file_that_needs_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = block(tmp_path), block(tmp_path, name="</script><b>evil</b> @DATA@ <!--")
    out = tmp_path / "page.html"
    assert cli.main(["view", str(one), str(two), "--to", str(out)]) == 0
    assert capsys.readouterr().out.count("5 frames") == 2
    assert cli.main(["view", str(one), str(two), "--to", str(out), "--json"]) == 0
    said = capsys.readouterr()
    assert [s["steps"] for s in json.loads(said.out)["scenes"]] == [[0, 1, 2, 3, 4]] * 2 and "5 frames" in said.err
    text = out.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=(?!\"data:image/png)|https?://|@import|url\(", text)
    assert text.count("</script>") == text.count("<script") == 4 and "<b>evil" not in text
    about = json.loads(re.search(r'id="about">(.*?)</script>', text, flags=re.S)[1])  # type: ignore[index]
    assert about["scenes"][1]["title"].endswith("</script><b>evil</b> @DATA@ <!--")
    stored = base64.b64decode(re.search(r'id="data0">(.*?)</script>', text)[1])  # type: ignore[index]
    assert stored == view.write([one, two], tmp_path / "again.html")[0].data


def test_what_cannot_be_shown_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_trace(tmp_path, "tests/none m", series={"step": {"volume": np.ones(2)}})
    with pytest.raises(MissingData):
        view.encode(Trace(path))
    assert cli.main(["view", str(path), "--to", str(tmp_path / "x.html")]) == 5
    assert cli.main(["view", *[str(block(tmp_path))] * 3]) == 2
    assert cli.main(["view", str(tmp_path / "absent.h5")]) == 2
    assert capsys.readouterr().err.count("\n") == 3 and not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("verb", ["view", "paraview", "surfaces", "pack"])
def test_out_is_the_folder_of_results_and_no_file_of_these_verbs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    assert cli.main([verb, str(tmp_path), "--out", "x"]) == 2
    assert capsys.readouterr().err == (
        f"deformbench: {verb}: got --out x, expected --to x; --out is the folder of results\n"
    )


# === In a browser


def screenshot(page: Path, fragment: str, width: int = 480, height: int = 320) -> np.ndarray:
    """What headless Chromium draws by software, [height, width, 3]."""
    assert CHROMIUM is not None
    picture = page.with_suffix(".png")
    picture.unlink(missing_ok=True)
    words = [CHROMIUM, "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"]
    words += ["--enable-unsafe-swiftshader", "--hide-scrollbars", f"--user-data-dir={page.parent / 'profile'}"]
    words += ["--disable-gpu-sandbox", "--force-device-scale-factor=1", f"--window-size={width},{height}"]
    words += ["--virtual-time-budget=4000", f"--screenshot={picture}", f"file://{page}#{fragment}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert picture.exists(), done.stderr[-2000:]
    return np.asarray(Image.open(picture).convert("RGB"), dtype=int)


def silhouette(picture: np.ndarray) -> tuple[float, float, float, float]:
    """Edges of what is not white, in pixels: left, right, top, bottom."""
    rows, columns = np.nonzero(picture.min(axis=2) < 250)
    return columns.min(), columns.max() + 1, rows.min(), rows.max() + 1


def expected_silhouette(points: np.ndarray, boxes: Any, yaw: float, pitch: float, size: tuple[int, int]) -> list[float]:
    target, radius = view.camera_of(boxes)
    x, y = view.projected(points, target, radius, yaw, pitch, size[0] / size[1]).T
    across, down = 0.5 * (1 + x) * size[0], 0.5 * (1 - y) * size[1]
    return [across.min(), across.max(), down.min(), down.max()]


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found")


@needs_chromium
@pytest.mark.parametrize("yaw, pitch", [(0.0, 0.0), (0.6, 0.35), (-2.0, 1.2)])
@pytest.mark.parametrize("frame", [0, 4])
def test_the_body_is_where_numpy_projects_it(tmp_path: Path, yaw: float, pitch: float, frame: int) -> None:
    scenes = view.write([block(tmp_path)], tmp_path / "page.html")
    picture = screenshot(tmp_path / "page.html", f"bare=1&t={0.25 * frame}&yaw={yaw}&pitch={pitch}")
    size = picture.shape[1], picture.shape[0]
    box = [(np.array(s.about["low"]), np.array(s.about["high"])) for s in scenes]
    expected = expected_silhouette(bent(5)[frame], box, yaw, pitch, size)
    assert silhouette(picture) == pytest.approx(expected, abs=1.5)  # a pixel of antialiasing, half of rounding


@needs_chromium
def test_two_traces_are_side_by_side_with_one_camera(tmp_path: Path) -> None:
    scenes = view.write([block(tmp_path), block(tmp_path, name="other")], tmp_path / "page.html")
    picture = screenshot(tmp_path / "page.html", "bare=1&t=1&colour=none")
    half = picture.shape[1] // 2
    assert np.abs(picture[:, :half] - picture[:, half:]).max() <= 3
    box = [(np.array(s.about["low"]), np.array(s.about["high"])) for s in scenes]
    expected = expected_silhouette(bent(5)[4], box, 0.6, 0.35, (half, picture.shape[0]))
    assert silhouette(picture[:, :half]) == pytest.approx(expected, abs=1.5)


@needs_chromium
def test_colours_follow_the_field(tmp_path: Path) -> None:
    view.write([block(tmp_path)], tmp_path / "page.html")
    plain, coloured = (
        screenshot(tmp_path / "page.html", f"bare=1&t=1&yaw=0&pitch=0&colour={name}")
        for name in ("none", "displacement")
    )
    assert silhouette(plain) == silhouette(coloured)
    spread = plain.max(axis=2) - plain.min(axis=2)
    assert spread.max() < 60  # grey
    left, right, top, bottom = map(int, silhouette(coloured))
    ends = [coloured[:, x][coloured[:, x].min(axis=1) < 250].mean(axis=0) for x in (left + 5, right - 6)]
    assert ends[0][2] > ends[0][1] and ends[1][1] > ends[1][2]  # viridis: violet at rest, yellow where it moved most


def moved(folder: Path, by: float) -> Path:
    """The block beside itself, of another trace."""
    positions = bent(5) + [0.0, 0.0, by]
    arrays = {"rest_positions": CORNERS, "tetrahedra": BLOCK}
    return write_trace(
        folder, "tests/block m moved", series={"frame": {"positions": positions}}, arrays=arrays, dt=0.25
    )


def test_the_distance_between_two_traces_is_a_field_of_both(tmp_path: Path) -> None:
    scenes = view.write([block(tmp_path), moved(tmp_path, 0.125)], tmp_path / "page.html")
    for scene in scenes:
        about = next(f for f in scene.about["fields"] if f["name"] == view.BETWEEN)
        assert about["unit"] == "m" and about["low"] == about["high"] == pytest.approx(0.125)
        assert all(fields[view.BETWEEN] == pytest.approx(0.125) for _, _, fields in decoded(scene))
    other = write_trace(
        tmp_path, "tests/block m other", series={"frame": {"positions": bent(5)[:, :4]}},
        arrays={"rest_positions": CORNERS[:4], "tetrahedra": np.array([[0, 2, 1, 3]])}, dt=0.25,
    )  # fmt: skip
    for scene in view.write([block(tmp_path), other], tmp_path / "page.html"):
        assert view.BETWEEN not in [f["name"] for f in scene.about["fields"]]


@needs_chromium
def test_the_second_trace_is_drawn_as_lines_over_the_first(tmp_path: Path) -> None:
    scenes = view.write([block(tmp_path), moved(tmp_path, 0.3)], tmp_path / "page.html")
    picture = screenshot(tmp_path / "page.html", "bare=1&t=1&colour=none&layout=over")
    size = picture.shape[1], picture.shape[0]
    box = [(np.array(s.about["low"]), np.array(s.about["high"])) for s in scenes]
    lines = (picture[..., 0] - picture[..., 2]) > 60
    rows, columns = np.nonzero(lines)
    second = expected_silhouette(bent(5)[4] + [0, 0, 0.3], box, 0.6, 0.35, size)
    found = [columns.min(), columns.max() + 1, rows.min(), rows.max() + 1]
    assert found == pytest.approx(second, abs=2)
    first = expected_silhouette(bent(5)[4], box, 0.6, 0.35, size)
    both = [f(a, b) for f, a, b in zip((min, max, min, max), first, second)]
    assert silhouette(picture) == pytest.approx(both, abs=2)


@needs_chromium
@pytest.mark.parametrize("yaw, pitch", [(0.6, 0.35), (-2.0, 1.2)])
def test_the_page_draws_what_matplotlib_draws(tmp_path: Path, yaw: float, pitch: float) -> None:
    (scene,) = view.write([block(tmp_path)], tmp_path / "page.html")
    picture = screenshot(tmp_path / "page.html", f"bare=1&t=1&yaw={yaw}&pitch={pitch}&colour=none")
    camera = view.camera_of([(np.array(scene.about["low"]), np.array(scene.about["high"]))])
    drawn = view.still(scene.frames[-1], *camera, yaw, pitch, (picture.shape[1], picture.shape[0]))
    expected = np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB"), dtype=int)
    window = (5, 5, 1)  # away from edges, which are antialiased in other ways
    is_even = (maximum_filter(expected, window) - minimum_filter(expected, window)).max(axis=2) < 6
    is_body = expected.min(axis=2) < 250
    assert (is_even & is_body).mean() > 0.05 and is_even.mean() > 0.9
    assert np.abs(picture - expected)[is_even].max() <= 6


@needs_chromium
def test_a_browser_without_webgl_shows_pictures(tmp_path: Path) -> None:
    (scene,) = view.write([block(tmp_path)], tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(text.replace("webgl2", "no such context"), encoding="utf-8")
    picture = screenshot(tmp_path / "page.html", "", 1200, 900)
    assert ((picture.max(axis=2) - picture.min(axis=2) < 60) & (picture.max(axis=2) < 200)).mean() > 0.02
    assert text.count("data:image/png") == 3 and "step 4, 1 s" in text and scene.about["steps"][-1] == 4
