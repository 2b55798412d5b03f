// SPDX-License-Identifier: BSD-3-Clause
// The step's matrix A and the stiffness K': condition, rigorous bound, null space, symmetry, frequencies. [MG04] §2.3
// claims that the condition of A changes by at most 25 % with the rotations; the closed form `condition_number_bound`
// is independent of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/spectrum.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/dense_algebra.hpp"

namespace deformbench::harness {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr Eigen::Index kLargestDense = 2400;  // rows; eigenvalues at this size take a few seconds
constexpr int kFrequencies = 6;
constexpr Eigen::Index kLargestStored = 120;  // vertices; one stored row then takes one megabyte

/// Rows and columns of the free vertices.
Sparse reduced(const Sparse& full, const std::vector<bool>& is_free) {
  std::vector<int> number(is_free.size(), -1);
  int free_count = 0;
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i]) number[i] = free_count++;
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index column = 0; column < full.outerSize(); ++column) {
    const int j = number[std::size_t(column / 3)];
    if (j < 0) continue;
    for (Sparse::InnerIterator entry(full, column); entry; ++entry) {
      const int i = number[std::size_t(entry.row() / 3)];
      if (i >= 0) entries.emplace_back(3 * i + int(entry.row() % 3), 3 * j + int(column % 3), entry.value());
    }
  }
  Sparse result(3 * free_count, 3 * free_count);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Lumped masses of the free degrees of freedom, each three times.
Eigen::VectorXd reduced_masses(const Eigen::VectorXd& masses, const std::vector<bool>& is_free) {
  std::vector<double> values;
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i]) values.insert(values.end(), 3, masses[Eigen::Index(i)]);
  return Eigen::Map<Eigen::VectorXd>(values.data(), Eigen::Index(values.size()));
}

double largest_row_sum(const Sparse& matrix) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(matrix.rows());
  for (Eigen::Index k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator entry(matrix, k); entry; ++entry) sums[entry.row()] += std::abs(entry.value());
  return sums.size() > 0 ? sums.maxCoeff() : 0.0;
}

const std::vector<ChannelSpec>& condition_specs() {
  static const std::vector<ChannelSpec> specs = [] {
    std::vector<ChannelSpec> list{
        {"condition_number", "1", "condition number", "λ_max/λ_min of the step's matrix A, free vertices only."},
        {"lambda_min", "kg", "eigenvalue", "Smallest eigenvalue of A (singular value, if A is not symmetric)."},
        {"lambda_max", "kg", "eigenvalue", "Largest eigenvalue of A (singular value, if A is not symmetric)."},
        {"operator_converged", "1", "flag", "1 when both ends of the spectrum converged to 1e-10, else 0."},
        {"lambda_max_bound", "kg", "eigenvalue",
         "Bound on λ_max that holds at every pose: m_max + Δt² max_i Σ λ_max(K_e) + |A − M − Δt²K'|_∞."},
        {"condition_bound", "1", "condition number", "lambda_max_bound over the smallest free mass."}};
    for (auto& spec : list) spec.source = "harness";
    return list;
  }();
  return specs;
}

/// All six channels in one probe: they share the factorisation.
class ConditionProbe : public Probe {
 public:
  explicit ConditionProbe(const Scene& scene) : is_free_(free_vertices(scene)) {}

  std::vector<ChannelSpec> channels() const override { return condition_specs(); }

  void measure(const ProbeInput& input, std::span<double> row) override {
    const auto& facet = facet_of<SystemOperatorFacet>(input);
    const Sparse system = facet.system_matrix(input.positions);
    const Spectrum spectrum = extreme_values(system);

    const Eigen::VectorXd masses = reduced_masses(input.masses, is_free_);
    const double dt_squared = input.scene.time_step * input.scene.time_step;
    // Damping is A − M − Δt²K'. Its ∞-norm bounds its largest eigenvalue, and its eigenvalues are not negative, so
    // λ_min(A) ≥ m_min still holds.
    Sparse damping = system - dt_squared * reduced(facet.stiffness_matrix(input.positions), is_free_);
    damping -= Sparse(masses.asDiagonal());
    const double bound = masses.maxCoeff() + dt_squared * facet.stiffness_bound() + largest_row_sum(damping);

    row[0] = spectrum.largest / spectrum.smallest;
    row[1] = spectrum.smallest;
    row[2] = spectrum.largest;
    row[3] = spectrum.converged ? 1.0 : 0.0;
    row[4] = bound;
    row[5] = bound / masses.minCoeff();
  }

 private:
  std::vector<bool> is_free_;
};

double zero_modes(const ProbeInput& input) {
  const Sparse stiffness = facet_of<SystemOperatorFacet>(input).stiffness_matrix(input.positions);
  const Eigen::MatrixXd dense(stiffness);
  const Eigen::VectorXd values = numerics::symmetric_eigenvalues(0.5 * (dense + dense.transpose())).cwiseAbs();
  if (values.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  return double((values.array() < 1e-10 * values.maxCoeff()).count());
}

ChannelEntry zero_modes_channel() {
  ChannelEntry entry;
  entry.spec = {"stiffness_zero_modes", "1", "count",
                "Eigenvalues of K' of the whole mesh below 1e-10 of the largest (dense; small meshes)."};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    if (3 * scene.vertex_count() > kLargestDense)
      throw InputError(fmt::format("channel '{}': the mesh has {} vertices, expected at most {} (dense eigenvalues)",
                                   s.name, scene.vertex_count(), kLargestDense / 3));
    return function_probe(s, [](const ProbeInput& input, std::span<double> row) { row[0] = zero_modes(input); });
  };
  return entry;
}

