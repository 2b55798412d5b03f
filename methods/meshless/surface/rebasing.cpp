// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/rebasing.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kLeastElasticStretch = 0.1;  // and its inverse the largest: beyond, a node has collapsed
constexpr double kEye = 1e-6;                 // relative to the smallest support

}  // namespace

Matrix3 rebased_metric(const Matrix3& gradient, const Matrix3& projection, int rank, const Matrix3& metric,
                       bool& is_cut) {
  is_cut = false;
  if (rank < 2) return Matrix3::Identity();
  Matrix3 f = gradient;
  if (rank == 2) {
    const Matrix3 axes = numerics::symmetric_eigen(projection).vectors;  // normal of the plane first
    const Vector3 across = (f * axes.col(1)).cross(f * axes.col(2));
    if (!(across.norm() > 0.0)) return Matrix3::Identity();
    f += across.normalized() * axes.col(0).transpose();
  }
  numerics::SymmetricEigen3 elastic = numerics::symmetric_eigen(f * metric.inverse() * f.transpose());
  for (int k = 0; k < 3; ++k) {
    const double value = std::clamp(elastic.values[k], kLeastElasticStretch * kLeastElasticStretch,
                                    1.0 / kLeastElasticStretch / kLeastElasticStretch);
    is_cut = is_cut || value != elastic.values[k];
    elastic.values[k] = value;
  }
  return elastic.vectors * elastic.values.cwiseInverse().asDiagonal() * elastic.vectors.transpose();
}

int rebase(NodeCloud& cloud, const MlsElasticity& elasticity, const Points& x, std::span<PlasticStretch> plastic,
           const PartedPairs& parted, std::span<const double> largest) {
  int cut = 0;
  for (std::size_t i = 0; i < plastic.size(); ++i) {
    bool is_cut = false;
    const Matrix3 f = elasticity.deformation_gradient(Eigen::Index(i), x);
    plastic[i].metric = rebased_metric(f, cloud.projections[i], cloud.ranks[i], plastic[i].metric, is_cut);
    const double stretch = std::sqrt(numerics::symmetric_eigen(f.transpose() * f).values[2]);
    if (!largest.empty()) cloud.supports[i] = std::clamp(cloud.supports[i] * stretch, cloud.supports[i], largest[i]);
    plastic[i].since_base = 0.0;
    cut += is_cut ? 1 : 0;
  }
  cloud.rest = x;
  connect(cloud, &parted);
  return cut;
}

ReferenceMap::ReferenceMap(const NodeCloud& before, const WeightRule& rule, const CrackGeometry& cracks, Points u,
                           std::vector<Matrix3> gradients)
    : motion_(before.rest, before.supports, rule),
      cracks_(cracks),
      u_(std::move(u)),
      gradients_(std::move(gradients)),
      eye_(kEye * *std::min_element(before.supports.begin(), before.supports.end())) {}

std::size_t ReferenceMap::Hash::operator()(const Vector3& x) const {
  std::size_t hash = 0;
  for (int c = 0; c < 3; ++c) hash = hash * 1000003 + std::hash<double>()(x[c]);
  return hash;
}

Vector3 ReferenceMap::place(const Vector3& x) const {
  return x + motion_.displacement_at(x, Vector3::Zero(), &cracks_, u_, gradients_);
}

Vector3 ReferenceMap::place_between(const Vector3& x, const Vector3& normal) {
  if (const auto known = places_.find(x); known != places_.end()) return known->second;
  Vector3 mean = Vector3::Zero();
  for (const double side : {-1.0, 1.0})
    mean += 0.5 * motion_.displacement_at(x, side * eye_ * normal, &cracks_, u_, gradients_);
  return places_[x] = x + mean;
}

Matrix3 ReferenceMap::gradient(const Vector3& x) const {
  return motion_.gradient_at(x, &cracks_, gradients_);
}

void ReferenceMap::set_place(const Vector3& x, const Vector3& place) {
  places_[x] = place;
}

model::TriangleMesh refined(model::TriangleMesh mesh, double longest) {
  constexpr int kMostRounds = 8;  // 65536 triangles from one
  for (int round = 0; round < kMostRounds; ++round) {
    double most = 0.0;
    for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t)
      for (int k = 0; k < 3; ++k)
        most = std::max(
            most,
            (mesh.positions.row(mesh.triangles(t, k)) - mesh.positions.row(mesh.triangles(t, (k + 1) % 3))).norm());
    if (!(most > longest)) break;
    std::map<std::pair<int, int>, int> middles;
    std::vector<Vector3> added;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, int(mesh.positions.rows()) + int(added.size()));
      if (is_new) added.push_back(0.5 * (mesh.positions.row(a) + mesh.positions.row(b)));
      return entry->second;
    };
    Triangles finer(4 * mesh.triangles.rows(), 3);
    for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
      const int a = mesh.triangles(t, 0), b = mesh.triangles(t, 1), c = mesh.triangles(t, 2);
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.middleRows(4 * t, 4) << a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca;
    }
    const Eigen::Index before = mesh.positions.rows();
    mesh.positions.conservativeResize(before + Eigen::Index(added.size()), 3);
    for (std::size_t k = 0; k < added.size(); ++k) mesh.positions.row(before + Eigen::Index(k)) = added[k].transpose();
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

}  // namespace deformbench::meshless
