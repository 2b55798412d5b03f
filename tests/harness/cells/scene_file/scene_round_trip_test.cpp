// SPDX-License-Identifier: BSD-3-Clause
// Every scene can be written as a scene file, and reads back to the same bits, field by field.
#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/cells/data_directory.hpp"
#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/json_text.hpp"
#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/scene_file/scene_reader.hpp"
#include "experiments/harness/cells/scene_file/scene_writer.hpp"
#include "experiments/harness/cells/schema_check.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// Collects the names of fields that differ in a bit.
class SceneComparison {
 public:
  std::string differences(const Scene& a, const Scene& b) {
    text("name", a.name, b.name);
    rows("tet_mesh.rest_positions", a.tet_mesh.rest_positions, b.tet_mesh.rest_positions);
    rows("tet_mesh.tetrahedra", a.tet_mesh.tetrahedra, b.tet_mesh.tetrahedra);
    rows("cloth.rest_positions", a.cloth.rest_positions, b.cloth.rest_positions);
    rows("cloth.triangles", a.cloth.triangles, b.cloth.triangles);
    real("cloth.area_density", a.cloth.area_density, b.cloth.area_density);
    rows("particles.rest_positions", a.particles.rest_positions, b.particles.rest_positions);
    rows("particles.masses", a.particles.masses, b.particles.masses);
    surface("skin", a.skin, b.skin);
    each("materials", a.materials, b.materials, [&](const auto& x, const auto& y) {
      real("material.young_modulus", x.young_modulus, y.young_modulus);
      real("material.poisson_ratio", x.poisson_ratio, y.poisson_ratio);
      real("material.density", x.density, y.density);
    });
    equal("element_material", a.element_material, b.element_material);
    rows("initial_positions", a.initial_positions, b.initial_positions);
    rows("initial_velocities", a.initial_velocities, b.initial_velocities);
    each("prescribed", a.prescribed, b.prescribed, [&](const auto& x, const auto& y) {
      equal("motion.vertices", x.vertices, y.vertices);
      rows("motion.translation", x.translation, y.translation);
      rows("motion.axis", x.axis, y.axis);
      rows("motion.origin", x.origin, y.origin);
      real("motion.angle", x.angle, y.angle);
      ramp("motion.ramp", x.ramp, y.ramp);
      rows("motion.targets", x.targets, y.targets);
      equal("motion.components", x.components, y.components);
    });
    each("point_loads", a.point_loads, b.point_loads, [&](const auto& x, const auto& y) {
      equal("point_load.vertex", x.vertex, y.vertex);
      rows("point_load.force", x.force, y.force);
      ramp("point_load.ramp", x.ramp, y.ramp);
    });
    each("traction_loads", a.traction_loads, b.traction_loads, [&](const auto& x, const auto& y) {
      rows("traction_load.triangles", x.triangles, y.triangles);
      rows("traction_load.traction", x.traction, y.traction);
      ramp("traction_load.ramp", x.ramp, y.ramp);
    });
    each("colliders", a.colliders, b.colliders, [&](const auto& x, const auto& y) {
      rows("plane.normal", x.normal, y.normal);
      real("plane.offset", x.offset, y.offset);
      real("plane.friction", x.friction, y.friction);
      real("plane.restitution", x.restitution, y.restitution);
    });
    each("heat_sources", a.heat_sources, b.heat_sources, [&](const auto& x, const auto& y) {
      rows("heat.from", x.from, y.from);
      rows("heat.to", x.to, y.to);
      ramp("heat.ramp", x.ramp, y.ramp);
      real("heat.radius", x.radius, y.radius);
      real("heat.stiffness_factor", x.stiffness_factor, y.stiffness_factor);
      real("heat.plastic_yield", x.plastic_yield, y.plastic_yield);
      real("heat.plastic_creep", x.plastic_creep, y.plastic_creep);
      real("heat.plastic_max", x.plastic_max, y.plastic_max);
      equal("heat.cools", x.cools, y.cools);
    });
    each("constraints", a.constraints, b.constraints, [&](const auto& x, const auto& y) {
      equal("constraint.kind", x.kind, y.kind);
      for (int k = 0; k < model::cardinality(x.kind); ++k)
        equal("constraint.vertices", x.vertices[std::size_t(k)], y.vertices[std::size_t(k)]);
      real("constraint.rest_value", x.rest_value, y.rest_value);
      real("constraint.stiffness", x.stiffness, y.stiffness);
      real("constraint.compliance", x.compliance, y.compliance);
      equal("constraint.is_inequality", x.is_inequality, y.is_inequality);
    });
    each("rigid_bodies", a.rigid_bodies, b.rigid_bodies, [&](const auto& x, const auto& y) { rigid_body(x, y); });
    each("attachments", a.attachments, b.attachments, [&](const auto& x, const auto& y) {
      equal("attachment.vertex", x.vertex, y.vertex);
      equal("attachment.body", x.body, y.body);
      equal("attachment.pulls_body", x.pulls_body, y.pulls_body);
    });
    rows("gravity", a.gravity, b.gravity);
    real("time_step", a.time_step, b.time_step);
    equal("vertex_sets", a.vertex_sets, b.vertex_sets);
    bound("bounds.distance", a.bounds.distance, b.bounds.distance);
    bound("bounds.stretch", a.bounds.stretch, b.bounds.stretch);
    bound("bounds.kinetic_energy", a.bounds.kinetic_energy, b.bounds.kinetic_energy);
    return found_;
  }

