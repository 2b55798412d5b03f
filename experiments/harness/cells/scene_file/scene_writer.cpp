// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/scene_file/scene_writer.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// JSON text: objects and lists of objects span several lines, a row of numbers one line. Reals are the shortest
/// decimals that round-trip, always with a point or an exponent, so that −0 keeps its sign and readers see reals.
class SceneText {
 public:
  void open(char bracket) {
    before_value();
    text_ += bracket;
    first_ = true;
    ++depth_;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) new_line();
    text_ += bracket;
    first_ = false;
  }
  void key(const std::string& name) {
    before_value();
    quote(name);
    text_ += ": ";
    after_key_ = true;
  }
  void real(double value) { before_value(), put(value); }
  void boolean(bool value) { before_value(), text_ += value ? "true" : "false"; }
  void integer(int value) { before_value(), text_ += std::to_string(value); }
  void string(const std::string& value) { before_value(), quote(value); }
  /// [1.0, 2.0] in a line.
  template <class T>
  void row(std::span<const T> values) {
    before_value();
    text_ += '[';
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k > 0) text_ += ", ";
      put(values[k]);
    }
    text_ += ']';
  }
  /// A line per row of a row-major matrix.
  template <class Rows>
  void rows(const Rows& matrix) {
    open('[');
    using Scalar = typename Rows::Scalar;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      row(std::span<const Scalar>(matrix.data() + i * matrix.cols(), std::size_t(matrix.cols())));
    close(']');
  }

  std::string take() {
    text_ += '\n';
    return std::move(text_);
  }

 private:
  void before_value() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (depth_ == 0) return;
    if (!first_) text_ += ',';
    first_ = false;
    new_line();
  }
  void new_line() {
    text_ += '\n';
    text_.append(std::size_t(depth_), ' ');
  }
  void quote(const std::string& value) {
    try {
      text_ += nlohmann::json(value).dump();
    } catch (const nlohmann::json::type_error&) {
      throw InputError("the scene holds a name that is not UTF-8, expected names that a JSON file can hold");
    }
  }
  void put(int value) { text_ += std::to_string(value); }
  void put(double value) {
    if (!std::isfinite(value)) throw InputError("the scene holds a number that is not finite, which JSON cannot say");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    const std::string_view number(digits, std::size_t(end - digits));
    text_ += number;
    if (number.find_first_of(".e") == std::string_view::npos) text_ += ".0";
  }

  std::string text_;
  int depth_ = 0;
  bool first_ = true, after_key_ = false;
};

void put_vector(SceneText& out, const char* key, const Vector3& v) {
  out.key(key);
  out.row(std::span<const double>(v.data(), 3));
}

void put_real(SceneText& out, const char* key, double value) {
  out.key(key);
  out.real(value);
}

void put_points(SceneText& out, const char* key, const Points& points) {
  out.key(key);
  out.rows(points);
}

void put_indices(SceneText& out, const char* key, const std::vector<int>& indices) {
  out.key(key);
  out.row(std::span<const int>(indices));
}

void put_vertices(SceneText& out, const std::vector<int>& vertices) {
  out.key("vertices");
  out.open('{');
  put_indices(out, "vertices", vertices);
  out.close('}');
}

/// Bitwise, to distinguish −0 from 0.
bool same_bits(double a, double b) {
  return a == b && std::signbit(a) == std::signbit(b);
}
bool same_bits(const Vector3& a, const Vector3& b) {
  return same_bits(a.x(), b.x()) && same_bits(a.y(), b.y()) && same_bits(a.z(), b.z());
}

/// A list of objects, one `entry(out, item)` each; omitted if empty.
template <class Items, class Entry>
void put_objects(SceneText& out, const char* key, const Items& items, Entry&& entry) {
  if (items.empty()) return;
  out.key(key);
  out.open('[');
  for (const auto& item : items) {
    out.open('{');
    entry(item);
    out.close('}');
  }
  out.close(']');
}

