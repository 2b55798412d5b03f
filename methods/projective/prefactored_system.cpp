// SPDX-License-Identifier: BSD-3-Clause
#include "methods/projective/prefactored_system.hpp"

#include <cmath>

#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/model/tet_mesh.hpp"

namespace deformbench::projective {
namespace {

Eigen::SparseMatrix<double> matrix_of(const fem::Body<double>& body, double inertia, MatrixStiffness stiffness,
                                      double scale) {
  const fem::MeshGraph& graph = body.graph;
  const int n = graph.node_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, inertia * body.state.masses[std::size_t(i)]);
  for (int slot = 0; slot < graph.element_count(); ++slot) {
    const int element = graph.element_of[std::size_t(slot)];
    const fem::RestElement rest = fem::rest_element(body.scene.tet_mesh, element);
    const double weight = scale * rest.volume * stiffness_of(body.scene.material_of(element), stiffness);
    const Eigen::Matrix4d block = weight * rest.gradients.transpose() * rest.gradients;
    const int* corners = graph.corners.data() + 4 * std::size_t(slot);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) entries.emplace_back(corners[a], corners[b], block(a, b));
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

double stiffness_of(const model::Material& material, MatrixStiffness stiffness) {
  const double share = stiffness == MatrixStiffness::Shear ? 0.0 : stiffness == MatrixStiffness::Sum ? 1.0 : 3.0;
  return 2.0 * material.lame_mu() + share * material.lame_lambda();
}

PrefactoredSystem::PrefactoredSystem(const fem::Body<double>& body, double inertia, MatrixStiffness stiffness,
                                     double scale)
    : body_(body), matrix_(matrix_of(body, inertia, stiffness, scale)) {
  const fem::BodyState<double>& state = body.state;
  const std::size_t n = state.masses.size();
  for (std::size_t c = 0; c < 3; ++c) {
    Axis& axis = axes_[c];
    std::vector<char> is_held(n, 0);
    state.each_prescribed([&](std::size_t, std::size_t node, std::size_t of) {
      if (of == c) is_held[node] = 1;
    });
    std::vector<int> row_of(n, -1);
    for (std::size_t i = 0; i < n; ++i)
      if (!is_held[i]) row_of[i] = int(axis.nodes.size()), axis.nodes.push_back(int(i));
    for (std::size_t other = 0; other < c && !axis.factors; ++other)
      if (axes_[other].nodes == axis.nodes) axis.factors = axes_[other].factors;
    if (axis.factors || axis.nodes.empty()) continue;
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < matrix_.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix_, column); entry; ++entry)
        if (row_of[std::size_t(entry.row())] >= 0 && row_of[std::size_t(column)] >= 0)
          entries.emplace_back(row_of[std::size_t(entry.row())], row_of[std::size_t(column)], entry.value());
    Eigen::SparseMatrix<double> free(Eigen::Index(axis.nodes.size()), Eigen::Index(axis.nodes.size()));
    free.setFromTriplets(entries.begin(), entries.end());
    axis.factors = std::make_shared<numerics::DirectSolver>(numerics::DirectSolver::Kind::SymmetricPositiveDefinite);
    is_regular_ = axis.factors->factorise(free) && is_regular_;
  }
}

void PrefactoredSystem::solve(const Vector& b, Vector& x) const {
  x.assign(b.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c) {
    const Axis& axis = axes_[c];
    if (axis.nodes.empty()) continue;
    Eigen::VectorXd right(Eigen::Index(axis.nodes.size()));
    for (Eigen::Index k = 0; k < right.size(); ++k) right[k] = b[4 * std::size_t(axis.nodes[std::size_t(k)]) + c];
    const Eigen::VectorXd solution = axis.factors->solve(right);
    for (Eigen::Index k = 0; k < right.size(); ++k) x[4 * std::size_t(axis.nodes[std::size_t(k)]) + c] = solution[k];
  }
}

void PrefactoredSystem::product(const Vector& x, Vector& y) const {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>;
  const Eigen::Map<const Rows> from(x.data(), matrix_.rows(), 4);
  y.resize(x.size());
  Eigen::Map<Rows>(y.data(), matrix_.rows(), 4).noalias() = matrix_ * from;
}

int PrefactoredSystem::solve(const Vector& b, const std::vector<fem::NodeBlock>& blocks, Vector& x) const {
  const auto dot = [](const Vector& u, const Vector& v) {
    double sum = 0.0;
    for (std::size_t n = 0; n < u.size(); ++n) sum += u[n] * v[n];
    return sum;
  };
  const auto clear_held = [&](Vector& v) {
    body_.state.each_prescribed([&](std::size_t, std::size_t node, std::size_t c) { v[4 * node + c] = 0.0; });
  };
  constexpr int kMost = 200;
  constexpr double kTolerance = 1e-6;  // of the preconditioned residual; the descent corrects the rest
  Vector residual = b, z, direction, image;
  clear_held(residual);
  solve(residual, z);
  x.assign(b.size(), 0.0);
  direction = z;
  double rz = dot(residual, z);
  const double goal = kTolerance * kTolerance * rz;
  for (int k = 0; k < kMost; ++k) {
    if (!(rz > goal)) return k;
    product(direction, image);
    for (const fem::NodeBlock& added : blocks) {
      const std::size_t at = 4 * std::size_t(added.node);
      Eigen::Map<Vector3>(image.data() + at) += added.block * Eigen::Map<const Vector3>(direction.data() + at);
    }
    clear_held(image);
    const double length = rz / dot(direction, image);
    for (std::size_t n = 0; n < x.size(); ++n) x[n] += length * direction[n], residual[n] -= length * image[n];
    solve(residual, z);
    const double next = dot(residual, z);
    for (std::size_t n = 0; n < x.size(); ++n) direction[n] = z[n] + next / rz * direction[n];
    rz = next;
  }
  return kMost;
}

}  // namespace deformbench::projective
