// SPDX-License-Identifier: BSD-3-Clause
// What a scene file says becomes that in the Scene: selections, loads, motions, materials, several meshes.
#include <numbers>

#include "methods/model/boundary_surface.hpp"
#include "tests/harness/cells/scene_file/scene_folder.hpp"

namespace deformbench::harness::test {
namespace {

using testing::ElementsAre;

class SceneMeaning : public SceneFolder {};

Vector3 total(const Points& forces) {
  return forces.colwise().sum();
}

TEST_F(SceneMeaning, ReadsTheMeshAsItIsInTheFile) {
  const Scene scene = scene_of("{}");
  ASSERT_EQ(scene.tet_mesh.vertex_count(), 12);
  ASSERT_EQ(scene.tet_mesh.element_count(), 12);
  EXPECT_EQ(scene.tet_mesh.rest_positions.row(9), Eigen::RowVector3d(2, 0, 1));
  EXPECT_DOUBLE_EQ(model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions), 2.0);
  EXPECT_EQ(scene.gravity, Vector3::Zero());
}

TEST_F(SceneMeaning, SelectsVerticesByPlaceListMeshGroupSetAndUnion) {
  const auto held = [&](const std::string& selection) {
    return scene_of(cubes((R"({"vertex_sets": {"corner": {"vertices": [11]}}, "prescribed_motions": [{"vertices": )" +
                           selection + "}]}")
                              .c_str()))
        .prescribed.at(0)
        .vertices;
  };
  EXPECT_THAT(held(R"({"vertices": [7, 3, 5]})"), ElementsAre(7, 3, 5));  // as listed
  EXPECT_THAT(held(R"({"plane": {"normal": [1, 0, 0], "offset_m": 1}})"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(held(R"({"plane": {"normal": [1, 0, 0], "offset_m": 0.9, "tolerance_m": 0.2}})"),
              ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(held(R"({"half_space": {"normal": [-1, 0, 0], "offset_m": -0.5}})"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(held(R"({"sphere": {"centre_m": [2, 1, 1], "radius_m": 1}})"), ElementsAre(7, 9, 10, 11));
  EXPECT_THAT(held(R"({"box": {"min_m": [1.5, -1, 0], "max_m": [3, 3, 0]}})"), ElementsAre(8, 10));
  EXPECT_THAT(held(R"({"group": 2})"), ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(held(R"({"face_group": 5})"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(held(R"({"face_group": 6})"), ElementsAre(4, 6, 7));
  EXPECT_THAT(held(R"({"mesh": "pair", "elements": [0], "plane": {"normal": [1, 0, 0], "offset_m": 0}})"),
              ElementsAre(0));
  EXPECT_THAT(held(R"({"vertex_set": "corner"})"), ElementsAre(11));
  EXPECT_THAT(held(R"({"any_of": [{"vertex_set": "corner"}, {"vertices": [2]}]})"), ElementsAre(2, 11));
  EXPECT_EQ(held(R"({"all": true})").size(), 12u);
  EXPECT_EQ(held(R"({"boundary": true})").size(), 12u);
}

TEST_F(SceneMeaning, PullsAtAGroupOfFaces) {
  const Scene pulled = scene_of(R"({"traction_loads": [{"boundary": {"face_group": 5}, "traction_pa": [7, 0, 0]}]})");
  EXPECT_EQ(pulled.traction_loads.at(0).triangles.rows(), 2);
  EXPECT_LT((total(external_forces(pulled, lumped_masses(pulled), 0.0)) - Vector3(7, 0, 0)).norm(), 1e-14);
}

TEST_F(SceneMeaning, RenumbersGroupsOfFacesWhereVerticesAreDroppedAndMeshesAdded) {
  write("one.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n9 9 9 0\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Triangles\n2\n1 2 3 8\n2 4 3 5\nTetrahedra\n1\n2 3 4 5 1\nEnd\n");
  json document = cubes(R"({"vertex_sets": {"base": {"mesh": "second", "face_group": 5}}})");
  document["body"]["meshes"] = json::parse(R"([{"id": "first", "file": "cubes.mesh"},
      {"id": "second", "file": "one.mesh", "translation_m": [0, 0, 5], "drop_unused_vertices": true}])");
  EXPECT_THAT(scene_of(document).vertex_sets.at("base"), ElementsAre(12, 13, 14));
  document["vertex_sets"]["base"]["face_group"] = 8;  // its only face had the vertex that was dropped
  EXPECT_THAT(refusal(document.dump()), testing::HasSubstr("got 8, expected a group of faces of the mesh file: 5, 6"));
}

TEST_F(SceneMeaning, GivesTheLastMaterialThatSelectsATetrahedron) {
  json document = cubes();
  document["materials"] = json::parse(R"([
      {"id": "a", "young_modulus_pa": 1, "poisson_ratio": 0, "density_kg_m3": 1},
      {"id": "b", "young_modulus_pa": 2, "poisson_ratio": 0, "density_kg_m3": 10, "elements": {"group": 2}},
      {"id": "c", "young_modulus_pa": 3, "poisson_ratio": 0, "density_kg_m3": 100, "elements": {"elements": [11]}}])");
  const Scene scene = scene_of(document);
  EXPECT_THAT(scene.element_material, ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2));
  EXPECT_NEAR(lumped_masses(scene).sum(), 1.0 + 10.0 * 5 / 6 + 100.0 / 6, 1e-12);
}

TEST_F(SceneMeaning, PressureActsAgainstTheOutwardNormal) {
  const Scene scene = scene_of(R"({"pressures": [
      {"boundary": {"plane": {"normal": [1, 0, 0], "offset_m": 2}}, "pressure_pa": 3, "ramp": {"end_s": 2}}]})");
  ASSERT_EQ(scene.traction_loads.size(), 1u);  // one plane face
  EXPECT_EQ(scene.traction_loads[0].triangles.rows(), 2);
  const Eigen::VectorXd masses = lumped_masses(scene);
  EXPECT_LT((total(external_forces(scene, masses, 5.0)) - Vector3(-3, 0, 0)).norm(), 1e-14);
  EXPECT_LT((total(external_forces(scene, masses, 1.0)) - Vector3(-1.5, 0, 0)).norm(), 1e-14);
  // All around, it cancels, and has no moment.
  const Scene around = scene_of(R"({"pressures": [{"boundary": {"boundary": true}, "pressure_pa": 3}]})");
  const Points forces = external_forces(around, masses, 0.0);
  Vector3 moment = Vector3::Zero();
  for (Eigen::Index v = 0; v < forces.rows(); ++v)
    moment += Vector3(around.rest_positions().row(v)).cross(Vector3(forces.row(v)));
  EXPECT_LT(total(forces).norm(), 1e-13);
  EXPECT_LT(moment.norm(), 1e-13);
  EXPECT_GT(forces.norm(), 1.0);
}

TEST_F(SceneMeaning, BodyAndPointLoadsAddUpToWhatIsSaid) {
  const Scene body = scene_of(R"({"body_loads": [{"elements": {"group": 1}, "force_density_n_m3": [0, 6, 0]}]})");
  const Eigen::VectorXd masses = lumped_masses(body);
  const Points forces = external_forces(body, masses, 0.0);
  EXPECT_LT((total(forces) - Vector3(0, 6, 0)).norm(), 1e-13);
  EXPECT_EQ(forces.bottomRows(4), Points::Zero(4, 3));  // of the other cube alone
  const char* selection = R"({"half_space": {"normal": [1, 0, 0], "offset_m": 1.5}})";
  const Scene shared = scene_of(
      (std::string(R"({"point_loads": [{"total_force_n": [8, 0, 0], "vertices": )") + selection + "}]}").c_str());
  EXPECT_EQ(total(external_forces(shared, masses, 0.0)), Vector3(8, 0, 0));
  const Scene each =
      scene_of((std::string(R"({"point_loads": [{"force_n": [8, 0, 0], "vertices": )") + selection + "}]}").c_str());
  EXPECT_EQ(total(external_forces(each, masses, 0.0)), Vector3(32, 0, 0));
}

TEST_F(SceneMeaning, MotionsFollowTheirTable) {
  const Scene scene = scene_of(R"({"prescribed_motions": [{
      "vertices": {"vertices": [8]}, "translation_m": [0, 0, 1],
      "rotation": {"axis": [0, 0, 1], "angle_deg": 90, "origin_m": [1, 0, 0]},
      "ramp": {"table": [[1, 0], [2, 1], [4, -1]]}}]})");
  const model::PrescribedMotion& motion = scene.prescribed.at(0);
  const Vector3 rest(2, 0, 0);
  EXPECT_EQ(motion.position_at(0, rest, 0.5), rest);
  EXPECT_LT((motion.position_at(0, rest, 2.0) - Vector3(1, 1, 1)).norm(), 1e-15);
  EXPECT_LT((motion.position_at(0, rest, 3.0) - rest).norm(), 1e-15);
  EXPECT_LT((motion.position_at(0, rest, 9.0) - Vector3(1, -1, -1)).norm(), 1e-15);
  EXPECT_LT((motion.position_at(0, rest, 1.5) - Vector3(1 + std::sqrt(0.5), std::sqrt(0.5), 0.5)).norm(), 1e-15);
  EXPECT_EQ(motion.ramp.start, 1.0);
  EXPECT_EQ(motion.ramp.end, 4.0);
  EXPECT_EQ(motion.ramp.largest(), 1.0);
}

TEST_F(SceneMeaning, RollersHoldWhatTheySay) {
  const Scene scene =
      scene_of(R"({"prescribed_motions": [{"vertices": {"vertices": [0]}, "components": ["z", "x"]}]})");
  EXPECT_THAT(scene.prescribed.at(0).components, ElementsAre(true, false, true));
}

TEST_F(SceneMeaning, PlacesSeveralMeshesSideBySide) {
  json document = cubes();
  document["body"]["meshes"] = json::parse(R"([
      {"id": "a", "file": "cubes.mesh"},
      {"id": "b", "file": "cubes.mesh", "scale": 2, "rotation": {"axis": [0, 0, 1], "angle_deg": 90},
       "translation_m": [10, 0, 0]}])");
  document["initial_motions"] = json::parse(R"([
      {"vertices": {"mesh": "b"}, "velocity_m_s": [1, 0, 0], "angular_velocity_rad_s": [0, 0, 2], "origin_m": [10, 0, 0]}])");
  const Scene scene = scene_of(document);
  ASSERT_EQ(scene.tet_mesh.vertex_count(), 24);
  EXPECT_NEAR(model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions), 2.0 + 16.0, 1e-12);
  const Vector3 far = scene.tet_mesh.rest_positions.row(12 + 8);  // (2, 0, 0) in the file
  EXPECT_LT((far - Vector3(10, 4, 0)).norm(), 1e-14);
  EXPECT_EQ(scene.initial_velocities.topRows(12), Points::Zero(12, 3));
  EXPECT_LT((Vector3(scene.initial_velocities.row(20)) - Vector3(1 - 8, 0, 0)).norm(), 1e-14);
}

