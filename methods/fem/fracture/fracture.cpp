// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fracture/fracture.hpp"

#include <cmath>

namespace deformbench::fem {

template <class T>
Fracture<T>::Fracture(Body<T>& body, BreakingStress& elasticity, const FractureOptions& options, std::uint64_t seed)
    : body_(body),
      elasticity_(elasticity),
      options_(options),
      topology_(body.scene.tet_mesh.tetrahedra, int(body.scene.tet_mesh.vertex_count()), options.hinges),
      rule_(options.splits_per_step, seed),
      follower_(body.scene) {
  const model::TetMesh& mesh = body_.scene.tet_mesh;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    element_masses_.push_back(body_.scene.material_of(e).density *
                              model::tetrahedron_volume(mesh, mesh.rest_positions, e));
    if (options_.by_separation_tensor) rest_.push_back(rest_element(mesh, e));
  }
}

template <class T>
std::optional<GraphChange> Fracture<T>::finish_step(PhaseClock& clock) {
  const std::vector<Suspect> suspects = elasticity_.suspects();
  clock.charge(PhaseClock::Rotation);
  FractureStep broken = options_.by_separation_tensor ? break_vertices() : break_elements(suspects);
  events_ = std::move(broken.events);
  if (broken.splits.empty()) return std::nullopt;
  follower_.follow(body_.scene, topology_, broken.splits);
  update_masses(topology_, broken.splits, element_masses_, body_.masses);
  return body_.follow(broken.splits, topology_.sources());
}

template <class T>
FractureStep Fracture<T>::break_elements(const std::vector<Suspect>& suspects) {
  std::vector<StressedElement> stressed;
  for (const Suspect& suspect : suspects) {
    double stress = suspect.stress;
    if (std::isnan(stress))
      stress = largest_principal(
          elasticity_.breaking_stress(suspect.element, elasticity_.breaking_rotation(suspect.element)));
    stressed.push_back({suspect.element, stress});
  }
  const auto peak_of = [&](int element) {
    const Matrix3 rotation = elasticity_.breaking_rotation(element);
    return stress_peak(element, elasticity_.breaking_stress(element, rotation), rotation, options_.threshold,
                       options_.frame);
  };
  return rule_.split_elements(topology_, std::move(stressed), peak_of, body_.positions());
}

template <class T>
FractureStep Fracture<T>::break_vertices() {
  std::vector<Matrix3> rotations;
  std::vector<Vector6> stresses;
  for (int element = 0; element < topology_.element_count(); ++element) {
    rotations.push_back(elasticity_.breaking_rotation(element));
    stresses.push_back(elasticity_.breaking_stress(element, rotations.back()));
  }
  return rule_.split_vertices(topology_, separation_peaks(topology_, rest_, stresses, rotations, options_.threshold),
                              body_.positions());
}

template class Fracture<float>;
template class Fracture<double>;

}  // namespace deformbench::fem