void put_ramp(SceneText& out, const model::Ramp& ramp) {
  const model::Ramp still;
  const bool is_default =
      same_bits(ramp.start, 0.0) && same_bits(ramp.end, 0.0) && ramp.until == still.until && ramp.table.empty();
  if (is_default) return;
  out.key("ramp");
  out.open('{');
  if (ramp.table.empty()) {
    put_real(out, "start_s", ramp.start);
    put_real(out, "end_s", ramp.end);
  } else {
    out.key("table");
    out.open('[');
    for (const auto& row : ramp.table) out.row(std::span<const double>(row));
    out.close(']');
  }
  if (ramp.until < still.until) put_real(out, "until_s", ramp.until);
  out.close('}');
}

void put_body(SceneText& out, const Scene& scene) {
  if (scene.vertex_count() == 0) return;
  out.key("body");
  out.open('{');
  out.key("kind");
  if (scene.cloth.vertex_count() > 0) {
    out.string("cloth");
    put_real(out, "area_density_kg_m2", scene.cloth.area_density);
    put_points(out, "vertices_m", scene.cloth.rest_positions);
    out.key("triangles");
    out.rows(scene.cloth.triangles);
  } else if (scene.particles.vertex_count() > 0) {
    out.string("particles");
    put_points(out, "vertices_m", scene.particles.rest_positions);
    out.key("masses_kg");
    out.row(std::span<const double>(scene.particles.masses.data(), std::size_t(scene.particles.masses.size())));
    if (scene.particles.is_solid()) {
      out.key("supports_m");
      out.row(std::span<const double>(scene.particles.supports.data(), std::size_t(scene.particles.supports.size())));
    }
  } else {
    out.string("tetrahedra");
    put_points(out, "vertices_m", scene.tet_mesh.rest_positions);
    out.key("tetrahedra");
    out.rows(scene.tet_mesh.tetrahedra);
  }
  out.close('}');
}

void put_materials(SceneText& out, const Scene& scene) {
  int number = 0;
  put_objects(out, "materials", scene.materials, [&](const model::Material& material) {
    out.key("id");
    out.string("material_" + std::to_string(number++));
    put_real(out, "young_modulus_pa", material.young_modulus);
    put_real(out, "poisson_ratio", material.poisson_ratio);
    put_real(out, "density_kg_m3", material.density);
  });
  if (!scene.element_material.empty()) put_indices(out, "element_materials", scene.element_material);
}

void put_surface(SceneText& out, const model::TriangleMesh& surface) {
  put_points(out, "vertices_m", surface.positions);
  out.key("triangles");
  out.rows(surface.triangles);
}

void put_motions(SceneText& out, const Scene& scene) {
  const model::PrescribedMotion still;
  put_objects(out, "prescribed_motions", scene.prescribed, [&](const model::PrescribedMotion& motion) {
    put_vertices(out, motion.vertices);
    if (!motion.is_whole()) {
      out.key("components");
      out.open('[');
      for (std::size_t c = 0; c < 3; ++c)
        if (motion.components[c]) out.string(std::string(1, "xyz"[c]));
      out.close(']');
    }
    if (!same_bits(motion.translation, still.translation)) put_vector(out, "translation_m", motion.translation);
    const bool turns =
        !same_bits(motion.angle, 0.0) || !same_bits(motion.axis, still.axis) || !same_bits(motion.origin, still.origin);
    if (turns) {
      out.key("rotation");
      out.open('{');
      put_vector(out, "axis", motion.axis);
      put_real(out, "angle_rad", motion.angle);
      put_vector(out, "origin_m", motion.origin);
      out.close('}');
    }
    if (motion.targets.rows() > 0) put_points(out, "targets_m", motion.targets);
    put_ramp(out, motion.ramp);
  });
}

