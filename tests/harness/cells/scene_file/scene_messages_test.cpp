// SPDX-License-Identifier: BSD-3-Clause
// A bad scene file is refused in one line: file, JSON pointer, value, what was expected.
#include "tests/harness/cells/scene_file/scene_folder.hpp"

namespace deformbench::harness::test {
namespace {

using testing::HasSubstr;

class SceneMessages : public SceneFolder {};

struct BadScene {
  const char* patch;  ///< RFC 7386, on the two cubes
  const char* place;  ///< JSON pointer
  const char* words;
};

TEST_F(SceneMessages, NameThePointerTheValueAndWhatWasExpected) {
  ASSERT_EQ(refusal(cubes().dump()), "");
  const BadScene table[] = {
      {R"({"time_step": 1})", "/", "unknown key \"time_step\"; did you mean \"time_step_s\"?"},
      {R"({"time_step_s": null})", "/", "missing key \"time_step_s\""},
      {R"({"time_step_s": 0})", "/time_step_s", "got 0, expected number, greater than 0"},
      {R"({"time_step_s": "fast"})", "/time_step_s", "got \"fast\", expected number"},
      {R"({"format_version": 2})", "/format_version", "got 2, expected one of 1"},
      {R"({"gravity_m_s2": [0, -9.81]})", "/gravity_m_s2", "expected array, entries at least 3"},
      {R"({"body": {"kind": "jelly"}})", "/body/kind", "got \"jelly\", expected one of tetrahedra | cloth | particles"},
      {R"({"body": null})", "/", "holds nothing that moves, expected \"body\" or \"rigid_bodies\""},
      {R"({"body": {"masses_kg": [1]}})", "/body/masses_kg", "is no key of a body of kind \"tetrahedra\""},
      {R"({"body": {"vertices_m": []}})", "/body/vertices_m", "expected mesh files or lists, not both"},
      {R"({"body": {"meshes": [{"file": "absent.mesh"}]}})", "/body/meshes/0/file",
       "got \"absent.mesh\", expected a file"},
      {R"({"body": {"meshes": [{"file": "cubes.mesh", "scale": -1}]}})", "/body/meshes/0/scale",
       "got -1, expected number"},
      {R"({"body": {"meshes": [{"file": "cubes.mesh", "scale": 1e200, "translation_m": [0, 0, 0]},
                               {"file": "cubes.mesh", "scale": 1e308}]}})",
       "/body/meshes/1", "not finite"},
      {R"({"body": {"meshes": [{"id": "a", "file": "cubes.mesh"}, {"id": "a", "file": "cubes.mesh"}]}})",
       "/body/meshes/1/id", "got \"a\", expected an id that no other mesh has"},
      {R"({"materials": null})", "/", "missing key \"materials\""},
      {R"({"materials": [{"id": "a", "young_modulus_pa": 1, "poisson_ratio": 0.3, "density_kg_m3": -1000}]})",
       "/materials/0/density_kg_m3", "got -1000, expected number, greater than 0"},
      {R"({"materials": [{"id": "a", "young_modulus_pa": 1, "poisson_ratio": 0.5, "density_kg_m3": 1}]})",
       "/materials/0/poisson_ratio", "got 0.5, expected number, greater than -1, less than 0.5"},
      {R"({"materials": [{"id": "a", "young_modulus_pa": 1, "poisson_ratio": 0.3, "density_kg_m3": 1},
                         {"id": "a", "young_modulus_pa": 1, "poisson_ratio": 0.3, "density_kg_m3": 1}]})",
       "/materials/1/id", "got \"a\", expected an id that no other material has"},
      {R"({"element_materials": [0, 0]})", "/element_materials", "has 2 entries, expected 12, one per tetrahedron"},
      {R"({"element_materials": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]})", "/element_materials/11",
       "got 1, expected an integer 0 … 0, of 1 materials"},
      {R"({"prescribed_motions": [{"vertices": {}}]})", "/prescribed_motions/0/vertices", "keys at least 1"},
      {R"({"prescribed_motions": [{"vertices": {"spere": 1}}]})", "/prescribed_motions/0/vertices",
       "unknown key \"spere\"; did you mean \"sphere\"?"},
      {R"({"prescribed_motions": [{"vertices": {"vertices": [0, 12]}}]})", "/prescribed_motions/0/vertices/vertices/1",
       "got 12, expected an integer 0 … 11, of 12 vertices"},
      {R"({"prescribed_motions": [{"vertices": {"vertices": [-1]}}]})", "/prescribed_motions/0/vertices/vertices/0",
       "got -1, expected an integer 0 … 11"},
      {R"({"prescribed_motions": [{"vertices": {"vertices": [0.5]}}]})", "/prescribed_motions/0/vertices/vertices/0",
       "got 0.5, expected an integer"},
      {R"({"prescribed_motions": [{"vertices": {"vertices": []}}]})", "/prescribed_motions/0/vertices",
       "got {\"vertices\":[]}, which selects none of 12 vertices, expected at least one"},
      {R"({"prescribed_motions": [{"vertices": {"sphere": {"centre_m": [9, 9, 9], "radius_m": 1}}}]})",
       "/prescribed_motions/0/vertices", "which selects none of 12 vertices, expected at least one"},
      {R"({"prescribed_motions": [{"vertices": {"box": {"min_m": [1, 0, 0], "max_m": [0, 1, 1]}}}]})",
       "/prescribed_motions/0/vertices/box", "expected a box whose min_m is nowhere above max_m"},
      {R"({"prescribed_motions": [{"vertices": {"group": 3}}]})", "/prescribed_motions/0/vertices/group",
       "got 3, expected a group of the mesh file: 1, 2"},
      {R"({"prescribed_motions": [{"vertices": {"face_group": 7}}]})", "/prescribed_motions/0/vertices/face_group",
       "got 7, expected a group of faces of the mesh file: 5, 6"},
      {R"({"body_loads": [{"elements": {"face_group": 5}, "force_density_n_m3": [0, 0, 1]}]})",
       "/body_loads/0/elements/face_group", "selects vertices and triangles, expected what selects tetrahedra"},
      {R"({"traction_loads": [{"boundary": {"face_group": 6}, "traction_pa": [1, 0, 0]}]})",
       "/traction_loads/0/boundary", "which selects none of 20 triangles, expected at least one"},
      {R"({"prescribed_motions": [{"vertices": {"mesh": "par"}}]})", "/prescribed_motions/0/vertices/mesh",
       "unknown mesh \"par\"; did you mean \"pair\"?"},
      {R"({"prescribed_motions": [{"vertices": {"vertex_set": "tip"}}]})", "/prescribed_motions/0/vertices/vertex_set",
       "unknown vertex set \"tip\" (known: none)"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "rotation": {"axis": [0, 0, 2], "angle_deg": 5}}]})",
       "/prescribed_motions/0/rotation/axis", "got [0,0,2], expected a vector of length 1 (this one has 2)"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "rotation": {"axis": [0, 0, 1]}}]})",
       "/prescribed_motions/0/rotation", "expected one of angle_deg and angle_rad"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "ramp": {"until_s": 1}}]})",
       "/prescribed_motions/0/ramp/until_s", "expected no end"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "ramp": {"start_s": 2, "end_s": 1}}]})",
       "/prescribed_motions/0/ramp", "expected end_s not before start_s"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "ramp": {"table": [[0, 0], [0, 1]]}}]})",
       "/prescribed_motions/0/ramp/table/1", "got [0,1], expected a later time than in the row before"},
      {R"({"prescribed_motions": [{"vertices": {"vertices": [1, 2]}, "targets_m": [[0, 0, 0]]}]})",
       "/prescribed_motions/0/targets_m", "has 1 rows, expected 2, one per vertex"},
      {R"({"prescribed_motions": [{"vertices": {"all": true}, "components": ["w"]}]})",
       "/prescribed_motions/0/components/0", "got \"w\", expected one of x | y | z"},
      {R"({"point_loads": [{"vertices": {"all": true}}]})", "/point_loads/0", "expected one of force_n"},
      {R"({"traction_loads": [{"traction_pa": [1, 0, 0], "triangles": [[0, 1, 99]]}]})",
       "/traction_loads/0/triangles/0/2", "got 99, expected an integer 0 … 11, of 12 vertices"},
      {R"({"pressures": [{"pressure_pa": 1, "boundary": {"vertices": [0, 1]}}]})", "/pressures/0/boundary",
       "which selects none of 20 triangles, expected at least one"},
      {R"({"body_loads": [{"elements": {"boundary": true}, "force_density_n_m3": [0, 0, 1]}]})",
       "/body_loads/0/elements/boundary", "expected what selects tetrahedra"},
      {R"({"planes": [{"normal": [0, 0, 0], "offset_m": 0}]})", "/planes/0/normal",
       "got [0,0,0], expected a vector of length 1"},
      {R"({"planes": [{"normal": [0, 1, 0], "offset_m": 0, "friction": -0.1}]})", "/planes/0/friction",
       "got -0.1, expected number, at least 0"},
      {R"({"heat_sources": [{"from_m": [0, 0, 0], "radius_m": 0}]})", "/heat_sources/0/radius_m",
       "got 0, expected number, greater than 0"},
      {R"({"initial_velocities_m_s": [[0, 0, 0]]})", "/initial_velocities_m_s",
       "has 1 rows, expected 12, one per vertex"},
      {R"({"initial_positions_m": [[0, 0], 1]})", "/initial_positions_m", "has 2 rows, expected 12"},
      {R"({"rigid_bodies": [{"id": "a", "shape": {"kind": "sphere"}, "mass_kg": 1}]})", "/rigid_bodies/0/shape",
       "missing key \"radius_m\""},
      {R"({"rigid_bodies": [{"id": "a", "shape": {"kind": "sphere", "radius_m": 1, "half_extents_m": [1, 1, 1]},
                             "mass_kg": 1}]})",
       "/rigid_bodies/0/shape/half_extents_m", "is no key of a shape of kind \"sphere\""},
      {R"({"rigid_bodies": [{"id": "a", "shape": {"kind": "sphere", "radius_m": 1}, "mass_kg": 1},
                            {"id": "a", "shape": {"kind": "sphere", "radius_m": 1}, "mass_kg": 1}]})",
       "/rigid_bodies/1/id", "got \"a\", expected an id that no other rigid body has"},
      {R"({"rigid_bodies": [{"id": "a", "shape": {"kind": "sphere", "radius_m": 1}, "mass_kg": 1,
                             "orientation": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}]})",
       "/rigid_bodies/0/orientation", "expected a rotation matrix"},
      {R"({"attachments": [{"vertices": {"all": true}, "rigid_body": "a"}]})", "/attachments/0/rigid_body",
       "unknown rigid body \"a\" (known: none)"},
      {R"({"constraints": [{"kind": "distance", "vertices": [0, 1, 2]}]})", "/constraints/0/vertices",
       "got [0,1,2], expected 2 vertices"},
      {R"({"constraints": [{"kind": "bend", "vertices": [0, 1, 2, 3], "rest_m": 0}]})", "/constraints/0/rest_m",
       "expected rest_rad and compliance_rad2_j"},
      {R"({"vertex_sets": {"a/b": {"all": true}}})", "/vertex_sets/a~1b", "expected a name of lower case letters"},
      {R"({"vertex_sets": {"a\n": {"x": 1}}})", R"(/vertex_sets/a\n)", "unknown key \"x\""},
      {R"({"bounds": {"stretch": {"limit": 5}}})", "/bounds/stretch", "missing key \"because\""},
      {R"({"skin": {"file": "cubes.mesh", "triangles": []}})", "/skin/triangles", "expected one of the two"},
  };
  for (const BadScene& bad : table) {
    const std::string line = refusal(cubes(bad.patch).dump());
    SCOPED_TRACE(bad.patch);
    EXPECT_THAT(line, HasSubstr(std::string("s.json: ") + bad.place + ": "));
    EXPECT_THAT(line, HasSubstr(bad.words));
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST_F(SceneMessages, NameThePlaceOfANumberThatIsNotFinite) {
  std::string text =
      cubes(R"({"planes": [{"normal": [0, 1, 0], "offset_m": 0}, {"normal": [0, 1, 0.25], "offset_m": 1}]})").dump();
  const auto at = text.find("0.25");
  EXPECT_THAT(refusal(std::string(text).replace(at, 4, "1e999")),
              HasSubstr("s.json: /planes/1/normal/2: got 1e999, expected a finite number"));
  EXPECT_THAT(refusal(std::string(text).replace(at, 4, "NaN")), HasSubstr("s.json: parse error"));
  EXPECT_THAT(refusal(R"({"a": 1, "b": [[], {}, [2, -1e999]]})"), HasSubstr("/b/2/1: got -1e999, expected a finite"));
  EXPECT_THAT(refusal("1e999"), HasSubstr(": /: got 1e999, expected a finite number"));
  EXPECT_THAT(refusal(R"({"time_step_s": 1, "time_step_s": 2})"), HasSubstr("key \"time_step_s\" appears twice"));
}

TEST_F(SceneMessages, NameTheLineOfAMeshFile) {
  const auto with_mesh = [&](const std::string& from, const std::string& to) {
    std::string mesh = two_cubes();
    mesh.replace(mesh.find(from), from.size(), to);
    write("cubes.mesh", mesh);
    return refusal(cubes().dump());
  };
  EXPECT_THAT(with_mesh("2 0 1 0", "2 nan 1 0"), HasSubstr("s.json: /body/meshes/0/file: "));
  EXPECT_THAT(with_mesh("2 0 1 0", "2 nan 1 0"), HasSubstr("cubes.mesh:14: 'nan' is not finite"));
  EXPECT_THAT(with_mesh("2 0 1 0", "2 1e999 1 0"), HasSubstr("cubes.mesh:14: '1e999' is not finite"));
  EXPECT_THAT(with_mesh("12\n0 0 0 0", "13\n0 0 0 0"), HasSubstr("cubes.mesh:17: "));  // a vertex is missing
  EXPECT_THAT(with_mesh("1 5 7 8 1", "1 7 5 8 1"), HasSubstr("/body/meshes/0/file: "));
  std::string more = two_cubes();
  more.replace(more.find("12\n"), 3, "13\n");
  more.replace(more.find("Triangles"), 0, "9 9 9 0\n");
  write("cubes.mesh", more);
  EXPECT_THAT(refusal(cubes().dump()), HasSubstr("\"drop_unused_vertices\": true leaves such vertices out"));
  EXPECT_EQ(refusal(cubes(R"({"body": {"meshes": [{"file": "cubes.mesh", "drop_unused_vertices": true}]}})").dump()),
            "");
  EXPECT_THAT(with_mesh("1 5 7 8 1", "1 7 5 8 1"), HasSubstr("\"reorient\": true turns such tetrahedra"));
}

TEST_F(SceneMessages, NameAnInvertedOrDegenerateTetrahedronOfAList) {
  const auto with = [&](const char* row) {
    return refusal(std::string(R"({"format": "deformbench-scene", "format_version": 1, "name": "t", "time_step_s": 0.1,
      "materials": [{"id": "one", "young_modulus_pa": 1e5, "poisson_ratio": 0.3, "density_kg_m3": 1000}],
      "body": {"kind": "tetrahedra", "vertices_m": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": [)") +
                   row + "]}}");
  };
  EXPECT_EQ(with("[0, 1, 2, 3]"), "");
  EXPECT_THAT(
      with("[0, 2, 1, 3]"),
      HasSubstr("s.json: /body/tetrahedra/0: got [0,2,1,3], expected a positive volume (this one has -0.167 m³, "
                "inverted)"));
  EXPECT_THAT(with("[0, 1, 1, 3]"), HasSubstr("/body/tetrahedra/0: got [0,1,1,3], expected a positive volume"));
  EXPECT_THAT(with("[0, 1, 2]"), HasSubstr("/body/tetrahedra/0: got [0,1,2], expected four vertices"));
  EXPECT_THAT(with("[0, 1, 2, 4]"), HasSubstr("/body/tetrahedra/0/3: got 4, expected an integer 0 … 3, of 4 vertices"));
}

}  // namespace
}  // namespace deformbench::harness::test
