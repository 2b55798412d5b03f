// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/cloth/self_collision.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "methods/model/disjoint_sets.hpp"
#include "methods/pbd/cloth/point_triangle.hpp"

namespace deformbench::pbd {
namespace {

constexpr double kClose = 1.5;     // times h
constexpr double kPassing = 0.01;  // times h: a vertex this close to a triangle's edge passes through the triangle

Vector3 row(const Points& points, int i) {
  return points.row(i).transpose();
}

PointTriangle gather(const Points& points, int q, const int* t) {
  return {row(points, q), row(points, t[0]), row(points, t[1]), row(points, t[2])};
}

// Above the triangle rather than beside it, and within reach.
bool is_close(const Separation& s, double reach) {
  return s.distance < reach && 2.0 * std::abs(s.height) >= s.beside;
}

}  // namespace

SelfCollision::SelfCollision(const Triangles& triangles, Eigen::Index vertex_count, double thickness,
                             const Points& rest_positions)
    : triangles_(triangles), thickness_(thickness), rest_positions_(rest_positions) {
  pieces_.resize(std::size_t(vertex_count));
  model::DisjointSets pieces(pieces_.size());
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int c = 1; c < 3; ++c) pieces.unite(triangles(t, 0), triangles(t, c));
  for (std::size_t v = 0; v < pieces_.size(); ++v) pieces_[v] = pieces.root(int(v));
  remembered_starts_.assign(std::size_t(triangles.rows()) + 1, 0);
  set_neighbours();
}

void SelfCollision::set_triangles(const Triangles& triangles, const Points& rest_positions) {
  // A torn piece keeps its number, since its parts were neighbours.
  pieces_.resize(std::size_t(rest_positions.rows()), -1);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const int piece = pieces_[std::size_t(triangles_(t, 0))];
    for (int c = 0; c < 3; ++c) {
      int& own = pieces_[std::size_t(triangles(t, c))];
      if (own < 0) own = piece;
    }
  }
  triangles_ = triangles;
  rest_positions_ = rest_positions;
  set_neighbours();
}

void SelfCollision::set_neighbours() {
  struct Side {
    int low, high, triangle, corner;
  };
  std::vector<Side> sides;
  sides.reserve(std::size_t(3 * triangles_.rows()));
  for (int t = 0; t < int(triangles_.rows()); ++t) {
    for (int c = 0; c < 3; ++c) {
      const int a = triangles_(t, c), b = triangles_(t, (c + 1) % 3);
      sides.push_back({std::min(a, b), std::max(a, b), t, c});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  neighbours_.assign(std::size_t(triangles_.rows()), {-1, -1, -1});
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &a = sides[i], &b = sides[i + 1];
    if (a.low != b.low || a.high != b.high) continue;
    neighbours_[std::size_t(a.triangle)][std::size_t(a.corner)] = b.triangle;
    neighbours_[std::size_t(b.triangle)][std::size_t(b.corner)] = a.triangle;
  }
}

void SelfCollision::find(const Points& x, const Points& p, std::vector<SelfContact>& contacts) {
  sort(x, p);
  collect();
  test(x, p, contacts);
}

void SelfCollision::sort(const Points& x, const Points& p) {
  const Eigen::Index n = x.rows();
  drift_ = n > 0 ? Vector3((p - x).colwise().mean().transpose()) : Vector3::Zero();
  is_usable_ = x.allFinite() && p.allFinite();
  if (!is_usable_) return;
  // The common motion changes no pair and would only enlarge the boxes.
  vertex_boxes_.resize(std::size_t(n));
  for (Eigen::Index v = 0; v < n; ++v) {
    const Vector3 a = x.row(v).transpose(), b = p.row(v).transpose() - drift_;
    vertex_boxes_[std::size_t(v)] = {a.cwiseMin(b), a.cwiseMax(b)};
  }
  const double reach = kClose * thickness_;
  double mean_extent = 0.0;
  triangle_boxes_.resize(std::size_t(triangles_.rows()));
  for (std::size_t t = 0; t < triangle_boxes_.size(); ++t) {
    const int* corners = &triangles_(Eigen::Index(t), 0);
    const auto &a = vertex_boxes_[std::size_t(corners[0])], &b = vertex_boxes_[std::size_t(corners[1])],
               &c = vertex_boxes_[std::size_t(corners[2])];
    triangle_boxes_[t] = {a.low.cwiseMin(b.low).cwiseMin(c.low).array() - reach,
                          a.high.cwiseMax(b.high).cwiseMax(c.high).array() + reach};
    mean_extent += (triangle_boxes_[t].high - triangle_boxes_[t].low).maxCoeff();
  }
  mean_extent /= std::max<double>(1.0, double(triangle_boxes_.size()));
  hash_.build(vertex_boxes_, 0.5 * mean_extent);  // smaller: fewer false candidates; larger: fewer cells
}

void SelfCollision::collect() {
  candidates_.clear();
  if (!is_usable_) return;
  for (std::size_t t = 0; t < triangle_boxes_.size(); ++t) {
    const int* corners = &triangles_(Eigen::Index(t), 0);
    const std::size_t first = candidates_.size();
    hash_.for_overlaps(triangle_boxes_[t], [&](int vertex) {
      if (vertex != corners[0] && vertex != corners[1] && vertex != corners[2]) candidates_.push_back({int(t), vertex});
    });
    std::sort(candidates_.begin() + std::ptrdiff_t(first), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.vertex < b.vertex; });
  }
}

