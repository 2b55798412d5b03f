// SPDX-License-Identifier: BSD-3-Clause
// Optional interfaces of a Simulation or of its parts, found by find_facet: quantities that only the method can
// compute. The harness measures everything else (kinetic energy, momenta, volume, …), in the same way for every
// method. Facets that take positions evaluate the method's model there and leave the simulation's state unchanged.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "methods/iteration_log.hpp"
#include "methods/method.hpp"

namespace deformbench {

/// The facet of the simulation, or of the first of its parts that has it; null if none has.
template <class Facet>
const Facet* find_facet(const Simulation& simulation) {
  if (const auto* own = dynamic_cast<const Facet*>(&simulation)) return own;
  for (const SimulationPart* part : simulation.parts())
    if (const auto* facet = dynamic_cast<const Facet*>(part)) return facet;
  return nullptr;
}
/// The same for a simulation known to have the facet. Throws std::bad_cast otherwise.
template <class Facet>
const Facet& facet_of(const Simulation& simulation) {
  if (const Facet* facet = find_facet<Facet>(simulation)) return *facet;
  throw std::bad_cast();
}

/// Elastic energy and forces at given positions (n×3, m).
class ElasticityFacet {
 public:
  virtual ~ElasticityFacet() = default;
  /// J; for polar warping, Ψ = Σ V [μ‖S−I‖² + λ/2 tr²(S−I)]: forces are then exactly −∂Ψ/∂x.
  virtual double elastic_energy(const Eigen::Ref<const Points>& positions) const = 0;
  /// Force ON every vertex, also if prescribed (N, n×3), e.g. −(K'x + f0').
  virtual Points elastic_forces(const Eigen::Ref<const Points>& positions) const = 0;
};

/// Rotations that the method extracts (3×3 each, one per element; for vertex warping one per vertex).
class RotationFacet {
 public:
  virtual ~RotationFacet() = default;
  virtual std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& positions) const = 0;
};

/// F (3×3 per element), computed with the same arithmetic as the forces.
class DeformationGradientFacet {
 public:
  virtual ~DeformationGradientFacet() = default;
  virtual std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const = 0;
};

/// Cauchy-like stress per element in the element frame (Pa, xx yy zz xy yz zx), as the method computes it.
class StressFacet {
 public:
  virtual ~StressFacet() = default;
  virtual std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& positions) const = 0;
};

/// Plastic strain stored per element, and the elements that a heat source has reached.
class PlasticStrainFacet {
 public:
  virtual ~PlasticStrainFacet() = default;
  /// One per element, element frame, tensor components xx yy zz xy yz zx (an engineering shear is twice the entry).
  virtual std::vector<Vector6> plastic_strains() const = 0;
  /// Per element: 1 while a heat source sets its parameters, else 0. Empty without heat sources.
  virtual std::span<const std::uint8_t> heated() const = 0;
};

/// A mesh whose vertices split while the simulation runs. Elements and old vertices keep their index; new vertices
/// are appended. StateView and all facets refer to the current vertices.
class TopologyFacet {
 public:
  virtual ~TopologyFacet() = default;
  /// The scene as given, with its mesh, prescribed vertices and loads brought up to date.
  virtual const Scene& current_scene() const = 0;
  /// Per current vertex: its ancestor in the initial mesh.
  virtual std::span<const int> parents() const = 0;
  /// Grows whenever a vertex splits.
  virtual std::int64_t topology_version() const = 0;
};

/// What happened in the last step: vertex splits, refused splits, …
struct SimulationEvent {
  std::string kind;    ///< snake_case
  std::int64_t code;   ///< vertex, element or count, by kind
  std::string detail;  ///< one line
};
class EventsFacet {
 public:
  virtual ~EventsFacet() = default;
  virtual std::span<const SimulationEvent> step_events() const = 0;
};