 private:
  void note(const std::string& name, bool is_same) {
    if (!is_same) found_ += name + " ";
  }
  void real(const char* name, double a, double b) { note(name, std::memcmp(&a, &b, sizeof a) == 0); }
  void text(const char* name, const std::string& a, const std::string& b) { note(name, a == b); }
  template <class T>
  void equal(const char* name, const T& a, const T& b) {
    note(name, a == b);
  }
  template <class M>
  void rows(const char* name, const M& a, const M& b) {
    const bool same_shape = a.rows() == b.rows() && a.cols() == b.cols();
    const auto bytes = std::size_t(a.size()) * sizeof(typename M::Scalar);
    note(name, same_shape && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0));
  }
  template <class List, class Compare>
  void each(const char* name, const List& a, const List& b, Compare&& compare) {
    note(name, a.size() == b.size());
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) compare(a[k], b[k]);
  }
  void ramp(const char* name, const model::Ramp& a, const model::Ramp& b) {
    real(name, a.start, b.start);
    real(name, a.end, b.end);
    real(name, a.until, b.until);
    equal(name, a.table, b.table);
  }
  void surface(const char* name, const model::TriangleMesh& a, const model::TriangleMesh& b) {
    rows(name, a.positions, b.positions);
    rows(name, a.triangles, b.triangles);
  }
  void rigid_body(const model::RigidBody& a, const model::RigidBody& b) {
    text("body.name", a.name, b.name);
    equal("body.shape.kind", a.shape.kind, b.shape.kind);
    real("body.shape.radius", a.shape.radius, b.shape.radius);
    real("body.shape.half_length", a.shape.half_length, b.shape.half_length);
    rows("body.shape.half_extents", a.shape.half_extents, b.shape.half_extents);
    surface("body.shape.mesh", a.shape.mesh, b.shape.mesh);
    real("body.mass", a.mass, b.mass);
    rows("body.start.position", a.start.position, b.start.position);
    rows("body.start.orientation", a.start.orientation, b.start.orientation);
    rows("body.velocity", a.velocity, b.velocity);
    rows("body.angular_velocity", a.angular_velocity, b.angular_velocity);
    rows("body.swing", a.swing, b.swing);
    real("body.swing_period", a.swing_period, b.swing_period);
    real("body.start_time", a.start_time, b.start_time);
    real("body.friction", a.friction, b.friction);
    real("body.restitution", a.restitution, b.restitution);
  }
  void bound(const char* name, const std::optional<model::Bound>& a, const std::optional<model::Bound>& b) {
    note(name, a.has_value() == b.has_value());
    if (!a || !b) return;
    real(name, a->limit, b->limit);
    text(name, a->because, b->because);
  }

  std::string found_;
};

/// What is lost on the way through a file; "" when nothing is.
std::string lost(const Scene& scene) {
  const nlohmann::json document = nlohmann::json::parse(scene_json(scene));
  check_scene_schema(document, "written");
  return SceneComparison().differences(scene, read_scene(document, "written", ".").scene);
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
  EXPECT_NE(SceneComparison().differences(everything(), Scene()), "");
  Scene other = everything();
  other.gravity[2] = 0.0;  // was −0
  EXPECT_EQ(SceneComparison().differences(everything(), other), "gravity ");
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
