// SPDX-License-Identifier: BSD-3-Clause
// Every scene can be written as a scene file, and reads back to the same bits, field by field.
#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/scene_file/scene_reader.hpp"
#include "experiments/harness/cells/scene_file/scene_writer.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

// All fields of a struct, in order. A field more, and the bindings no longer compile: nothing is left out of the
// comparison below.
#define DEFORMBENCH_FIELDS_OF(Type, ...) \
  auto fields_of(const Type& of) {       \
    const auto& [__VA_ARGS__] = of;      \
    return std::tie(__VA_ARGS__);        \
  }
DEFORMBENCH_FIELDS_OF(model::TetMesh, a, b)
DEFORMBENCH_FIELDS_OF(model::TriangleMesh, a, b)
DEFORMBENCH_FIELDS_OF(model::ClothMesh, a, b, c)
DEFORMBENCH_FIELDS_OF(model::ParticleSet, a, b, c)
DEFORMBENCH_FIELDS_OF(model::Material, a, b, c)
DEFORMBENCH_FIELDS_OF(model::Ramp, a, b, c, d)
DEFORMBENCH_FIELDS_OF(model::PrescribedMotion, a, b, c, d, e, f, g, h)
DEFORMBENCH_FIELDS_OF(model::PointLoad, a, b, c)
DEFORMBENCH_FIELDS_OF(model::TractionLoad, a, b, c)
DEFORMBENCH_FIELDS_OF(model::PlaneCollider, a, b, c, d)
DEFORMBENCH_FIELDS_OF(model::HeatSource, a, b, c, d, e, f, g, h, i)
DEFORMBENCH_FIELDS_OF(model::InitialCrack, a, b, c, d)
DEFORMBENCH_FIELDS_OF(model::Shape, a, b, c, d, e)
DEFORMBENCH_FIELDS_OF(model::Pose, a, b)
DEFORMBENCH_FIELDS_OF(model::RigidBody, a, b, c, d, e, f, g, h, i, j, k)
DEFORMBENCH_FIELDS_OF(model::Attachment, a, b, c)
DEFORMBENCH_FIELDS_OF(model::Bound, a, b)
DEFORMBENCH_FIELDS_OF(model::PhysicalBounds, a, b, c)
DEFORMBENCH_FIELDS_OF(Scene, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
#undef DEFORMBENCH_FIELDS_OF

/// All fields, but only as many vertices as the kind has.
auto fields_of(const model::PositionConstraint& constraint) {
  const auto& [kind, vertices, rest, stiffness, compliance, is_inequality] = constraint;
  const std::vector<int> used(vertices.begin(), vertices.begin() + model::type_of(kind).cardinality);
  return std::tuple(kind, used, rest, stiffness, compliance, is_inequality);
}

/// Whether two values agree to the bit: −0 is no 0.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, double>) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  } else if constexpr (std::is_base_of_v<Eigen::EigenBase<T>, T>) {
    const auto bytes = std::size_t(a.size()) * sizeof(typename T::Scalar);
    const bool same_shape = a.rows() == b.rows() && a.cols() == b.cols();
    return same_shape && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
  } else if constexpr (requires { fields_of(a); }) {
    return same_bits(fields_of(a), fields_of(b));
  } else if constexpr (
      requires { std::tuple_size<T>::value; } && !requires { a.size(); }) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return (same_bits(std::get<k>(a), std::get<k>(b)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (requires { a.has_value(); }) {
    return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
  } else if constexpr (requires { a.begin(); } && !std::is_same_v<T, std::string>) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return same_bits(x, y); });
  } else {
    return a == b;
  }
}

constexpr const char* kSceneFields[] = {"name",
                                        "tet_mesh",
                                        "cloth",
                                        "particles",
                                        "skin",
                                        "materials",
                                        "element_material",
                                        "initial_positions",
                                        "initial_velocities",
                                        "prescribed",
                                        "point_loads",
                                        "traction_loads",
                                        "colliders",
                                        "heat_sources",
                                        "cracks",
                                        "constraints",
                                        "rigid_bodies",
                                        "attachments",
                                        "gravity",
                                        "time_step",
                                        "vertex_sets",
                                        "bounds"};

/// The names of fields that differ in a bit, each with a blank behind it.
std::string differences(const Scene& a, const Scene& b) {
  std::string found;
  const auto note = [&](const char* name, bool is_same) { found += is_same ? "" : std::string(name) + " "; };
  const auto left = fields_of(a), right = fields_of(b);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (note(kSceneFields[k], same_bits(std::get<k>(left), std::get<k>(right))), ...);
  }
  (std::make_index_sequence<std::size(kSceneFields)>());
  static_assert(std::size(kSceneFields) == std::tuple_size_v<decltype(left)>);
  return found;
}

/// What is lost on the way through a file; "" when nothing is.
std::string lost(const Scene& scene) {
  const nlohmann::json document = nlohmann::json::parse(scene_json(scene));
  check_scene_schema(document, "written");
  return differences(scene, read_scene(document, "written", ".").scene);
}

