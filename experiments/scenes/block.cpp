// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/block.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {

ParameterSpec block_parameters(const BlockDefaults& defaults, ParameterSpec own) {
  ParameterInfo across{"cells_across", "1", static_cast<long long>(defaults.cells_across),
                       "Cells along y and along z."};
  across.minimum = 1;
  ParameterInfo along{"cells_along", "1", 0LL, "Cells along x; 0 makes them as near to cubes as it can be."};
  along.minimum = 0;
  ParameterInfo jitter = non_negative_parameter("jitter", "1", defaults.jitter,
                                                "Largest random displacement of inner vertices, in shortest edges.");
  jitter.maximum = 1.0;
  ParameterInfo subdivisions{"subdivisions", "1", 0LL,
                             "How often each tetrahedron becomes eight; quadratic elements need one."};
  subdivisions.minimum = 0;
  subdivisions.maximum = 4;
  ParameterSpec spec{
      positive_parameter("length_m", "m", defaults.length, "Extent along x."),
      positive_parameter("side_m", "m", defaults.side, "Extent along y and z."),
      across,
      along,
      choice_parameter("split", defaults.split, {"alternating_five", "kuhn_six", "body_centred"},
                       "How a cell becomes tetrahedra."),
      jitter,
      subdivisions,
      seed_parameter("Seed of everything random in the scene."),
      positive_parameter("young_modulus_pa", "Pa", defaults.young_modulus, "Young's modulus."),
      poisson_parameter(defaults.poisson_ratio),
      positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
      positive_parameter("time_step_s", "s", defaults.time_step, "Time step."),
  };
  spec.insert(spec.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  return spec;
}

Scene build_block(const std::string& name, const Parameters& parameters, BlockPlace place) {
  const double length = parameters.real("length_m");
  const double side = parameters.real("side_m");
  const int across = int(parameters.integer("cells_across"));
  int along = int(parameters.integer("cells_along"));
  if (along == 0) along = std::max(1, int(std::lround(length / side * across)));

  Vector3 origin(0.0, -side / 2, -side / 2);
  if (place == BlockPlace::CentredAtOrigin) origin.x() = -length / 2;

  Scene scene;
  scene.name = name;
  scene.tet_mesh = model::make_block({along, across, across}, origin, Vector3(length, side, side),
                                     model::block_split_from_name(parameters.text("split")));
  if (parameters.real("jitter") > 0.0) {
    model::JitterOptions options;
    options.fraction = parameters.real("jitter");
    options.seed = std::uint64_t(parameters.integer("seed"));
    scene.tet_mesh = model::jitter(scene.tet_mesh, options);
  }
  for (long long k = 0; k < parameters.integer("subdivisions"); ++k) scene.tet_mesh = model::subdivide(scene.tet_mesh);
  scene.materials = {material_of(parameters)};
  scene.time_step = parameters.real("time_step_s");

  const double tolerance = 1e-6 * length / along;
  const auto& rest = scene.tet_mesh.rest_positions;
  scene.vertex_sets["root"] = model::vertices_on_plane(rest, 0, origin.x(), tolerance);
  scene.vertex_sets["tip"] = model::vertices_on_plane(rest, 0, origin.x() + length, tolerance);
  return scene;
}

void hold(Scene& scene, const std::string& vertex_set) {
  model::PrescribedMotion fixed;
  fixed.vertices = scene.vertex_sets.at(vertex_set);
  scene.prescribed.push_back(std::move(fixed));
}

void load_tip(Scene& scene, const Parameters& parameters, const Vector3& force, double ramp_s, double hold_s) {
  if (force.isZero(0.0)) return;
  const double length = parameters.real("length_m");
  const double side = parameters.real("side_m");
  const double tip = scene.tet_mesh.rest_positions.col(0).maxCoeff();
  model::TractionLoad load;
  load.triangles = model::boundary_triangles_on_plane(scene.tet_mesh, 0, tip, 1e-9 * length);
  load.traction = force / (side * side);
  load.ramp = held_for(hold_s, scene.time_step);
  load.ramp.end = ramp_s;
  scene.traction_loads.push_back(std::move(load));
}

model::Ramp ramp_over(double seconds) {
  return {0.0, seconds};
}

model::Ramp held_for(double seconds, double time_step) {
  model::Ramp ramp;
  if (seconds > 0.0) ramp.until = seconds + 0.5 * time_step;
  return ramp;
}

}  // namespace deformbench::scenes
