// SPDX-License-Identifier: BSD-3-Clause
// [MG04] Fig. 1 as a picture: an animal with its trunk held and its head turned by an angle at the neck joint; head
// and neck are free, so that linear stiffness can inflate the head. The surface is embedded in a tetrahedral mesh of
// regular cells (§5). Built-in stand-ins, or the user's surface from the folder DEFORMBENCH_MODELS.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/scenes/animal_models.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/procedural/stand_in_models.hpp"

namespace deformbench::scenes {
namespace {

/// A surface with the selections for posing it, made on tetrahedral vertices at rest.
struct Animal {
  model::TriangleMesh surface;
  std::function<std::vector<int>(const Points&)> head;   ///< turned vertices
  std::function<std::vector<int>(const Points&)> trunk;  ///< held vertices
  Vector3 joint;                                         ///< m, centre of the turn
};

Animal stand_in(const std::string& name, int triangles, double length) {
  auto model = surface::make_stand_in(name, triangles);
  // Necks are a separate part or belong to the trunk: a snake's head joins its trunk.
  const bool has_neck = std::find(model.part_names.begin(), model.part_names.end(), "neck") != model.part_names.end();
  const Vector3 joint = model.joint(has_neck ? "neck" : "head", "trunk");
  const double factor = scale_to(model.mesh, length);
  Animal animal;
  animal.surface = model.mesh;
  animal.joint = factor * joint;
  const auto vertices_of_part = [model](const std::string& part) {
    return [model, number = model.part(part)](const Points& points) {
      const std::vector<int> parts = surface::parts_at(model, points);
      std::vector<int> chosen;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i] == number) chosen.push_back(int(i));
      return chosen;
    };
  };
  animal.head = vertices_of_part("head");
  animal.trunk = vertices_of_part("trunk");
  return animal;
}

/// Files have no parts: they are selected along an axis, the head at one end.
Animal from_file(const Parameters& p) {
  Animal animal;
  animal.surface = animal_surface(p.text("model"), 0, p.real("length_m"), p.flag("strict"), "posed_animal");
  const std::string& side = p.text("head_side");  // such as plus_x
  const int axis = side.back() - 'x';
  const auto places = animal.surface.positions.col(axis);
  const double low = places.minCoeff(), high = places.maxCoeff();
  const double direction = side.starts_with("plus") ? 1.0 : -1.0;
  const auto along = [=](double x) { return direction > 0 ? (x - low) / (high - low) : (high - x) / (high - low); };
  const auto select = [along, axis](double from, double to) {
    return [=](const Points& points) {
      std::vector<int> chosen;
      for (Eigen::Index i = 0; i < points.rows(); ++i)
        if (along(points(i, axis)) >= from && along(points(i, axis)) <= to) chosen.push_back(int(i));
      return chosen;
    };
  };
  const double held_to = p.real("held_fraction"), head_from = p.real("head_fraction");
  if (!(held_to < head_from))
    throw InputError(
        fmt::format("scene posed_animal: held_fraction {} and head_fraction {}, expected the first to be "
                    "smaller, with a free neck between",
                    held_to, head_from));
  // Cells stick out of the surface, hence beyond 0 and 1.
  animal.trunk = select(-1.0, held_to);
  animal.head = select(head_from, 2.0);
  Vector3 sum = Vector3::Zero();
  const auto neck = select(held_to, head_from)(animal.surface.positions);
  if (neck.empty())
    throw InputError("scene posed_animal: the model has no vertex between trunk and head, expected a neck");
  for (const int v : neck) sum += animal.surface.positions.row(v).transpose();
  animal.joint = sum / double(neck.size());
  return animal;
}

/// Vertices of `head` that share an element with a vertex outside it: the joint with the neck.
std::vector<int> collar_of(const model::TetMesh& mesh, const std::vector<int>& head) {
  std::vector<bool> in_head(std::size_t(mesh.vertex_count()), false), is_collar = in_head;
  for (const int v : head) in_head[std::size_t(v)] = true;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const auto corners = mesh.tetrahedra.row(e);
    const auto inside = [&](int v) { return in_head[std::size_t(v)]; };
    if (std::all_of(corners.begin(), corners.end(), inside)) continue;
    for (const int v : corners)
      if (inside(v)) is_collar[std::size_t(v)] = true;
  }
  std::vector<int> collar;
  for (const int v : head)
    if (is_collar[std::size_t(v)]) collar.push_back(v);
  return collar;
}

Scene build_posed_animal(const Parameters& p) {
  const Animal animal = is_stand_in(p.text("model"))
                            ? stand_in(p.text("model"), int(p.integer("triangles")), p.real("length_m"))
                            : from_file(p);
  Scene scene = animal_scene("posed_animal", p, animal.surface);
  scene.vertex_sets["root"] = animal.trunk(scene.tet_mesh.rest_positions);
  scene.vertex_sets["tip"] = animal.head(scene.tet_mesh.rest_positions);
  for (const auto& [name, vertices] : scene.vertex_sets)
    if (vertices.empty())
      throw InputError(
          fmt::format("scene posed_animal: no vertex of the tetrahedral mesh is in the {}, expected smaller "
                      "cells or other fractions",
                      name == "root" ? "trunk" : "head"));
  hold(scene, "root");
  model::PrescribedMotion head;
  const std::vector<int>& whole_head = scene.vertex_sets.at("tip");
  head.vertices = p.text("turned") == "head" ? whole_head : collar_of(scene.tet_mesh, whole_head);
  head.axis = vector_of(p, "axis").normalized();
  head.origin = animal.joint;
  head.angle = radians(p.real("angle_deg"));
  head.ramp = ramp_over(p.real("ramp_s"));
  if (p.text("turned") != "nothing") scene.prescribed.push_back(std::move(head));
  return scene;
}

}  // namespace

SceneDescriptor posed_animal() {
  ParameterSpec spec = animal_parameters("quadruped");
  for (auto&& own : ParameterSpec{
           real_parameter("angle_deg", "deg", 90.0, "Angle of the head about the joint of neck and trunk."),
           vector_parameter("axis", "1", {0, 1, 0}, "Axis of that turn."),
           non_negative_parameter("ramp_s", "s", 0.0, "Time over which the head turns; 0: at once."),
           choice_parameter("turned", "collar", {"collar", "head", "nothing"},
                            "What is turned: the head's joint to the neck, with the head free beyond it; all of the "
                            "head; or nothing."),
           choice_parameter("head_side", "plus_x", {"plus_x", "minus_x", "plus_y", "minus_y", "plus_z", "minus_z"},
                            "End of a file's model that is the head: trunk, neck and head follow each other along it."),
           real_parameter("held_fraction", "1", 0.6, "Part of a file's extent, from the tail, that is held."),
           real_parameter("head_fraction", "1", 0.8, "Part of a file's extent, from the tail, where the head begins.")})
    spec.push_back(std::move(own));
  for (auto&& shared : animal_material_parameters()) spec.push_back(std::move(shared));
  return {"posed_animal", "An animal whose trunk is held and whose head is turned, with its surface.", spec,
          build_posed_animal};
}

}  // namespace deformbench::scenes
