// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/animal_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "methods/model/error.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/procedural/stand_in_models.hpp"
#include "methods/surface/tetrahedralize.hpp"

namespace deformbench::scenes {

bool is_stand_in(const std::string& model) {
  const auto& names = surface::stand_in_names();
  return std::find(names.begin(), names.end(), model) != names.end();
}

double scale_to(model::TriangleMesh& mesh, double length) {
  const Vector3 extent = mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff();
  const double factor = length / extent.maxCoeff();
  mesh.positions *= factor;
  return factor;
}

std::filesystem::path model_file(const std::string& model, const std::string& scene) {
  const std::filesystem::path given(model);
  if (given.is_absolute()) return given;
  const char* folder = std::getenv("DEFORMBENCH_MODELS");
  if (!folder || !*folder)
    throw InputError(
        fmt::format("scene {}: model '{}' is none of {}, and DEFORMBENCH_MODELS names no folder of models, "
                    "expected one of these or that folder",
                    scene, model, fmt::join(surface::stand_in_names(), ", ")));
  auto path = std::filesystem::path(folder) / given;
  return path.has_extension() ? path : path.replace_extension(".obj");
}

model::TriangleMesh animal_surface(const std::string& model, int triangles, double length, bool strict,
                                   const std::string& scene) {
  model::TriangleMesh mesh;
  if (is_stand_in(model)) {
    mesh = surface::make_stand_in(model, triangles).mesh;
  } else {
    const auto file = model::read_triangle_mesh(model_file(model, scene).string());
    const auto closed =
        surface::closed_surface(file.mesh, file.source, strict ? model::FanPolicy::Refuse : model::FanPolicy::Split,
                                surface::SelfContact::Warn);
    for (const auto& warning : closed.warnings) fmt::print(stderr, "warning: {}\n", warning);
    mesh = closed.mesh;
  }
  scale_to(mesh, length);
  return mesh;
}

ParameterSpec animal_parameters(const std::string& default_model) {
  ParameterInfo triangles{"triangles", "1", 0LL, "Triangles of a stand-in; 0: the paper's number."};
  triangles.minimum = 0;
  ParameterInfo tetrahedra{"tetrahedra", "1", 0LL, "Number of tetrahedra to aim at; 0: use cell_size_m."};
  tetrahedra.minimum = 0;
  return {
      {"model", "", default_model, "snake, quadruped, dragon, or a surface file (in the folder DEFORMBENCH_MODELS)."},
      triangles,
      positive_parameter("length_m", "m", 1.0, "Longest extent, to which the model is scaled."),
      positive_parameter("cell_size_m", "m", 0.05, "Edge of the cubes of the tetrahedral mesh."),
      tetrahedra,
      choice_parameter("lattice", "cubes", {"cubes", "body_centred"}, "Cells of the tetrahedral mesh."),
      {"strict", "", false, "Refuse a file with a vertex shared by several fans, instead of splitting it."}};
}

ParameterSpec animal_material_parameters() {
  return {vector_parameter("gravity_m_s2", "m/s^2", {0, 0, 0}, "Acceleration of gravity."),
          positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."), poisson_parameter(0.33),
          positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
          positive_parameter("time_step_s", "s", 0.01, "Time step.")};
}

Scene animal_scene(const std::string& name, const Parameters& p, model::TriangleMesh skin) {
  const auto lattice = surface::cell_lattice_from_name(p.text("lattice"));
  const auto target = int(p.integer("tetrahedra"));
  const auto cells = target > 0 ? surface::tetrahedralize_to_count(skin, target, lattice)
                                : surface::tetrahedralize(skin, p.real("cell_size_m"), lattice);
  for (const auto& warning : cells.warnings) fmt::print(stderr, "warning: {}\n", warning);
  Scene scene;
  scene.name = name;
  scene.tet_mesh = cells.mesh;
  scene.skin = std::move(skin);
  scene.materials = {material_of(p)};
  scene.time_step = p.real("time_step_s");
  scene.gravity = vector_of(p, "gravity_m_s2");
  return scene;
}

}  // namespace deformbench::scenes