ChannelEntry spectrum_channel() {
  ChannelEntry entry;
  entry.spec = {
      "system_spectrum", "kg", "eigenvalue",
      "Of the step's matrix A, free vertices only: smallest and largest eigenvalue, least and largest |λ|, and the "
      "number of negative ones (dense; small meshes)."};
  entry.spec.row_shape = {5};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    if (3 * scene.vertex_count() > kLargestDense)
      throw InputError(fmt::format("channel '{}': the mesh has {} vertices, expected at most {} (dense eigenvalues)",
                                   s.name, scene.vertex_count(), kLargestDense / 3));
    return function_probe(s, [](const ProbeInput& input, std::span<double> row) {
      const Sparse system = facet_of<SystemOperatorFacet>(input).system_matrix(input.positions);
      const Eigen::ArrayXd values = numerics::symmetric_eigenvalues(Eigen::MatrixXd(system)).array();
      const bool is_known = values.size() > 0 && asymmetry(system) < 1e-10;
      const double none = std::numeric_limits<double>::quiet_NaN();
      row[0] = is_known ? values.minCoeff() : none;
      row[1] = is_known ? values.maxCoeff() : none;
      row[2] = is_known ? values.abs().minCoeff() : none;
      row[3] = is_known ? values.abs().maxCoeff() : none;
      row[4] = is_known ? double((values < 0.0).count()) : none;
    });
  };
  return entry;
}

ChannelEntry frequencies_channel() {
  ChannelEntry entry;
  entry.spec = {"natural_frequencies", "Hz", "frequency",
                "Six lowest frequencies of K'φ = ω²Mφ, free vertices only; NaN unless the body is held."};
  entry.spec.row_shape = {kFrequencies};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(s, [is_free = free_vertices(scene)](const ProbeInput& input, std::span<double> row) {
      const Sparse stiffness = reduced(facet_of<SystemOperatorFacet>(input).stiffness_matrix(input.positions), is_free);
      const Eigen::VectorXd squares =
          smallest_generalised(stiffness, reduced_masses(input.masses, is_free), kFrequencies);
      for (int k = 0; k < kFrequencies; ++k) row[std::size_t(k)] = std::sqrt(squares[k]) / (2.0 * std::numbers::pi);
    });
  };
  return entry;
}

ChannelEntry solved_matrix_channel() {
  ChannelEntry entry;
  entry.spec = {
      "solved_matrix", "kg", "matrix",
      "The matrix that the last step solved with, all vertices, 3n rows of 3n numbers (small meshes); NaN before the "
      "first step."};
  entry.spec.row_shape = {0, 0};
  entry.rows = ChannelRows::Vertices;
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    if (scene.vertex_count() > kLargestStored)
      throw InputError(fmt::format("channel '{}': the mesh has {} vertices, expected at most {}", s.name,
                                   scene.vertex_count(), kLargestStored));
    ChannelSpec sized = s;
    sized.row_shape = {std::size_t(3 * scene.vertex_count()), std::size_t(3 * scene.vertex_count())};
    return function_probe(sized, [](const ProbeInput& input, std::span<double> row) {
      const Sparse matrix = facet_of<StepMatrixFacet>(input).solved_matrix();
      const bool is_there = std::size_t(matrix.rows() * matrix.cols()) == row.size();
      std::fill(row.begin(), row.end(), is_there ? 0.0 : std::numeric_limits<double>::quiet_NaN());
      if (!is_there) return;
      for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
        for (Sparse::InnerIterator it(matrix, column); it; ++it)
          row[std::size_t(it.row() * matrix.cols() + column)] = it.value();
    });
  };
  return from_facet<StepMatrixFacet>(std::move(entry), "StepMatrixFacet");
}

ChannelEntry stored_stiffness_channel() {
  return from_facet<StoredStiffnessFacet>(
      field_channel(
          {"element_stored_stiffness", "1", "matrix",
           "What is stored of every element's stiffness: √(cμV) ∇N of corners 1 to 3, √(cμV) (3λ/μ + 2), λ/μ; "
           "c = Δt (Δt + β). NaN where nothing is."},
          ChannelRows::Elements, {11},
          [](const ProbeInput& input, std::span<double> row) {
            std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
            auto out = row.begin();
            for (const auto& stored : facet_of<StoredStiffnessFacet>(input).stored_stiffness())
              out = std::copy(stored.begin(), stored.end(), out);
          }),
      "StoredStiffnessFacet");
}

}  // namespace

std::vector<ChannelEntry> operator_channels() {
  std::vector<ChannelEntry> entries;
  for (const auto& spec : condition_specs()) {
    ChannelEntry entry;
    entry.spec = spec;
    entry.make = [](const ChannelSpec&, const Scene& scene, const Simulation&) {
      return std::make_unique<ConditionProbe>(scene);
    };
    entries.push_back(std::move(entry));
  }
  entries.push_back(spectrum_channel());
  entries.push_back(zero_modes_channel());
  entries.push_back(
      scalar_channel({"stiffness_asymmetry", "1", "relative error", "max|K' − K'ᵀ| / max|K'| of the whole mesh."},
                     [](const ProbeInput& input) {
                       return asymmetry(facet_of<SystemOperatorFacet>(input).stiffness_matrix(input.positions));
                     }));
  entries.push_back(frequencies_channel());
  for (auto& entry : entries) {
    entry = from_facet<SystemOperatorFacet>(std::move(entry), "SystemOperatorFacet");
    entry.spec.source = "harness";  // the matrix comes from the method, the numbers from the harness
  }
  entries.push_back(solved_matrix_channel());
  entries.push_back(stored_stiffness_channel());
  return entries;
}

}  // namespace deformbench::harness
