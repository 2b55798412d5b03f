// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/heating.hpp"

namespace deformbench::fem {

Heating::Heating(const Scene& scene) {
  if (scene.heat_sources.empty()) return;
  const auto elements = std::size_t(scene.tet_mesh.element_count());
  heated_.assign(elements, 0);
  source_of_.assign(elements, -1);
  cold_material_ = scene.element_material;
  cold_material_.resize(elements, 0);
  warm_material_.assign(scene.heat_sources.size(), std::vector<int>(scene.materials.size(), -1));
}

std::vector<Heating::Change> Heating::update(Scene& scene, double time, const Eigen::Ref<const Points>& positions) {
  std::vector<Change> changes;
  if (!has_sources()) return changes;
  for (std::size_t e = 0; e < heated_.size(); ++e) {
    const auto corners = scene.tet_mesh.tetrahedra.row(Eigen::Index(e));
    Vector3 centroid = Vector3::Zero();
    for (int a = 0; a < 4; ++a) centroid += 0.25 * positions.row(corners[a]).transpose();
    int source = source_of_[e];
    if (source >= 0 && scene.heat_sources[std::size_t(source)].cools) source = -1;
    for (std::size_t s = 0; s < scene.heat_sources.size(); ++s) {
      const model::HeatSource& ball = scene.heat_sources[s];
      if (time < ball.ramp.start || time >= ball.ramp.until) continue;
      const Vector3 centre = ball.from + ball.ramp.value_at(time) * (ball.to - ball.from);
      if ((centroid - centre).norm() <= ball.radius) source = int(s);
    }
    if (source == source_of_[e]) continue;
    source_of_[e] = source;
    heated_[e] = source >= 0 ? 1 : 0;
    changes.push_back({int(e), source});
  }
  if (changes.empty()) return changes;
  scene.element_material.resize(heated_.size(), 0);
  for (const Change& change : changes) {
    const auto e = std::size_t(change.element);
    const int cold = cold_material_[e];
    scene.element_material[e] = cold;
    if (change.source < 0) continue;
    int& warm = warm_material_[std::size_t(change.source)][std::size_t(cold)];
    if (warm < 0) {
      warm = int(scene.materials.size());
      model::Material material = scene.materials[std::size_t(cold)];
      material.young_modulus *= scene.heat_sources[std::size_t(change.source)].stiffness_factor;
      scene.materials.push_back(material);
    }
    scene.element_material[e] = warm;
  }
  return changes;
}

}  // namespace deformbench::fem
