// SPDX-License-Identifier: BSD-3-Clause
// Reads rigid bodies, attachments, explicit constraints and divergence bounds of a scene file; and the whole file.
#include <fmt/format.h>

#include <Eigen/LU>

#include <algorithm>
#include <limits>

#include "experiments/harness/cells/scene_file/reader_parts.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

model::Shape shape_of(const JsonNode& node, SceneReading& reading) {
  static const std::map<std::string, std::vector<std::string>> keys_of_kind{
      {"sphere", {"radius_m"}},
      {"capsule", {"radius_m", "half_length_m"}},
      {"box", {"half_extents_m"}},
      {"mesh", {"file", "scale", "rotation", "translation_m", "vertices_m", "triangles"}}};
  const std::string kind = node.at("kind").text();
  const auto& keys = keys_of_kind.at(kind);
  for (const auto& [key, ignored] : node.value().items())
    if (key != "kind" && std::find(keys.begin(), keys.end(), key) == keys.end())
      node.at(key).refuse(fmt::format("is no key of a shape of kind \"{}\"", kind));
  model::Shape shape;
  if (kind == "mesh") {
    shape.kind = model::ShapeKind::Mesh;
    shape.mesh = read_surface(node, reading);
  } else if (kind == "box") {
    shape.kind = model::ShapeKind::Box;
    shape.half_extents = node.at("half_extents_m").vector();
  } else {
    shape.kind = kind == "sphere" ? model::ShapeKind::Sphere : model::ShapeKind::Capsule;
    shape.radius = node.at("radius_m").number();
    if (kind == "capsule") shape.half_length = node.at("half_length_m").number();
  }
  return shape;
}

model::Pose start_of(const JsonNode& node) {
  model::Pose pose;
  pose.position = node.vector_or("position_m", Vector3::Zero());
  if (node.has("orientation") && node.has("rotation")) node.fail("one of orientation and rotation");
  if (node.has("rotation")) pose.orientation = rotation_of(node.at("rotation"));
  if (!node.has("orientation")) return pose;
  const JsonNode rows = node.at("orientation");
  if (rows.size() != 3) rows.fail("a rotation matrix, three rows of three numbers");
  pose.orientation = rows.points();
  if (!((pose.orientation.transpose() * pose.orientation - Matrix3::Identity()).norm() < 1e-9 &&
        pose.orientation.determinant() > 0))
    rows.fail("a rotation matrix, three rows of three numbers");
  return pose;
}

model::ConstraintKind kind_of_constraint(const JsonNode& node) {
  const std::string name = node.text();
  std::vector<std::string> known;
  for (const model::ConstraintType& type : model::kConstraintTypes) {
    if (name == type.name) return model::ConstraintKind(known.size());
    known.push_back(type.name);
  }
  node.refuse("unknown kind of constraint \"" + name + "\"" + suggestion(name, known));
}

std::optional<model::Bound> bound_of(const JsonNode& bounds, const char* name, const char* limit) {
  if (!bounds.has(name)) return std::nullopt;
  const JsonNode node = bounds.at(name);
  return model::Bound{node.number_or(limit, std::numeric_limits<double>::infinity()), node.at("because").text()};
}

void read_vertex_sets(SceneReading& reading, const Selector& selector) {
  if (!reading.document.has("vertex_sets")) return;
  const JsonNode sets = reading.document.at("vertex_sets");
  std::map<std::string, std::vector<int>> read;
  for (const auto& [name, ignored] : sets.value().items()) {
    if (!is_plain_name(name)) sets.at(name).refuse("expected a name of lower case letters, digits and underscores");
    read[name] = selector.vertices(sets.at(name));
  }
  reading.scene().vertex_sets = std::move(read);
}

}  // namespace

