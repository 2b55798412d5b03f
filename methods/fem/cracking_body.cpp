// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/cracking_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace deformbench::fem {
namespace {

/// The corners of an element's faces; face f is the one opposite corner f.
constexpr int kFaceCorners[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

void append_copies_of_sources(const FractureTopology& topology, Points& rows) {
  if (rows.rows() > 0) append_copies(topology, rows);
}

}  // namespace

SceneFollower::SceneFollower(const Scene& scene) {
  loaded_.resize(scene.traction_loads.size());
  if (loaded_.empty()) return;
  std::map<std::array<int, 3>, std::pair<int, int>> faces;  // sorted vertices → element, face
  for (int e = 0; e < int(scene.tet_mesh.element_count()); ++e) {
    for (int f = 0; f < 4; ++f) {
      std::array<int, 3> key;
      for (std::size_t k = 0; k < 3; ++k) key[k] = scene.tet_mesh.tetrahedra(e, kFaceCorners[f][k]);
      std::sort(key.begin(), key.end());
      faces[key] = {e, f};
    }
  }
  for (std::size_t load = 0; load < loaded_.size(); ++load) {
    const Triangles& triangles = scene.traction_loads[load].triangles;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      std::array<int, 3> key = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
      std::sort(key.begin(), key.end());
      const auto found = faces.find(key);
      LoadedTriangle loaded{-1, {}};
      if (found != faces.end()) {
        loaded.element = found->second.first;
        for (std::size_t k = 0; k < 3; ++k)
          for (int c = 0; c < 4; ++c)
            if (scene.tet_mesh.tetrahedra(loaded.element, c) == triangles(t, Eigen::Index(k))) loaded.corners[k] = c;
      }
      loaded_[load].push_back(loaded);
    }
  }
}

void SceneFollower::follow(Scene& scene, const FractureTopology& topology, std::span<const VertexSplit> splits) const {
  scene.tet_mesh.tetrahedra = topology.tetrahedra();
  append_copies(topology, scene.tet_mesh.rest_positions);
  append_copies_of_sources(topology, scene.initial_positions);
  append_copies_of_sources(topology, scene.initial_velocities);
  const auto index_in = [](const std::vector<int>& list, int vertex) {
    return std::size_t(std::find(list.begin(), list.end(), vertex) - list.begin());
  };
  for (const VertexSplit& split : splits) {
    for (const NewVertex& born : split.new_vertices) {
      for (auto& motion : scene.prescribed) {
        const std::size_t k = index_in(motion.vertices, born.source);
        if (k == motion.vertices.size()) continue;
        motion.vertices.push_back(born.vertex);
        if (motion.targets.rows() == 0) continue;
        motion.targets.conservativeResize(motion.targets.rows() + 1, 3);
        for (int c = 0; c < 3; ++c) motion.targets(motion.targets.rows() - 1, c) = motion.targets(Eigen::Index(k), c);
      }
      for (auto& [name, vertices] : scene.vertex_sets)
        if (index_in(vertices, born.source) < vertices.size()) vertices.push_back(born.vertex);
    }
  }
  for (std::size_t load = 0; load < loaded_.size(); ++load)
    for (std::size_t t = 0; t < loaded_[load].size(); ++t)
      if (const LoadedTriangle& loaded = loaded_[load][t]; loaded.element >= 0)
        for (std::size_t k = 0; k < 3; ++k)
          scene.traction_loads[load].triangles(Eigen::Index(t), Eigen::Index(k)) =
              scene.tet_mesh.tetrahedra(loaded.element, loaded.corners[k]);
}

template <class T>
CrackingBody<T>::CrackingBody(const Scene& scene, const FemOptions& options, const RunContext& context)
    : ImplicitEuler<T>(scene, options, context),
      topology_(scene.tet_mesh.tetrahedra, int(scene.tet_mesh.vertex_count()), options.fracture->hinges),
      rule_(options.fracture->splits_per_step, context.seed),
      follower_(scene) {
  const model::TetMesh& mesh = this->scene_.tet_mesh;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    element_masses_.push_back(scene.material_of(e).density * model::tetrahedron_volume(mesh, mesh.rest_positions, e));
    rest_.push_back(rest_element(mesh, e));
  }
}

template <class T>
StepReport CrackingBody<T>::step() {
  events_.clear();
  return ImplicitEuler<T>::step();
}

template <class T>
void CrackingBody<T>::after_step() {
  std::vector<Suspect> suspects;
  this->prepare(StressTest{this->options_.fresh_stress_rotation, this->options_.fracture->elastic_strain}, &suspects);
  this->prepared_ = true;
  this->clock_.charge(PhaseClock::Rotation);
  FractureStep broken;
  if (this->options_.fracture->by_separation_tensor)
    broken = break_vertices();
  else
    broken = break_elements(suspects);
  events_ = std::move(broken.events);
  if (!broken.splits.empty()) follow(broken.splits);
  this->clock_.charge(PhaseClock::Fracture);
}

template <class T>
Matrix3 CrackingBody<T>::breaking_rotation(int element) const {
  return this->options_.fresh_stress_rotation ? this->elements_->rotation(element)
                                              : this->elements_->previous_rotation(element);
}

template <class T>
Vector6 CrackingBody<T>::breaking_stress(int element, const Matrix3& rotation) const {
  const Vector6 plastic =
      this->options_.fracture->elastic_strain ? this->stored_strain(element) : Vector6(Vector6::Zero());
  return this->model_->stress(element, rest_[std::size_t(element)], this->state().positions, rotation, plastic);
}

template <class T>
FractureStep CrackingBody<T>::break_elements(const std::vector<Suspect>& suspects) {
  const FractureOptions& fracture = *this->options_.fracture;
  std::vector<StressedElement> stressed;
  for (const Suspect& suspect : suspects) {
    double stress = suspect.stress;
    if (std::isnan(stress))
      stress = largest_principal(breaking_stress(suspect.element, breaking_rotation(suspect.element)));
    stressed.push_back({suspect.element, stress});
  }
  const auto peak_of = [&](int element) {
    const Matrix3 rotation = breaking_rotation(element);
    return stress_peak(element, breaking_stress(element, rotation), rotation, fracture.threshold, fracture.frame);
  };
  return rule_.split_elements(topology_, std::move(stressed), peak_of, this->state().positions);
}

template <class T>
FractureStep CrackingBody<T>::break_vertices() {
  std::vector<Matrix3> rotations;
  std::vector<Vector6> stresses;
  for (int element = 0; element < topology_.element_count(); ++element) {
    rotations.push_back(breaking_rotation(element));
    stresses.push_back(breaking_stress(element, rotations.back()));
  }
  return rule_.split_vertices(
      topology_, separation_peaks(topology_, rest_, stresses, rotations, this->options_.fracture->threshold),
      this->state().positions);
}

template <class T>
void CrackingBody<T>::follow(std::span<const VertexSplit> splits) {
  follower_.follow(this->scene_, topology_, splits);
  update_masses(topology_, splits, element_masses_, this->masses_);
  const GraphChange change = this->graph_.apply(splits);
  this->body_.follow(topology_.sources());
  this->follow_topology(change);
}

template class CrackingBody<float>;
template class CrackingBody<double>;

}  // namespace deformbench::fem