TEST(SceneRoundTrip, KeepsEveryBitOfEveryRegisteredScene) {
  const SceneRegistry scenes = builtin_scenes();
  ASSERT_GT(scenes.all().size(), 40u);
  for (const SceneDescriptor& scene : scenes.all())
    EXPECT_EQ(lost(scene.build(Parameters(scene.parameters, {}, scene.id))), "") << scene.id;
}

TEST(SceneRoundTrip, KeepsEveryBitOfTheScenesOfAllDeclarations) {
  const Registry methods = builtin_registry();
  const SceneRegistry scenes = builtin_scenes();
  Selection smoke;
  smoke.tier = "smoke";
  std::set<std::string> seen;
  std::size_t written = 0, refused = 0;
  for (const ExperimentFile& file : experiment_files())
    for (const Cell& cell : expand(load_declaration(file.path), smoke, methods, scenes)) {
      const nlohmann::json& spec = cell.spec["scene"];
      const SceneRegistry known = scenes_of_spec(cell.spec, scenes);
      const SceneDescriptor& descriptor = known.at(spec["name"]);
      // Their surfaces take a second each to be filled with tetrahedra; the test above has one of each.
      if (descriptor.id == "animal" || descriptor.id == "posed_animal" || !seen.insert(spec.dump()).second) continue;
      Scene scene;
      try {
        scene = descriptor.build(
            Parameters(descriptor.parameters, parameter_values(spec["parameters"], descriptor.id), descriptor.id));
      } catch (const InputError&) {  // what an experiment is about: a mesh with a fault
        ++refused;
        continue;
      }
      ++written;
      EXPECT_EQ(lost(scene), "") << spec.dump();
    }
  EXPECT_GT(written, 300u);
  EXPECT_LT(refused, 20u);
}

