// SPDX-License-Identifier: BSD-3-Clause
// Warped stiffness in batches: rotations of all elements, several per register, and the gather of the step's matrix
// ([MG04] eq. 8) from the rotated gradients. No 12×12 matrix is formed: with b'_a = R b_a and c = Δt (Δt + β) the
// block of an edge is c Σ_e V (λ b'_i b'_jᵀ + μ b'_j b'_iᵀ + μ (b_i·b_j) I). Elements keep B_a = √(cμV) b_a, so that
// this is (λ/μ) S + Sᵀ + κ I with S = Σ_e B'_i B'_jᵀ, and κ = Σ_e B_i·B_j does not change under rotation.
//
// Plastic strain and the stress test share the same pass, while F and R are in registers ([MG04] §3, §4).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "methods/fem/body/mesh_graph.hpp"
#include "methods/fem/elasticity/breaking_stress.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/fem/elasticity/plasticity.hpp"
#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/block_matrix.hpp"

namespace deformbench::numerics {
template <class T>
struct Batch;
template <class T>
struct BatchMask;
}  // namespace deformbench::numerics

namespace deformbench::fem {

/// Selects elements that may break: largest principal stress against a threshold.
struct StressTest {
  bool fresh_rotation = false;  ///< with R of these positions; else of the last pass, as printed (B-IVM-3)
  bool elastic_strain = true;   ///< of ε − ε_p; else of ε, as printed (B-IVM-2)
};

template <class T>
class WarpedElements {
 public:
  /// `scale` = c = Δt (Δt + β), s². Keeps a pointer to `graph`, which must outlive it.
  WarpedElements(const Scene& scene, const MeshGraph& graph, RotationRule rule, double scale);

  /// From now on every pass also advances the plastic strains by one step of `time_step` (s).
  void set_plastic_law(const PlasticLaw& law, double time_step);
  void set_plastic_parameters(int element, const PlasticParameters& parameters);
  /// From now on passes can test stresses against `threshold` (Pa).
  void set_fracture_threshold(const Scene& scene, double threshold);

  /// Batches of lane_count<T> elements; the unit of work of `pass`.
  int batch_count() const { return batches_; }
  /// Sets rotations, next plastic strains and their forces at x (4 numbers per node), batches [low, high). With
  /// `test`, which needs an earlier pass, appends to `suspects` the elements whose stress may exceed the threshold:
  /// no false negatives. With RotationKind::Global every element gets `global`.
  void pass(const T* x, int low, int high, const Matrix3& global, const std::optional<StressTest>& test = {},
            std::vector<Suspect>* suspects = nullptr);
  /// The plastic strains of the last pass become current.
  void accept_plastic_strains() { strains_.swap(next_strains_); }
  /// Sets edge blocks of rows [low, high), weights w_i, and g_i = −c (f0' − f_plastic)_i (4 numbers per node):
  /// without plasticity Σ_e c (3λ+2μ) V b'_i.
  void assemble(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a, T* g) const;
  /// Only g, for a constant matrix.
  void gather_forces(int low, int high, T* g) const;

  /// R of the last pass, and of the pass before, which is kept for stress tests only.
  Matrix3 rotation(int element) const;
  Matrix3 previous_rotation(int element) const;
  /// Current; zero without plasticity.
  Vector6 plastic_strain(int element) const;
  /// √(cμV) ∇N_a of corners 1 to 3, √(cμV) (3λ/μ + 2) and λ/μ as stored; not available after `release`.
  std::array<double, 11> stored_stiffness(int element) const;
  bool keeps_stiffness() const { return !gradients_.empty(); }

  /// Call after an element's material has changed in the scene, then `refresh_traces` once after all changes.
  void set_material(int element, const model::Material& material, const RestElement& rest);
  void refresh_traces();
  /// Call after MeshGraph::apply.
  void follow(const GraphChange& change);
  /// Frees what only `pass` and `assemble` need: for a matrix and forces that stay constant.
  void release();

 private:
  template <bool Polar, bool Plastic, bool Tested>
  void pass_batches(const T* x, int low, int high, const Matrix3& global, const std::optional<StressTest>& test,
                    std::vector<Suspect>* suspects);
  void keep_previous(std::size_t first_slot);
  void report_suspects(std::size_t first_slot, const numerics::BatchMask<T>& mask, const numerics::Batch<T> strain[6],
                       std::vector<Suspect>& suspects) const;
  template <bool Uniform>
  void assemble_rows(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a) const;
  void write_slot(std::size_t slot, const model::Material& material, const RestElement& rest);
  /// Includes the copies of the last element that pad its batch.
  template <class Work>
  void for_each_slot_of(int element, Work&& work) {
    const std::size_t slot = std::size_t(slot_of_[std::size_t(element)]);
    const bool last = slot + 1 == slot_of_.size();
    for (std::size_t s = slot; s < (last ? rest_force_.size() : slot + 1); ++s) work(s);
  }
  void set_inverse_roots();
  void read_topology();
  void trace_edge(std::size_t edge);
  Matrix3 rotation_of(std::size_t slot, const numerics::AlignedVector<T>& quaternions,
                      const numerics::AlignedVector<T>& rotated) const;
  bool quaternions_suffice() const {
    return rule_.kind == RotationKind::Identity || (rule_.kind == RotationKind::Polar && !rule_.keep_reflection);
  }

  /// Offsets in rotated_ of the two corners of one of the graph's edge_places.
  struct Pair {
    unsigned i, j;
  };

  const MeshGraph* graph_;
  RotationRule rule_;
  double scale_;
  int batches_ = 0;
  bool uniform_ratio_ = true;  ///< λ/μ the same in all elements
  T ratio_ = T(0);
  std::vector<int> slot_of_;                ///< of each element
  std::vector<unsigned> corners_;           ///< 4 per slot: offset of the node in x; padded to whole batches
  std::vector<Pair> pairs_;                 ///< as edge_places
  numerics::AlignedVector<T> gradients_;    ///< [batch][corner 1…3 × xyz][lane]: √(cμV) b_a
  numerics::AlignedVector<T> quaternions_;  ///< [batch][wxyz][lane]
  numerics::AlignedVector<T> previous_quaternions_,
      previous_rotated_;                   ///< of the pass before; only one is used, by stress tests
  numerics::AlignedVector<T> rotated_;     ///< [slot][corner 0…3][xyz]
  numerics::AlignedVector<T> rest_force_;  ///< [slot]: √(cμV) (3λ/μ + 2)
  numerics::AlignedVector<T> ratios_;      ///< [slot]: λ/μ
  numerics::AlignedVector<T> edge_trace_;  ///< κ of each edge

  bool plastic_ = false, tests_stress_ = false;
  PlasticLaw law_;
  double time_step_ = 0.0, threshold_ = 0.0;
  numerics::AlignedVector<T> inverse_root_;            ///< [slot]: 1/√(cμV)
  numerics::AlignedVector<T> limit_;                   ///< [slot]: threshold/μ
  numerics::AlignedVector<T> yield_, fraction_, max_;  ///< [slot]
  numerics::AlignedVector<T> strains_, next_strains_;  ///< [batch][component][lane]
  numerics::AlignedVector<T> forces_;                  ///< [slot][corner][xyz]: g of each corner
};

extern template class WarpedElements<float>;
extern template class WarpedElements<double>;

}  // namespace deformbench::fem
