// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/scenes/particles.hpp"

namespace deformbench::scenes {

ParameterSpec particle_parameters(const Vector3& gravity, double time_step, ParameterSpec own) {
  ParameterSpec spec{vector_parameter("gravity_m_s2", "m/s^2", gravity, "Gravity."),
                     positive_parameter("time_step_s", "s", time_step, "Time step.")};
  spec.insert(spec.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  return spec;
}

ParameterSpec link_parameters(ParameterSpec own) {
  ParameterInfo stiffness =
      non_negative_parameter("stiffness", "1", 1.0, "k of every distance constraint, position based.");
  stiffness.maximum = 1.0;
  own.push_back(std::move(stiffness));
  own.push_back(
      non_negative_parameter("compliance_m_per_n", "m/N", 0.0, "Compliance of every distance constraint, compliant."));
  return own;
}

Scene particle_scene(const std::string& name, const Parameters& p, Eigen::Index count) {
  Scene scene;
  scene.name = name;
  scene.particles.rest_positions = Points::Zero(count, 3);
  scene.particles.masses = Eigen::VectorXd::Ones(count);
  scene.gravity = vector_of(p, "gravity_m_s2");
  scene.time_step = p.real("time_step_s");
  return scene;
}

void add_link(Scene& scene, const Parameters& p, int a, int b) {
  const Points& rest = scene.particles.rest_positions;
  model::PositionConstraint link;
  link.vertices = {a, b, -1, -1};
  link.rest_value = (rest.row(b) - rest.row(a)).norm();
  link.stiffness = p.real("stiffness");
  link.compliance = p.real("compliance_m_per_n");
  scene.constraints.push_back(link);
}

void hold_particles(Scene& scene, std::vector<int> vertices) {
  model::PrescribedMotion fixed;
  fixed.vertices = vertices;
  const Points start = scene.start_positions();
  fixed.targets.resize(Eigen::Index(vertices.size()), 3);
  for (std::size_t k = 0; k < vertices.size(); ++k) fixed.targets.row(Eigen::Index(k)) = start.row(vertices[k]);
  scene.prescribed.push_back(std::move(fixed));
  scene.vertex_sets["held"] = std::move(vertices);
}

}  // namespace deformbench::scenes