double SelfCollision::rest_thickness(const Candidate& pair) const {
  if (rest_positions_.rows() == 0) return thickness_;
  const int* corners = &triangles_(pair.triangle, 0);
  const double distance = separation(gather(rest_positions_, pair.vertex, corners)).distance;
  if (distance >= thickness_) return thickness_;
  return pieces_[std::size_t(pair.vertex)] == pieces_[std::size_t(corners[0])] ? 0.0 : distance;
}

double SelfCollision::side_of(const Candidate& pair, double height_before, double height_after, const Points& x) const {
  const auto remembered = [&](int triangle) {
    for (auto i = std::size_t(remembered_starts_[std::size_t(triangle)]);
         i < std::size_t(remembered_starts_[std::size_t(triangle) + 1]); ++i) {
      if (remembered_[i].vertex == pair.vertex) return remembered_[i].side;
    }
    return 0.0;
  };
  if (const double side = remembered(pair.triangle); side != 0.0) return side;
  const auto normal = [&](int t) -> Vector3 {
    const Vector3 a = row(x, triangles_(t, 0));
    return (row(x, triangles_(t, 1)) - a).cross(row(x, triangles_(t, 2)) - a).normalized();
  };
  for (const int neighbour : neighbours_[std::size_t(pair.triangle)]) {
    if (neighbour < 0) continue;
    const double side = remembered(neighbour);
    // Across a sharp fold the sides of the two triangles are unrelated.
    if (side != 0.0 && normal(pair.triangle).dot(normal(neighbour)) > 0.5) return side;
  }
  if (height_before != 0.0) return height_before > 0.0 ? 1.0 : -1.0;
  return height_after >= 0.0 ? 1.0 : -1.0;
}

