// SPDX-License-Identifier: BSD-3-Clause
// Picks vertices to split and their planes. Two criteria:
//   vertex_split       [MG04] §4: an element whose largest principal stress exceeds the threshold splits one of its
//                      vertices, a crack tip if it has one, by the plane normal to that stress
//   separation_tensor  [OH99]: vertices with separation stress above the threshold split
//
// Where the papers say nothing:
// - Order: by decreasing stress; ties go to the lower element or vertex index.
// - A vertex that cannot split: with vertex_split the element's other vertices are tried, tips first, each group in
//   random order. An event reports it unless the previous step refused the same split.
// - Several splits: positions do not change within a step, but a split relieves its surroundings. So elements at the
//   split vertex, or moved to a new one, are skipped until the next step.
// - Limit: a maximum number of splits per step; an event counts the elements or vertices left.
//
// DEVIATION [OH99]: no remeshing: each element goes whole to its centroid's side of the plane ([MG04] §4).
// DEVIATION [OH99]: the separation stress is λ_max divided by a third of the star's projected area, so that the
// threshold is a stress.
// DEVIATION [OH99]: a vertex splits by its largest eigenvalue only; a second one may follow in the next step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "methods/facets.hpp"
#include "methods/fem/body/vertex_split.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::fem {

enum class FractureFrame {
  World,      ///< the plane's normal is rotated with the element
  AsPrinted,  ///< the normal stays in the element's frame, B-IVM-18
};

/// Largest principal stress of an element (Pa) and its unit direction, whose component of largest magnitude is
/// positive.
struct StressPeak {
  int element;
  double stress;
  Vector3 normal;
};

/// An element above the threshold. The direction of its stress is computed only when its turn to split comes.
struct StressedElement {
  int element;
  double stress;  ///< Pa, accurate enough for sorting
};
/// Peak (Pa) at a vertex, from its separation tensor.
struct VertexPeak {
  int vertex;
  double stress;
  Vector3 normal;
};

/// False if every principal stress is below the threshold, by the signs of the leading minors of threshold·I − σ:
/// about 20 operations instead of an eigenproblem. `s`: xx yy zz xy yz zx.
inline bool may_exceed(const Vector6& s, double threshold) {
  const double xx = threshold - s[0], yy = threshold - s[1], zz = threshold - s[2];
  const double xy = s[3], yz = s[4], zx = s[5];
  const double minor = xx * yy - xy * xy;
  const double determinant = zz * minor - xx * yz * yz - yy * zx * zx - 2.0 * xy * yz * zx;
  return !(xx > 0.0 && minor > 0.0 && determinant > 0.0);
}

/// The peak of one element if above the threshold; empty for nonfinite stress.
std::optional<StressPeak> stress_peak(int element, const Vector6& stress, const Matrix3& rotation, double threshold,
                                      FractureFrame frame);

/// ς = ½ (−m(f⁺) + Σ m(f_e⁺) + m(f⁻) − Σ m(f_e⁻)) with m(f) = f fᵀ/|f| (N), f_e± = −V R σ± b the forces of elements e
/// on `vertex` from the tensile and compressive parts of their stress, and f± their sums. [OH99]
Matrix3 separation_tensor(const FractureTopology& topology, int vertex, std::span<const RestElement> rest,
                          std::span<const Vector6> stresses, std::span<const Matrix3> rotations);
/// A(n) = ½ Σ V |R b · n| (m²), a third of the star's area projected along n: in uniform uniaxial tension σ along n
/// the largest eigenvalue of ς is σ A(n), exactly, at every vertex that carries no load.
double separation_area(const FractureTopology& topology, int vertex, const Vector3& normal,
                       std::span<const RestElement> rest, std::span<const Matrix3> rotations);
/// Vertices whose λ_max(ς)/A(n), n its eigenvector, exceeds the threshold (Pa), so that both criteria take the
/// same parameter. [OH99] compare the eigenvalue itself, a force, with a toughness.
std::vector<VertexPeak> separation_peaks(const FractureTopology& topology, std::span<const RestElement> rest,
                                         std::span<const Vector6> stresses, std::span<const Matrix3> rotations,
                                         double threshold);

struct FractureStep {
  std::vector<VertexSplit> splits;  ///< in the order in which they happened
  /// vertex_split and split_refused (code: the vertex), splits_limited (code: how many wait)
  std::vector<SimulationEvent> events;
};

/// Keeps the random stream and refused requests between steps.
class FractureRule {
 public:
  /// InputError when fewer than one split per step is allowed.
  FractureRule(int splits_per_step, std::uint64_t seed);

  /// [MG04] §4 for elements above the threshold, in any order. `positions` as FractureTopology::split takes them.
  FractureStep split_elements(FractureTopology& topology, std::vector<StressPeak> peaks,
                              const Eigen::Ref<const Points>& positions);
  /// The same, calling `peak_of` only for elements whose turn comes; an element without a peak does not split.
  FractureStep split_elements(FractureTopology& topology, std::vector<StressedElement> stressed,
                              const std::function<std::optional<StressPeak>(int element)>& peak_of,
                              const Eigen::Ref<const Points>& positions);
  /// [OH99] for vertices above the threshold, in any order.
  FractureStep split_vertices(FractureTopology& topology, std::vector<VertexPeak> peaks,
                              const Eigen::Ref<const Points>& positions);

 private:
  using Request = std::pair<int, int>;  ///< element (−1: none) and vertex
  bool try_split(FractureTopology& topology, int element, int vertex, double stress, const Vector3& normal,
                 const Eigen::Ref<const Points>& positions, FractureStep& step);
  template <class Candidate, class Resolve>
  FractureStep split_stressed(FractureTopology& topology, std::vector<Candidate> heap, const Resolve& resolve,
                              const Eigen::Ref<const Points>& positions);
  void begin(const FractureTopology& topology);
  void end();
  bool touched(int element) const { return touched_[std::size_t(element)] == stamp_; }

  int limit_;
  numerics::RandomStream random_;
  std::vector<Request> refused_before_, refused_now_;
  std::vector<std::int64_t> touched_;  ///< one per element: stamp of the last step that touched it
  std::int64_t stamp_ = 0;
};

}  // namespace deformbench::fem
