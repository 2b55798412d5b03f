// SPDX-License-Identifier: BSD-3-Clause
// Cracks as a part of the simulation of a meshless solid: initiation, driving stress and frame arrays.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/cracks/crack_setup.hpp"
#include "methods/meshless/cracks/crack_system.hpp"
#include "methods/meshless/surface/surfel_surface.hpp"

namespace deformbench::meshless {

/// A place where a crack may start.
struct CrackSample {
  Vector3 position;  ///< m, material coordinates
  double threshold;  ///< Pa
  int node = -1;     ///< of the solid; −1: not at a node
  int painted = -1;  ///< index of its painted line; −1: none
  bool is_on_surface = false;
};

/// A crack initiation, with the values that decided it.
struct CrackStart {
  long long step;
  int sample, crack;
  Vector3 position, normal;
  double stress, threshold;  ///< Pa: λ at the sample, and the threshold
};

class CrackPart {
 public:
  /// Uses the body's surface in the scene (`skin_of`). `cloud`, `weights` and `elasticity` must outlive it. Throws
  /// InputError if an initial penny leaves the body.
  CrackPart(const Scene& scene, const CrackSetup& setup, const NodeCloud& cloud, const CrackWeights& weights,
            const MlsElasticity& elasticity);

  /// Initiates cracks where the stress exceeds the threshold, and moves all fronts for dt (s), with positions x (n×3,
  /// m) and `time` (s) at its end.
  void advance(double dt, double time, const Eigen::Ref<const Points>& x);

  /// Adds newly swept area to `weights` and moves its fronts.
  void hand_over(TriangulatedCracks& weights);
  /// Adds new surfels of both crack faces to `surface`.
  void hand_over(SurfelSurface& surface, const TriangulatedCracks& weights);
  /// After nodes were added to the cloud, split from their parents: they become samples with the parent's threshold.
  void follow_nodes(std::span<const int> parents);

  /// After the cloud was rebased; `skin` bounds the body in the new reference.
  void carry(const model::TriangleMesh& skin, ReferenceMap& map);

  const CrackSystem& cracks() const { return cracks_; }
  static std::vector<std::string> array_names();
  MethodArray array(const std::string& name) const;

 private:
  class Field;
  bool is_of_nodes() const { return setup_.stress == CrackStress::Nodes || setup_.stress == CrackStress::Nearest; }
  void start_given(const Scene& scene);
  void make_samples();
  void initiate(const StressField& field);
  Vector3 random_inside();
  std::vector<int> node_components() const;

  const CrackSetup setup_;
  const NodeCloud& cloud_;
  const MlsElasticity& elasticity_;
  CrackSystem cracks_;
  NodalStress nodal_;
  WanderingStress wandering_;
  std::vector<CrackSample> samples_;
  std::vector<CrackStart> starts_;
  std::vector<int> numbers_;  ///< per crack, its number in the weights
  std::size_t handed_triangles_ = 0, handed_surfels_ = 0;
  std::vector<std::array<int, 2>> faces_;  ///< per crack, its two sheets of the surface
  Vector3 low_, high_;                     ///< m, bounding box of the body
  std::uint64_t draws_ = 0;
  long long steps_ = 0, refused_ = 0;
};

}  // namespace deformbench::meshless