void SelfCollision::test(const Points& x, const Points& p, std::vector<SelfContact>& contacts) {
  contacts.clear();
  next_.clear();
  next_starts_.assign(std::size_t(triangles_.rows()) + 1, 0);
  wrong_side_count_ = 0;
  const double reach = kClose * thickness_, margin = reach - 2.0 * kPassing * thickness_;
  for (const Candidate& pair : candidates_) {
    const int* corners = &triangles_(pair.triangle, 0);
    const PointTriangle from = gather(x, pair.vertex, corners), to = gather(p, pair.vertex, corners);
    const Separation before = separation(from), after = separation(to);
    const bool is_close_before = is_close(before, reach), is_close_after = is_close(after, reach);
    // If it ends above the triangle it is a contact of thickness h anyway. Passing requires overlap without margin.
    numerics::Box bare = triangle_boxes_[std::size_t(pair.triangle)];
    bare.low.array() += margin;
    bare.high.array() -= margin;
    const bool passes = !(is_close_after && after.beside == 0.0) &&
                        overlap(bare, vertex_boxes_[std::size_t(pair.vertex)]) &&
                        passes_through(from, to, kPassing * thickness_);
    if (!is_close_before && !is_close_after && !passes) continue;
    const double thickness = rest_thickness(pair);
    if (thickness == 0.0) continue;
    double side = before.height > 0.0 || (before.height == 0.0 && after.height >= 0.0) ? 1.0 : -1.0;
    if (is_close_before) {
      side = side_of(pair, before.height, after.height, x);
      if (side * before.height < 0.0) ++wrong_side_count_;
    }
    next_.push_back({pair.vertex, side});
    ++next_starts_[std::size_t(pair.triangle) + 1];
    // DEVIATION [MHHR07] eq. 11: beside a triangle the required height is reduced to give the distance h.
    const double beside = passes ? 0.0 : is_close_after ? after.beside : before.beside;
    if (beside >= thickness) continue;
    // DEVIATION [MHHR07] eq. 11: a pair that starts too close regains its distance with the recovery speed. Doing so in
    // one step gives the velocity h/Δt, which would tear tangled or squeezed cloth apart.
    double height = std::sqrt(thickness * thickness - beside * beside);
    if (is_close_before) height = std::min(height, side * before.height + most_regained_);
    contacts.push_back({pair.vertex, {corners[0], corners[1], corners[2]}, side, height});
  }
  std::partial_sum(next_starts_.begin(), next_starts_.end(), next_starts_.begin());
  remembered_.swap(next_);
  remembered_starts_.swap(next_starts_);
}

double self_constraint(const SelfContact& contact, double thickness, SelfGradient gradient, const Points& p,
                       Eigen::Matrix<double, 4, 3>& gradients) {
  const PointTriangle at = gather(p, contact.vertex, contact.triangle.data());
  const Vector3 e1 = at.p2 - at.p1, e2 = at.p3 - at.p1, a = at.q - at.p1;
  Vector3 n = e1.cross(e2);
  const double area2 = n.norm();
  if (!(area2 > 1e-14 * std::max(e1.squaredNorm(), e2.squaredNorm()))) {
    gradients.setZero();
    return 0.0;
  }
  n /= area2;
  const double height = a.dot(n);
  gradients.row(0) = contact.side * n.transpose();
  if (gradient == SelfGradient::Full) {
    // [MHHR07] App. A: ∂n/∂p2 and ∂n/∂p3 applied to q − p1; only its in-plane part matters.
    const Vector3 b = a - height * n;
    gradients.row(2) = contact.side / area2 * e2.cross(b).transpose();
    gradients.row(3) = contact.side / area2 * b.cross(e1).transpose();
  } else {
    gradients.row(2).setZero();
    gradients.row(3).setZero();
  }
  gradients.row(1) = -(gradients.row(0) + gradients.row(2) + gradients.row(3));
  return contact.side * height - std::min(thickness, contact.thickness);
}

double project(const SelfContact& contact, double thickness, const Eigen::VectorXd& inverse_masses,
               SelfGradient gradient, MassWeighting weighting, Points& p) {
  Eigen::Matrix<double, 4, 3> gradients;
  const double c = self_constraint(contact, thickness, gradient, p, gradients);
  if (!(c < 0.0)) return 0.0;
  const std::array<int, 4> vertices{contact.vertex, contact.triangle[0], contact.triangle[1], contact.triangle[2]};
  double weight_sum = 0.0, squares = 0.0, weighted_squares = 0.0;
  for (int i = 0; i < 4; ++i) {
    const double w = inverse_masses[vertices[std::size_t(i)]], g = gradients.row(i).squaredNorm();
    weight_sum += w;
    squares += g;
    weighted_squares += w * g;
  }
  if (!(weighted_squares > 0.0)) return 0.0;
  // As printed ([MHHR07] eq. 7, 8): n w_i/Σw_j and Σ|∇C|²; corrected: Σ w|∇C|² (B-PBD-1).
  const double scale = weighting == MassWeighting::Corrected ? c / weighted_squares : 4.0 * c / (weight_sum * squares);
  for (int i = 0; i < 4; ++i) {
    const int v = vertices[std::size_t(i)];
    p.row(v) -= scale * inverse_masses[v] * gradients.row(i);
  }
  return -scale;
}

}  // namespace deformbench::pbd