TEST_F(SceneMeaning, AFileThatCountsTheOtherWayRoundIsTurnedAsAWhole) {
  std::string text = two_cubes();
  const auto at = text.find("Tetrahedra\n12\n") + 14;
  std::string mirrored = text.substr(0, at);
  std::istringstream lines(text.substr(at));
  for (int e = 0; e < 12; ++e) {
    int a, b, c, d, region;
    lines >> a >> b >> c >> d >> region;
    for (const int v : {a, b, d, c, region}) mirrored += std::to_string(v) + " ";
    mirrored += "\n";
  }
  write("cubes.mesh", mirrored + "End\n");
  const Scene scene = scene_of("{}");
  EXPECT_DOUBLE_EQ(model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions), 2.0);
}

TEST_F(SceneMeaning, ParametersAreWhatTheFileHasAndCanBeSet) {
  const SceneDescriptor one = load_scene_file(write("s.json", cubes().dump())).descriptor;
  const Scene changed = one.build(Parameters(
      one.parameters,
      {{"young_modulus_pa", 7.0}, {"time_step_s", 0.5}, {"gravity_m_s2", std::vector<double>{1.0, 2.0, 3.0}}},
      "scene"));
  EXPECT_EQ(changed.materials.at(0).young_modulus, 7.0);
  EXPECT_EQ(changed.materials.at(0).density, 1000.0);
  EXPECT_EQ(changed.time_step, 0.5);
  EXPECT_EQ(changed.gravity, Vector3(1, 2, 3));
  json two = cubes();
  two["materials"].push_back(
      {{"id", "other"}, {"young_modulus_pa", 2.0}, {"poisson_ratio", 0.1}, {"density_kg_m3", 5}});
  std::vector<std::string> names;
  for (const auto& info : load_scene_file(write("s.json", two.dump())).descriptor.parameters)
    names.push_back(info.name);
  EXPECT_THAT(names,
              ElementsAre("time_step_s", "gravity_m_s2", "one_young_modulus_pa", "one_poisson_ratio",
                          "one_density_kg_m3", "other_young_modulus_pa", "other_poisson_ratio", "other_density_kg_m3"));
}

TEST_F(SceneMeaning, TheDigestCoversTheDocumentAndTheMeshAndNotTheLayout) {
  const std::string before = digest_of(cubes());
  EXPECT_EQ(load_scene_file(write("other.json", cubes().dump(2))).digest, before);
  EXPECT_NE(digest_of(cubes(R"({"time_step_s": 0.011})")), before);
  std::string moved = two_cubes();
  moved.replace(moved.find("2 0 1 0"), 7, "2 0 1.5 0");
  write("cubes.mesh", moved);
  EXPECT_NE(digest_of(cubes()), before);
  write("cubes.mesh", two_cubes());
  EXPECT_EQ(digest_of(cubes()), before);
}

}  // namespace
}  // namespace deformbench::harness::test