/// A scene with something other than the default in every field that a tetrahedral body can have.
Scene everything() {
  Scene scene;
  scene.name = "everything";
  scene.tet_mesh.rest_positions.resize(5, 3);
  scene.tet_mesh.rest_positions << 0, 0, -0.0, 1.0 / 3, 0, 0, 0, 1, 0, 0, 0, 1e-3, 0.1, 0.2, -5e-324;
  scene.tet_mesh.rest_positions.row(4) << 1, 1, 1;
  scene.tet_mesh.tetrahedra.resize(2, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3, 1, 4, 2, 3;
  scene.materials = {{1.0 / 3, 0.1, 1e22}, {5e-324, -0.5, 1.7976931348623157e308}};
  scene.element_material = {1, 0};
  scene.skin.positions = scene.tet_mesh.rest_positions.topRows(3);
  scene.skin.triangles.resize(1, 3);
  scene.skin.triangles << 0, 1, 2;
  scene.initial_positions = 1.1 * scene.tet_mesh.rest_positions;
  scene.initial_velocities = -0.7 * scene.tet_mesh.rest_positions;
  model::PrescribedMotion motion;
  motion.vertices = {3, 1};
  motion.translation = {0.1, -0.0, 2};
  motion.axis = Vector3(1, 2, 3).normalized();
  motion.origin = {-1, 0, 1e-300};
  motion.angle = 0.1 + 0.2;
  motion.ramp = {.start = 0.25, .end = 0.75, .table = {{0.25, 0.0}, {0.5, 7.0}, {0.75, -1e-9}}};
  motion.targets = scene.tet_mesh.rest_positions.topRows(2);
  motion.components = {true, false, true};
  model::PrescribedMotion held;
  held.vertices = {0};
  scene.prescribed = {motion, held};
  scene.point_loads = {{2, {1, -0.0, 1e-5}, {.start = -1, .end = 2, .until = 3}}};
  model::TractionLoad traction;
  traction.triangles = scene.skin.triangles;
  traction.traction = {0, 0.3, 0};
  traction.ramp.until = 4.5;
  scene.traction_loads = {traction};
  scene.colliders = {{Vector3::UnitZ(), -7.25, 0.3, 0.1}};
  model::HeatSource heat;
  heat.from = {1, 2, 3};
  heat.to = {4, 5, 6};
  heat.ramp = {.start = 1, .end = 2};
  heat.radius = 0.1;
  heat.stiffness_factor = 0.2;
  heat.plastic_yield = 0.3;
  heat.plastic_creep = 0.4;
  heat.plastic_max = 0.5;
  heat.cools = true;
  scene.heat_sources = {heat};
  model::InitialCrack crack, ring;
  crack.surface.positions = scene.tet_mesh.rest_positions.topRows(4);
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  crack.fronts = {{1, 0, 3}, {2, 1}};
  crack.advance = {0.1, -0.0, 1e-9};
  crack.ramp = {.start = 0.5, .end = 1.5, .table = {{0.5, 0.0}, {0.75, 0.1}, {1.5, 2.0}}};
  ring.surface = scene.skin;
  ring.fronts = {{0, 1, 2, 0}};
  scene.cracks = {crack, ring, {scene.skin, {}, Vector3::Zero(), {}}};
  using enum model::ConstraintKind;
  for (const auto kind : {Distance, Bend, TetraVolume, TrianglePoint, TrianglePointScaled})
    scene.constraints.push_back({kind, {0, 1, 2, 3}, 0.1 * int(kind), 0.3, 1e-7, kind == Bend});
  model::RigidBody ball, capsule, box, hull;
  ball.name = "ball";
  ball.shape = {model::ShapeKind::Sphere, 0.3, 0.0, Vector3::Zero(), {}};
  ball.mass = 2.5;
  ball.start.position = {1, 2, 3};
  ball.start.orientation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  ball.velocity = {0.1, 0.2, 0.3};
  ball.angular_velocity = {-0.1, 0.2, -0.0};
  ball.start_time = 0.3;
  ball.friction = 0.4;
  ball.restitution = 0.5;
  capsule.name = "a \"capsule\" é";
  capsule.shape = {model::ShapeKind::Capsule, 0.3, 0.7, Vector3::Zero(), {}};
  capsule.swing = {0, 1, 0};
  capsule.swing_period = 0.3;
  box.name = "box";
  box.shape = {model::ShapeKind::Box, 0.0, 0.0, {0.1, 0.2, 0.3}, {}};
  hull.name = "hull";
  hull.shape = {model::ShapeKind::Mesh, 0.0, 0.0, Vector3::Zero(), scene.skin};
  scene.rigid_bodies = {ball, capsule, box, hull};
  scene.attachments = {{2, 3, false}, {1, 0, true}};
  scene.gravity = {0.1, -9.81, -0.0};
  scene.time_step = 1.0 / 30;
  scene.vertex_sets = {{"tip", {4, 2}}, {"root", {0}}};
  scene.bounds.distance = model::Bound{12.5, "as wide as the room"};
  scene.bounds.stretch = model::Bound{std::numeric_limits<double>::infinity(), "it is pulled apart"};
  scene.bounds.kinetic_energy = model::Bound{3.0, "why not"};
  return scene;
}

TEST(SceneRoundTrip, KeepsEveryFieldThatIsNotItsDefault) {
  ASSERT_NO_THROW(check_scene(everything()));
  EXPECT_EQ(lost(everything()), "");
  EXPECT_EQ(
      differences(everything(), Scene()),
      "name tet_mesh skin materials element_material initial_positions initial_velocities prescribed point_loads "
      "traction_loads colliders heat_sources cracks constraints rigid_bodies attachments gravity time_step vertex_sets "
      "bounds ");
  Scene other = everything();
  other.gravity[2] = 0.0;  // was −0
  EXPECT_EQ(differences(everything(), other), "gravity ");
}

TEST(SceneRoundTrip, WritesShortestDecimals) {
  Scene scene = everything();
  const std::string text = scene_json(scene);
  using testing::HasSubstr;
  EXPECT_THAT(text, HasSubstr("\"gravity_m_s2\": [0.1, -9.81, -0.0]"));
  EXPECT_THAT(text, HasSubstr("\"time_step_s\": 0.03333333333333333,"));
  EXPECT_THAT(text, HasSubstr("\"angle_rad\": 0.30000000000000004"));
}

/// Everything that a Scene may hold and a scene file may not (docs/scenes.md).
TEST(SceneRoundTrip, RefusesWhatNoFileCanHold) {
  struct Case {
    void (*change)(Scene&);
    const char* words;
  };
  const Case table[] = {
      {[](Scene& s) { s.name = "Every thing"; }, "its name, expected lower case"},
      {[](Scene& s) { s.vertex_sets["a/b"] = {0}; }, "vertex set 'a/b', expected lower case"},
      {[](Scene& s) { s.vertex_sets["none"] = {}; }, "vertex set 'none' is empty"},
      {[](Scene& s) { s.prescribed[1].vertices.clear(); }, "prescribed motion 1 moves nothing"},
      {[](Scene& s) { s.rigid_bodies[1].name = "ball"; }, "rigid body 'ball', expected a name that no other body has"},
      {[](Scene& s) { s.rigid_bodies[1].name = ""; }, "rigid body '', expected a name"},
      {[](Scene& s) { s.rigid_bodies[1].name = "\xff"; }, "not UTF-8"},
      {[](Scene& s) { s.point_loads[0].ramp.until = -std::numeric_limits<double>::infinity(); }, "not finite"},
      {[](Scene& s) { s.gravity[0] = std::numeric_limits<double>::quiet_NaN(); }, "gravity is not finite"},
  };
  for (const Case& one : table) {
    Scene scene = everything();
    one.change(scene);
    std::string line;
    try {
      scene_json(scene);
    } catch (const InputError& error) {
      line = error.what();
    }
    EXPECT_THAT(line, testing::HasSubstr(one.words));
  }
}

}  // namespace
}  // namespace deformbench::harness
