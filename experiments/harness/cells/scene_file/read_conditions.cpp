// SPDX-License-Identifier: BSD-3-Clause
// Reads loads, motions, planes, heat sources and cracks of a scene file.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <map>

#include "experiments/harness/cells/scene_file/reader_parts.hpp"

namespace deformbench::harness {
namespace {

/// `ends`: whether the ramped quantity may end (loads may, motions may not).
model::Ramp ramp_of(const JsonNode& owner, bool ends = true) {
  model::Ramp ramp;
  if (!owner.has("ramp")) return ramp;
  const JsonNode node = owner.at("ramp");
  if (node.has("until_s")) {
    if (!ends) node.at("until_s").fail("no end: what has moved stays where it is");
    ramp.until = node.at("until_s").number();
  }
  if (!node.has("table")) {
    ramp.start = node.number_or("start_s", 0.0);
    ramp.end = node.number_or("end_s", ramp.start);
    if (ramp.start > ramp.end) node.fail("end_s not before start_s");
    return ramp;
  }
  for (const char* key : {"start_s", "end_s"})
    if (node.has(key)) node.at(key).refuse("stands beside \"table\", whose first and last time it is");
  const JsonNode table = node.at("table");
  if (table.size() == 0) table.fail("at least one row of a time (s) and a value");
  for (std::size_t i = 0; i < table.size(); ++i) {
    const JsonNode row = table.at(i);
    if (!row.value().is_array() || row.size() != 2) row.fail("a time (s) and a value");
    const std::array<double, 2> entry{row.at(std::size_t{0}).number(), row.at(1).number()};
    if (i > 0 && !(entry[0] > ramp.table.back()[0])) row.fail("a later time than in the row before");
    ramp.table.push_back(entry);
  }
  ramp.start = ramp.table.front()[0];
  ramp.end = ramp.table.back()[0];
  return ramp;
}

void read_point_loads(const JsonNode& document, const Selector& selector, Scene& scene) {
  for (const JsonNode& node : document.list("point_loads")) {
    const std::vector<int> vertices = selector.vertices(node.at("vertices"));
    if (node.has("force_n") == node.has("total_force_n"))
      node.fail("one of force_n (on each vertex) and total_force_n");
    const Vector3 force = node.has("force_n") ? node.at("force_n").vector()
                                              : Vector3(node.at("total_force_n").vector() / double(vertices.size()));
    const model::Ramp ramp = ramp_of(node);
    for (const int v : vertices) scene.point_loads.push_back({v, force, ramp});
  }
}

void read_surface_loads(const JsonNode& document, const Selector& selector, Scene& scene) {
  for (const JsonNode& node : document.list("traction_loads")) {
    if (node.has("boundary") == node.has("triangles"))
      node.fail("one of boundary (a selection) and triangles (a list)");
    scene.traction_loads.push_back({node.has("boundary") ? selector.triangles(node.at("boundary"))
                                                         : node.at("triangles").triangles(scene.vertex_count()),
                                    node.at("traction_pa").vector(), ramp_of(node)});
  }
  const Points& rest = scene.rest_positions();
  for (const JsonNode& node : document.list("pressures")) {
    const Triangles triangles = selector.triangles(node.at("boundary"));
    const double pressure = node.at("pressure_pa").number();
    // Triangles of a plane face share one traction.
    std::map<std::array<double, 3>, std::vector<Eigen::Index>> by_traction;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      const Vector3 a = rest.row(triangles(t, 0)), b = rest.row(triangles(t, 1)), c = rest.row(triangles(t, 2));
      const Vector3 traction = -pressure * (b - a).cross(c - a).normalized();
      by_traction[{traction.x(), traction.y(), traction.z()}].push_back(t);
    }
    for (const auto& [traction, rows] : by_traction)
      scene.traction_loads.push_back(
          {triangles(rows, Eigen::all), Vector3(traction[0], traction[1], traction[2]), ramp_of(node)});
  }
}

void read_body_loads(const JsonNode& document, const Selector& selector, Scene& scene) {
  for (const JsonNode& node : document.list("body_loads")) {
    std::map<int, Vector3> forces;
    const Vector3 density = node.at("force_density_n_m3").vector();
    for (const int e : selector.elements(node.at("elements"))) {
      const Vector3 quarter =
          0.25 * model::tetrahedron_volume(scene.tet_mesh, scene.tet_mesh.rest_positions, e) * density;
      for (int k = 0; k < 4; ++k)
        forces.try_emplace(scene.tet_mesh.tetrahedra(e, k), Vector3::Zero()).first->second += quarter;
    }
    const model::Ramp ramp = ramp_of(node);
    for (const auto& [vertex, force] : forces) scene.point_loads.push_back({vertex, force, ramp});
  }
}

void read_cracks(SceneReading& reading) {
  for (const JsonNode& node : reading.document.list("cracks")) {
    model::InitialCrack crack;
    crack.surface = read_surface(node.at("surface"), reading);
    for (const JsonNode& front : node.list("fronts"))
      crack.fronts.push_back(front.indices(crack.surface.vertex_count(), "vertices"));
    crack.advance = node.vector_or("advance_m", Vector3::Zero());
    crack.ramp = ramp_of(node, false);
    reading.scene().cracks.push_back(std::move(crack));
  }
}

/// Points; there must be one row per vertex.
Points rows_of_vertices(const JsonNode& node, Eigen::Index vertices) {
  if (Eigen::Index(node.size()) != vertices)
    node.refuse(fmt::format("has {} rows, expected {}, one per vertex", node.size(), vertices));
  return node.points();
}

}  // namespace

