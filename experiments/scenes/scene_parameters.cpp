// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/scene_parameters.hpp"

#include <limits>
#include <numbers>

#include "methods/numerics/random.hpp"

namespace deformbench::scenes {

ParameterInfo vector_parameter(std::string name, std::string unit, Vector3 default_value, std::string doc) {
  ParameterInfo info{std::move(name), std::move(unit),
                     std::vector<double>(default_value.data(), default_value.data() + 3), std::move(doc)};
  info.length = 3;
  return info;
}

ParameterInfo seed_parameter(std::string doc) {
  ParameterInfo info{"seed", "1", 1LL, std::move(doc)};
  info.minimum = 0.0;
  return info;
}

Vector3 vector_of(const Parameters& parameters, const std::string& name) {
  const auto& list = parameters.list(name);
  return {list.at(0), list.at(1), list.at(2)};
}

ParameterInfo poisson_parameter(double default_value) {
  ParameterInfo info = real_parameter("poisson_ratio", "1", default_value, "Poisson's ratio.");
  info.minimum = -1.0;
  info.maximum = 0.5;
  info.minimum_is_exclusive = info.maximum_is_exclusive = true;
  return info;
}

model::Material material_of(const Parameters& parameters) {
  model::Material material;
  material.young_modulus = parameters.real("young_modulus_pa");
  material.poisson_ratio = parameters.values().contains("poisson_ratio") ? parameters.real("poisson_ratio") : 0.0;
  material.density = parameters.real("density_kg_m3");
  return material;
}

ParameterInfo bounded_parameter() {
  return {"bounded", "", true,
          "Whether a run that leaves physics ends (stretch, energy, distance); false where a measurement judges that."};
}

void lift_bounds(const Parameters& parameters, Scene& scene) {
  if (parameters.flag("bounded")) return;
  const model::Bound none{std::numeric_limits<double>::infinity(),
                          "the experiment measures itself how far a run leaves physics"};
  scene.bounds = {none, none, none};
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

Points normal_points(const Parameters& parameters, std::uint64_t stream, Eigen::Index rows, double deviation) {
  numerics::RandomStream random(std::uint64_t(parameters.integer("seed")), stream);
  Points points(rows, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = deviation * random.normal();
  return points;
}

}  // namespace deformbench::scenes