/// A method-specific array, row-major: in `integers` if `is_integer`, else in `reals`.
struct MethodArray {
  std::string name;                ///< snake_case
  std::string unit;                ///< SI symbol, "1" if dimensionless
  std::string quantity;            ///< "position", "weight", "index", …
  std::string description;         ///< one sentence
  std::vector<std::size_t> shape;  ///< may change from step to step
  std::vector<double> reals = {};
  std::vector<int> integers = {};
  bool is_integer = false;
};
/// Method-specific arrays of varying size: pairs of nodes, crack fronts, surfels. Frames store those named in the
/// declaration (`arrays` of the clock `frame`).
class ArraysFacet {
 public:
  virtual ~ArraysFacet() = default;
  virtual std::vector<std::string> array_names() const = 0;
  /// Current values of one of array_names().
  virtual MethodArray array(const std::string& name) const = 0;
};

/// Number of contacts in the last step.
class ContactFacet {
 public:
  virtual ~ContactFacet() = default;
  struct Contacts {
    int with_bodies = 0;  ///< vertices against planes and rigid bodies
    int with_itself = 0;  ///< vertices against triangles of the same mesh
    int corners = 0;      ///< corners of rigid bodies against triangles
  };
  virtual Contacts step_contacts() const = 0;
};

/// The matrix of the step's linear system.
class SystemOperatorFacet {
 public:
  virtual ~SystemOperatorFacet() = default;
  /// A at `positions` (implicit: M + Δt C + Δt² K'), without prescribed rows and columns (kg).
  virtual Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& positions) const = 0;
  /// K' at `positions` of the whole mesh, nothing removed (3n×3n, N/m).
  virtual Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& positions) const = 0;
  /// max_i Σ_{e∋i} λ_max(K_e) (N/m) ≥ λ_max(K') at rest (element-warped: always).
  virtual double stiffness_bound() const = 0;
};

/// The matrix used by the step itself; assembled only on request.
class StepMatrixFacet {
 public:
  virtual ~StepMatrixFacet() = default;
  /// Matrix A of the last step's linear system, for all vertices in mesh order (3n×3n, kg), before the rows and
  /// columns of prescribed vertices are removed. 0×0 before the first step and after a split.
  virtual Eigen::SparseMatrix<double> solved_matrix() const = 0;
};

/// Stored form of the linear elastic elements; gathered only on request.
class StoredStiffnessFacet {
 public:
  virtual ~StoredStiffnessFacet() = default;
  /// Data stored per element between steps, equivalent to K_e = V BᵀEB: with c = Δt (Δt + β) the vectors
  /// B_a = √(cμV) ∇N_a of corners 1 to 3 (9 numbers), √(cμV) (3λ/μ + 2), and λ/μ.
  /// Then c K_ab = (λ/μ) B_a B_bᵀ + B_b B_aᵀ + (B_a·B_b) I.
  using StoredStiffness = std::array<double, 11>;
  /// One per element; empty if the method stores only its matrix.
  virtual std::vector<StoredStiffness> stored_stiffness() const = 0;
};

/// Wall time of the phases of the last step; only filled when RunContext::time_phases is set.
class PhaseTimesFacet {
 public:
  virtual ~PhaseTimesFacet() = default;
  virtual std::span<const std::string> phase_names() const = 0;
  virtual std::span<const double> phase_seconds() const = 0;  ///< same order as the names
};

/// A simulation whose steps iterate and can be observed. Implemented by the simulation itself, never by a part.
class IterationFacet {
 public:
  virtual ~IterationFacet() = default;
  /// Whether a step of this simulation iterates; if not, why.
  virtual Support iterates() const = 0;
  /// Whether the iterations of every step report the quantity; if not, why.
  virtual Support iterations_have(IterationQuantity quantity) const = 0;
  /// Subsequent steps append their iterations to `log`; null (the default) turns observation off, at no cost.
  /// Observation leaves the state bit-identical.
  virtual void watch_iterations(IterationLog* log) = 0;
};

}  // namespace deformbench