void read_rigid_bodies(SceneReading& reading, const Selector& selector) {
  Scene& scene = reading.scene();
  std::vector<std::string> ids;
  for (const JsonNode& node : reading.document.list("rigid_bodies")) {
    model::RigidBody body;
    body.name = node.at("id").text();
    if (std::find(ids.begin(), ids.end(), body.name) != ids.end())
      node.at("id").fail("an id that no other rigid body has");
    ids.push_back(body.name);
    body.shape = shape_of(node.at("shape"), reading);
    body.mass = node.at("mass_kg").number();
    body.start = start_of(node);
    body.velocity = node.vector_or("velocity_m_s", Vector3::Zero());
    body.angular_velocity = node.vector_or("angular_velocity_rad_s", Vector3::Zero());
    body.swing = node.vector_or("swing_m", Vector3::Zero());
    body.swing_period = node.number_or("swing_period_s", 1.0);
    body.start_time = node.number_or("start_time_s", 0.0);
    body.friction = node.number_or("friction", 0.0);
    body.restitution = node.number_or("restitution", 0.0);
    scene.rigid_bodies.push_back(std::move(body));
  }
  for (const JsonNode& node : reading.document.list("attachments")) {
    const std::string id = node.at("rigid_body").text();
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end()) node.at("rigid_body").refuse("unknown rigid body \"" + id + "\"" + suggestion(id, ids));
    for (const int v : selector.vertices(node.at("vertices")))
      scene.attachments.push_back({v, int(found - ids.begin()), node.flag_or("pulls_body", true)});
  }
}

void read_constraints(SceneReading& reading) {
  Scene& scene = reading.scene();
  for (const JsonNode& node : reading.document.list("constraints")) {
    model::PositionConstraint constraint;
    constraint.kind = kind_of_constraint(node.at("kind"));
    const model::ConstraintType& type = model::type_of(constraint.kind);
    for (const auto& [key, ignored] : node.value().items())
      if ((key.starts_with("rest_") && key != type.rest) || (key.starts_with("compliance_") && key != type.compliance))
        node.at(key).refuse(
            fmt::format("is no key of this kind of constraint, expected {} and {}", type.rest, type.compliance));
    const std::vector<int> vertices = node.at("vertices").indices(scene.vertex_count(), "vertices");
    if (int(vertices.size()) != type.cardinality)
      node.at("vertices").fail(fmt::format("{} vertices", type.cardinality));
    std::copy(vertices.begin(), vertices.end(), constraint.vertices.begin());
    constraint.stiffness = node.number_or("stiffness", 1.0);
    constraint.compliance = node.number_or(type.compliance, 0.0);
    constraint.is_inequality = node.flag_or("is_inequality", false);
    constraint.rest_value =
        node.has(type.rest) ? node.at(type.rest).number() : model::constraint_value(constraint, scene.rest_positions());
    scene.constraints.push_back(constraint);
  }
}

void read_bounds(SceneReading& reading) {
  if (!reading.document.has("bounds")) return;
  const JsonNode bounds = reading.document.at("bounds");
  reading.scene().bounds = {bound_of(bounds, "distance", "limit_m"), bound_of(bounds, "stretch", "limit"),
                            bound_of(bounds, "kinetic_energy", "limit")};
}

ReadScene read_scene(const nlohmann::json& document, const std::string& where, const std::filesystem::path& folder) {
  SceneReading reading{JsonNode(document, where), folder};
  Scene& scene = reading.scene();
  scene.name = reading.document.at("name").text();
  scene.time_step = reading.document.at("time_step_s").number();
  scene.gravity = reading.document.vector_or("gravity_m_s2", Vector3::Zero());
  read_body(reading);
  if (scene.vertex_count() == 0 && !reading.document.has("rigid_bodies"))
    reading.document.refuse("holds nothing that moves, expected \"body\" or \"rigid_bodies\"");
  const Selector selector(scene, reading.origin);
  read_vertex_sets(reading, selector);
  read_materials(reading, selector);
  read_loads(reading, selector);
  read_motions(reading, selector);
  read_rigid_bodies(reading, selector);
  read_constraints(reading);
  read_bounds(reading);
  try {
    check_scene(scene);
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
  return std::move(reading.result);
}

}  // namespace deformbench::harness
