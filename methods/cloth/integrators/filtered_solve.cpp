// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/integrators/filtered_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deformbench::cloth {
namespace {

constexpr double kRounding = 1e-15;  // of the right side: what is left of it where nothing is free

}  // namespace

Filter::Filter(const Points& is_free, const std::vector<VertexContact>& constrained) : is_free_(is_free) {
  for (const VertexContact& contact : constrained) {
    Vector3 normal = contact.normal;
    for (const Direction& other : directions_)
      if (other.vertex == contact.vertex) normal -= other.normal.dot(normal) * other.normal;
    if (normal.norm() > 1e-6) directions_.push_back({contact.vertex, normal.normalized()});
  }
}

void Filter::apply(Eigen::VectorXd& y) const {
  y.array() *= Eigen::Map<const Eigen::ArrayXd>(is_free_.data(), is_free_.size());
  for (const Direction& direction : directions_) {
    auto part = y.segment<3>(3 * direction.vertex);
    part -= (direction.normal.dot(part) * direction.normal).eval();
  }
}

FilteredResult filtered_solve(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& b, const Filter& filter,
                              double tolerance, int max_iterations, Eigen::VectorXd& v) {
  Eigen::VectorXd scale = b;
  filter.apply(scale);
  Eigen::VectorXd r = b - a * v;
  filter.apply(r);
  const Eigen::VectorXd inverse_diagonal = a.diagonal().cwiseInverse();
  const double size = std::max(scale.norm(), kRounding / tolerance * b.norm()), enough = tolerance * size;
  FilteredResult result;
  double norm = r.norm();
  Eigen::VectorXd z = inverse_diagonal.cwiseProduct(r);
  filter.apply(z);
  Eigen::VectorXd p = z;
  double rz = r.dot(z);
  while (norm > enough && result.iterations < max_iterations) {
    Eigen::VectorXd q = a * p;
    filter.apply(q);
    const double step = rz / p.dot(q);
    v += step * p;
    r -= step * q;
    z = inverse_diagonal.cwiseProduct(r);
    filter.apply(z);
    const double next = r.dot(z);
    p = z + next / rz * p;
    rz = next;
    norm = r.norm();
    ++result.iterations;
  }
  if (!std::isfinite(norm)) v.setConstant(std::numeric_limits<double>::quiet_NaN());  // the step has diverged
  result.residual = size > 0.0 ? norm / size : norm;
  result.converged = std::isfinite(norm) && norm <= enough;
  return result;
}

}  // namespace deformbench::cloth