void put_loads(SceneText& out, const Scene& scene) {
  put_objects(out, "point_loads", scene.point_loads, [&](const model::PointLoad& load) {
    put_vertices(out, {load.vertex});
    put_vector(out, "force_n", load.force);
    put_ramp(out, load.ramp);
  });
  put_objects(out, "traction_loads", scene.traction_loads, [&](const model::TractionLoad& load) {
    out.key("triangles");
    out.rows(load.triangles);
    put_vector(out, "traction_pa", load.traction);
    put_ramp(out, load.ramp);
  });
  put_objects(out, "planes", scene.colliders, [&](const model::PlaneCollider& plane) {
    put_vector(out, "normal", plane.normal);
    put_real(out, "offset_m", plane.offset);
    put_real(out, "friction", plane.friction);
    put_real(out, "restitution", plane.restitution);
  });
  put_objects(out, "heat_sources", scene.heat_sources, [&](const model::HeatSource& source) {
    put_vector(out, "from_m", source.from);
    put_vector(out, "to_m", source.to);
    put_ramp(out, source.ramp);
    put_real(out, "radius_m", source.radius);
    put_real(out, "stiffness_factor", source.stiffness_factor);
    put_real(out, "plastic_yield", source.plastic_yield);
    put_real(out, "plastic_creep_1_s", source.plastic_creep);
    put_real(out, "plastic_max", source.plastic_max);
    out.key("cools");
    out.boolean(source.cools);
  });
}

void put_cracks(SceneText& out, const Scene& scene) {
  put_objects(out, "cracks", scene.cracks, [&](const model::InitialCrack& crack) {
    out.key("surface");
    out.open('{');
    put_surface(out, crack.surface);
    out.close('}');
    if (!crack.fronts.empty()) {
      out.key("fronts");
      out.open('[');
      for (const auto& front : crack.fronts) out.row(std::span<const int>(front));
      out.close(']');
    }
    if (!same_bits(crack.advance, Vector3::Zero())) put_vector(out, "advance_m", crack.advance);
    put_ramp(out, crack.ramp);
  });
}

void put_constraints(SceneText& out, const Scene& scene) {
  put_objects(out, "constraints", scene.constraints, [&](const model::PositionConstraint& constraint) {
    const model::ConstraintType& type = model::type_of(constraint.kind);
    out.key("kind");
    out.string(type.name);
    put_indices(out, "vertices", {constraint.vertices.begin(), constraint.vertices.begin() + type.cardinality});
    put_real(out, type.rest, constraint.rest_value);
    put_real(out, "stiffness", constraint.stiffness);
    put_real(out, type.compliance, constraint.compliance);
    out.key("is_inequality");
    out.boolean(constraint.is_inequality);
  });
}

void put_shape(SceneText& out, const model::Shape& shape) {
  using enum model::ShapeKind;
  out.key("shape");
  out.open('{');
  out.key("kind");
  out.string(shape.kind == Sphere ? "sphere" : shape.kind == Capsule ? "capsule" : shape.kind == Box ? "box" : "mesh");
  if (shape.kind == Sphere || shape.kind == Capsule) put_real(out, "radius_m", shape.radius);
  if (shape.kind == Capsule) put_real(out, "half_length_m", shape.half_length);
  if (shape.kind == Box) put_vector(out, "half_extents_m", shape.half_extents);
  if (shape.kind == Mesh) put_surface(out, shape.mesh);
  out.close('}');
}

