// SPDX-License-Identifier: BSD-3-Clause
// Elements of any isotropic energy density Ψ(F), several per register: energy, forces −V P ∇N_a with P = ∂Ψ/∂F, and
// the Hessian by the eigen-structure of ∂²Ψ/∂F² (principal_hessian.hpp). Code that depends on the law is in
// hyperelastic_law.hpp; storage, gather and facets are here. Gradients are unscaled: F is the deformation gradient.
// Forces and blocks are gathered per node and per edge from element results, as in warped_assembly.cpp; rows of the
// Hessian sum to zero, so its diagonal is never formed. On one thread, the blocks of an edge are gathered as soon as
// all its elements are done, and the buffer is reused, so it stays in cache; one for all elements (448 bytes each)
// would not. At 20,000 elements this halves the assembly time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/fem/elasticity/breaking_stress.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

class Hyperelasticity : public NonlinearElasticity<double>, public BreakingStress, public DeformationGradientFacet {
 public:
  /// `body` must outlive the part. `fracture_threshold`: Pa, for `suspects`.
  Hyperelasticity(Body<double>& body, std::optional<double> fracture_threshold);

  double energy(const double* x) override;
  double energy_scale() const override;  ///< Σ V (λ + 2μ)
  double stable_time_step() const override;
  void forces(const double* x, double* f) override;
  void assemble_hessian(const double* x, double c, const HessianForm& form, LinearSystem<double>& system,
                        double* f) override;
  int selected_elements(const std::vector<char>& nodes) const override;
  /// `a` = c ∂²E/∂x², its weights untouched; also f(x), unless null.
  void write_hessian(const double* x, double c, const HessianForm& form, numerics::UpperBlockMatrix<double>& a,
                     double* f);
  void follow(const GraphChange& change) override;
  /// Stiffness at rest relative to linear elasticity with the same λ, μ.
  virtual double rest_stiffness() const = 0;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const override;
  /// Cauchy stress, rotated back by the rotation of F; Biot stress where det F < 1e-9.
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& positions) const override;
  Eigen::SparseMatrix<double> hessian(const Eigen::Ref<const Points>& positions,
                                      const HessianForm& form) const override;
  double stiffness_bound() const override;

  std::vector<Suspect> suspects() override;
  Matrix3 breaking_rotation(int element) const override;
  Vector6 breaking_stress(int element, const Matrix3& rotation) const override;

 protected:
  /// Numbers per slot in `blocks`: the six blocks K_ab of corners a < b, 01 02 03 12 13 23, as put_block writes them,
  /// and two of padding.
  static constexpr std::size_t kBlockStride = 56;
  /// Per slot: stress in the element's frame (xx yy zz xy yz zx), its largest principal value, a zero.
  static constexpr std::size_t kStressStride = 8;

  /// Output of a pass over the elements. Facets use a fresh one per call: measuring changes no bit of a run, and
  /// results do not depend on earlier calls.
  struct Pass {
    numerics::AlignedVector<double> quaternions;    ///< [batch][wxyz][lane]: warm start of R
    numerics::AlignedVector<double> corner_forces;  ///< [slot][corner][xyz], N
    double* sums = nullptr;                         ///< if given, force_batches adds here [node][xyz0], N, instead
    numerics::AlignedVector<double> blocks;         ///< [batch & last][lane][kBlockStride], N/m
    numerics::AlignedVector<float> single_quaternions, single_blocks;  ///< the same of lane_count<float> lanes
    std::size_t last = 0;                      ///< mask of batch indices in the blocks: 2^k − 1
    numerics::AlignedVector<double> stresses;  ///< [slot][kStressStride], Pa
  };

  virtual double energy_of_batches(const double* x, int low, int high, Pass& pass) const = 0;
  virtual void force_batches(const double* x, int low, int high, Pass& pass) const = 0;
  virtual void hessian_batches(const double* x, int low, int high, const HessianForm& form, bool with_forces,
                               Pass& pass) const = 0;
  /// Batches of lane_count<float> elements; no forces.
  virtual void single_hessian_batches(const double* x, int low, int high, const HessianForm& form,
                                      Pass& pass) const = 0;
  virtual void stress_batches(const double* x, int low, int high, Pass& pass) const = 0;

  int batches_ = 0;
  std::vector<unsigned> corners_;  ///< 4 per slot: offset of the node in x; padded to whole batches of any precision
  numerics::AlignedVector<double> gradients_;             ///< [batch][corner 1…3 × xyz][lane]: ∇N_a, 1/m
  numerics::AlignedVector<double> lambda_, mu_, volume_;  ///< [slot]: λV, μV (J; zero in padding), V (m³)

 private:
  Pass fresh_pass() const;
  /// Schedule and addresses for gathering the blocks of edges from batches of `lanes` elements.
  struct Gather {
    std::vector<unsigned> at;   ///< as MeshGraph::edge_places: 2·(offset in blocks) + (1 if transposed)
    std::vector<int> complete;  ///< per round: number of leading edges whose elements are all done by its end
    int batches = 0;
    std::size_t last = 0;  ///< of Pass
  };
  static constexpr int kRound = 8;  ///< batches between gathers
  Gather plan_gather(int lanes) const;
  template <class T>
  static void reserve_blocks(const Gather& gather, Pass& pass);
  void read_topology();
  /// All forces on one thread, summed directly.
  void add_forces(const double* x, Pass& pass, double* f) const;
  template <class Work>
  void each_batch(int batches, Work&& work) const;
  /// c times the sums of the blocks of all edges; `batches(low, high)` writes the blocks of these batches.
  template <class T, class Batches>
  void sum_blocks(const Gather& gather, const numerics::AlignedVector<T>& blocks, double c,
                  numerics::UpperBlockMatrix<double>& a, Batches&& batches) const;
  numerics::AlignedVector<double> in_graph_order(const Eigen::Ref<const Points>& positions) const;

  Body<double>& body_;
  std::optional<double> threshold_;
  Pass pass_;
  std::vector<int> slot_of_;       ///< of each element
  Gather gather_, single_gather_;  ///< the second is empty until it is needed
};

/// The part for the law of this name; InputError if there is none.
std::unique_ptr<Hyperelasticity> make_hyperelasticity(const std::string& law, Body<double>& body,
                                                      std::optional<double> fracture_threshold);
/// Names of the laws, in the order of methods/fem/nonlinear/CMakeLists.txt.
std::vector<std::string> law_names();

}  // namespace deformbench::fem