void read_loads(SceneReading& reading, const Selector& selector) {
  Scene& scene = reading.scene();
  const JsonNode& document = reading.document;
  read_point_loads(document, selector, scene);
  read_surface_loads(document, selector, scene);
  read_body_loads(document, selector, scene);
  for (const JsonNode& node : document.list("planes"))
    scene.colliders.push_back({node.at("normal").unit_vector(), node.at("offset_m").number(),
                               node.number_or("friction", 0.0), node.number_or("restitution", 0.0)});
  for (const JsonNode& node : document.list("heat_sources")) {
    model::HeatSource source;
    source.from = node.at("from_m").vector();
    source.to = node.vector_or("to_m", source.from);
    source.ramp = ramp_of(node);
    source.radius = node.at("radius_m").number();
    source.stiffness_factor = node.number_or("stiffness_factor", 1.0);
    source.plastic_yield = node.number_or("plastic_yield", 0.0);
    source.plastic_creep = node.number_or("plastic_creep_1_s", 0.0);
    source.plastic_max = node.number_or("plastic_max", 0.0);
    source.cools = node.flag_or("cools", false);
    scene.heat_sources.push_back(source);
  }
  read_cracks(reading);
}

void read_motions(SceneReading& reading, const Selector& selector) {
  Scene& scene = reading.scene();
  const JsonNode& document = reading.document;
  for (const JsonNode& node : document.list("prescribed_motions")) {
    model::PrescribedMotion motion;
    motion.vertices = selector.vertices(node.at("vertices"));
    motion.translation = node.vector_or("translation_m", Vector3::Zero());
    if (node.has("rotation")) {
      const JsonNode rotation = node.at("rotation");
      motion.axis = rotation.at("axis").unit_vector();
      motion.angle = angle_of(rotation);
      motion.origin = rotation.vector_or("origin_m", Vector3::Zero());
    }
    motion.ramp = ramp_of(node, false);
    if (node.has("targets_m"))
      motion.targets = rows_of_vertices(node.at("targets_m"), Eigen::Index(motion.vertices.size()));
    if (node.has("components")) {
      motion.components = {false, false, false};
      for (const JsonNode& component : node.list("components"))
        motion.components[std::string("xyz").find(component.text())] = true;
    }
    scene.prescribed.push_back(std::move(motion));
  }
  if (document.has("initial_positions_m"))
    scene.initial_positions = rows_of_vertices(document.at("initial_positions_m"), scene.vertex_count());
  if (document.has("initial_velocities_m_s"))
    scene.initial_velocities = rows_of_vertices(document.at("initial_velocities_m_s"), scene.vertex_count());
  const Points start = scene.start_positions();
  for (const JsonNode& node : document.list("initial_motions")) {
    if (scene.initial_velocities.rows() == 0) scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
    const Vector3 velocity = node.vector_or("velocity_m_s", Vector3::Zero());
    const Vector3 spin = node.vector_or("angular_velocity_rad_s", Vector3::Zero());
    const Vector3 origin = node.vector_or("origin_m", Vector3::Zero());
    for (const int v : selector.vertices(node.at("vertices"))) {
      const Vector3 arm = Vector3(start.row(v)) - origin;
      scene.initial_velocities.row(v) += (velocity + spin.cross(arm)).transpose();
    }
  }
}

}  // namespace deformbench::harness
