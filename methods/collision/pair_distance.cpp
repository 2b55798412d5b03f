// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/pair_distance.hpp"

#include <Eigen/Geometry>

namespace deformbench::collision {
namespace {

/// One barycentric coordinate: the point moves from vertex `from` to vertex `to`; `sign` is −1 on the second primitive.
struct Coordinate {
  std::size_t from, to;
  double sign;
  double slope(std::size_t vertex) const { return vertex == to ? sign : vertex == from ? -sign : 0.0; }
};

/// Those of the closest features, at most two.
std::size_t coordinates(const std::array<double, 4>& weights, std::array<Coordinate, 2>& found) {
  std::size_t count = 0;
  for (const double sign : {1.0, -1.0}) {
    std::size_t first = 4;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!(sign * weights[i] > 0.0)) continue;
      if (first == 4)
        first = i;
      else if (count < 2)
        found[count++] = {first, i, sign};
    }
  }
  return count;
}

template <class Matrix>
void add_block(Matrix& to, std::size_t i, std::size_t j, const Matrix3& block) {
  to.template block<3, 3>(3 * Eigen::Index(i), 3 * Eigen::Index(j)) += block;
}

}  // namespace

double distance_between(const std::array<Vector3, 4>& x, const Closest& closest) {
  std::size_t first = 0, second = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (closest.weights[i] > 0.0) first = i;
    if (closest.weights[i] < 0.0) second = i;
  }
  return closest.direction.dot(x[first] - x[second]);
}

TwiceDerived distance_derivatives(const std::array<Vector3, 4>& x, const Closest& closest) {
  const std::array<double, 4>& w = closest.weights;
  const Vector3& n = closest.direction;
  TwiceDerived of{distance_between(x, closest), Vector12::Zero(), Matrix12::Zero()};
  std::array<Coordinate, 2> along;
  const std::size_t count = coordinates(w, along);
  std::array<Vector3, 2> b, dual;  // columns of B and of E
  for (std::size_t m = 0; m < count; ++m) b[m] = along[m].sign * (x[along[m].to] - x[along[m].from]);
  Matrix3 across = Matrix3::Zero();  // T
  if (count == 0) {
    across = Matrix3::Identity() - n * n.transpose();
  } else if (count == 1) {
    dual[0] = b[0] / b[0].squaredNorm();
    const Vector3 third = b[0].normalized().cross(n);
    across = third * third.transpose();
  } else {
    const Vector3 normal = b[0].cross(b[1]);
    dual[0] = b[1].cross(normal) / normal.squaredNorm();
    dual[1] = normal.cross(b[0]) / normal.squaredNorm();
  }
  for (std::size_t i = 0; i < 4; ++i) {
    of.gradient.segment<3>(3 * Eigen::Index(i)) = w[i] * n;
    for (std::size_t j = 0; j < 4; ++j) {
      Matrix3 block = w[i] * w[j] / of.value * across;
      for (std::size_t m = 0; m < count; ++m) {
        block -=
            w[i] * along[m].slope(j) * dual[m] * n.transpose() + along[m].slope(i) * w[j] * n * dual[m].transpose();
        for (std::size_t k = 0; k < count; ++k)
          block -= of.value * along[m].slope(i) * along[k].slope(j) * dual[m].dot(dual[k]) * n * n.transpose();
      }
      add_block(of.hessian, i, j, block);
    }
  }
  return of;
}

TwiceDerived edge_mollifier(const std::array<Vector3, 4>& x, double threshold) {
  const Vector3 u = x[1] - x[0], v = x[3] - x[2], normal = u.cross(v);
  const double c = normal.squaredNorm(), r = c / threshold;
  TwiceDerived of{1.0, Vector12::Zero(), Matrix12::Zero()};
  if (!(r < 1.0)) return of;
  // ∇c and ∇²c by u and v, which are differences of vertices.
  std::array<Vector3, 2> slope = {2.0 * v.cross(normal), 2.0 * normal.cross(u)};
  const Matrix3 one = Matrix3::Identity();
  const Matrix3 mixed = 2.0 * (2.0 * u * v.transpose() - v * u.transpose() - u.dot(v) * one);
  const std::array<std::array<Matrix3, 2>, 2> curvature = {
      {{2.0 * (v.squaredNorm() * one - v * v.transpose()), mixed},
       {mixed.transpose(), 2.0 * (u.squaredNorm() * one - u * u.transpose())}}};
  const double first = (2.0 - 2.0 * r) / threshold, second = -2.0 / (threshold * threshold);
  of.value = (2.0 - r) * r;
  for (std::size_t i = 0; i < 4; ++i) {
    const double si = i % 2 == 0 ? -1.0 : 1.0;
    of.gradient.segment<3>(3 * Eigen::Index(i)) = si * first * slope[i / 2];
    for (std::size_t j = 0; j < 4; ++j) {
      const double sj = j % 2 == 0 ? -1.0 : 1.0;
      add_block(of.hessian, i, j,
                si * sj * (first * curvature[i / 2][j / 2] + second * slope[i / 2] * slope[j / 2].transpose()));
    }
  }
  return of;
}

}  // namespace deformbench::collision