void put_rigid_bodies(SceneText& out, const Scene& scene) {
  put_objects(out, "rigid_bodies", scene.rigid_bodies, [&](const model::RigidBody& body) {
    out.key("id");
    out.string(body.name);
    put_shape(out, body.shape);
    put_real(out, "mass_kg", body.mass);
    put_vector(out, "position_m", body.start.position);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> orientation = body.start.orientation;
    out.key("orientation");
    out.rows(orientation);
    put_vector(out, "velocity_m_s", body.velocity);
    put_vector(out, "angular_velocity_rad_s", body.angular_velocity);
    put_vector(out, "swing_m", body.swing);
    put_real(out, "swing_period_s", body.swing_period);
    put_real(out, "start_time_s", body.start_time);
    put_real(out, "friction", body.friction);
    put_real(out, "restitution", body.restitution);
  });
  put_objects(out, "attachments", scene.attachments, [&](const model::Attachment& attachment) {
    put_vertices(out, {attachment.vertex});
    out.key("rigid_body");
    out.string(scene.rigid_bodies[std::size_t(attachment.body)].name);
    out.key("pulls_body");
    out.boolean(attachment.pulls_body);
  });
}

void put_bound(SceneText& out, const char* key, const char* limit, const std::optional<model::Bound>& bound) {
  if (!bound) return;
  out.key(key);
  out.open('{');
  if (std::isfinite(bound->limit)) put_real(out, limit, bound->limit);
  out.key("because");
  out.string(bound->because);
  out.close('}');
}

/// Rejects content that a scene file cannot express (docs/scenes.md).
void check_sayable(const Scene& scene) {
  const auto refuse = [&](const std::string& what) {
    throw InputError("scene '" + scene.name + "' cannot be exported: " + what);
  };
  if (!is_plain_name(scene.name)) refuse("its name, expected lower case letters, digits and underscores");
  for (const auto& [name, vertices] : scene.vertex_sets) {
    if (!is_plain_name(name)) refuse("vertex set '" + name + "', expected lower case letters, digits and underscores");
    if (vertices.empty()) refuse("vertex set '" + name + "' is empty, expected at least one vertex");
  }
  for (std::size_t k = 0; k < scene.prescribed.size(); ++k)
    if (scene.prescribed[k].vertices.empty())
      refuse("prescribed motion " + std::to_string(k) + " moves nothing, expected at least one vertex");
  std::set<std::string> ids;
  for (const auto& body : scene.rigid_bodies)
    if (body.name.empty() || !ids.insert(body.name).second)
      refuse("rigid body '" + body.name + "', expected a name that no other body has");
}

}  // namespace

std::string scene_json(const Scene& scene) {
  check_scene(scene);
  check_sayable(scene);
  SceneText out;
  out.open('{');
  out.key("format");
  out.string("deformbench-scene");
  out.key("format_version");
  out.integer(1);
  out.key("name");
  out.string(scene.name);
  put_real(out, "time_step_s", scene.time_step);
  put_vector(out, "gravity_m_s2", scene.gravity);
  put_body(out, scene);
  put_materials(out, scene);
  if (scene.skin.vertex_count() > 0) {
    out.key("skin");
    out.open('{');
    put_surface(out, scene.skin);
    out.close('}');
  }
  if (!scene.vertex_sets.empty()) {
    out.key("vertex_sets");
    out.open('{');
    for (const auto& [name, vertices] : scene.vertex_sets) {
      out.key(name);
      out.open('{');
      put_indices(out, "vertices", vertices);
      out.close('}');
    }
    out.close('}');
  }
  if (scene.initial_positions.rows() > 0) put_points(out, "initial_positions_m", scene.initial_positions);
  if (scene.initial_velocities.rows() > 0) put_points(out, "initial_velocities_m_s", scene.initial_velocities);
  put_motions(out, scene);
  put_loads(out, scene);
  put_cracks(out, scene);
  put_constraints(out, scene);
  put_rigid_bodies(out, scene);
  const auto& bounds = scene.bounds;
  if (bounds.distance || bounds.stretch || bounds.kinetic_energy) {
    out.key("bounds");
    out.open('{');
    put_bound(out, "distance", "limit_m", bounds.distance);
    put_bound(out, "stretch", "limit", bounds.stretch);
    put_bound(out, "kinetic_energy", "limit", bounds.kinetic_energy);
    out.close('}');
  }
  out.close('}');
  return out.take();
}

}  // namespace deformbench::harness
