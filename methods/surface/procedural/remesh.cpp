// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/remesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <vector>

#include "methods/surface/self_intersection.hpp"

namespace deformbench::surface {
namespace {

// Triangles and the incident triangles of every vertex.
class Remesher {
 public:
  Remesher(const model::TriangleMesh& mesh, const Body& body) : body_(body) {
    for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) x_.push_back(mesh.positions.row(v).transpose());
    users_.resize(x_.size());
    stamp_.assign(x_.size(), 0);
    for (const Vector3& p : x_) weight_.push_back(1.0 / std::sqrt(body.thickness_at(p)));
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      triangles_.push_back({mesh.triangles(t, 0), mesh.triangles(t, 1), mesh.triangles(t, 2)});
      for (const int v : triangles_.back()) users_[idx(v)].push_back(int(t));
    }
    alive_.assign(triangles_.size(), true);
    live_ = int(triangles_.size());
  }

  void collapse_to(int target) {
    using Entry = std::tuple<double, int, int, unsigned>;  // weighted length, vertices, stamp
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto push = [&](int a, int b) {
      if (a > b) std::swap(a, b);
      queue.push({(x(a) - x(b)).norm() * (weight_[idx(a)] + weight_[idx(b)]), a, b, stamp_[idx(a)] + stamp_[idx(b)]});
    };
    for (const auto& t : triangles_) {
      for (std::size_t c = 0; c < 3; ++c) {
        if (t[c] < t[(c + 1) % 3]) push(t[c], t[(c + 1) % 3]);
      }
    }
    while (live_ > target && !queue.empty()) {
      const auto [length, a, b, stamp] = queue.top();
      queue.pop();
      if (users_[idx(a)].empty() || users_[idx(b)].empty() || stamp != stamp_[idx(a)] + stamp_[idx(b)]) continue;
      if (!collapse(a, b)) continue;
      for (const int n : neighbours(a)) push(a, n);
    }
  }

  // Flips edges between nearly coplanar triangles if that brings the four valences closer to six.
  void flip_edges() {
    for (int t = 0; t < int(triangles_.size()); ++t) {
      for (std::size_t c = 0; c < 3 && alive_[idx(t)]; ++c) try_flip(t, c);
    }
  }

  // Moves vertices towards their neighbours' mean within the tangent plane, then onto the surface.
  void relax(double step) {
    std::vector<Vector3> moved = x_;
    for (int v = 0; v < int(x_.size()); ++v) {
      if (users_[idx(v)].empty()) continue;
      Vector3 mean = Vector3::Zero();
      Vector3 normal = Vector3::Zero();
      double shortest = std::numeric_limits<double>::infinity();
      const auto around = neighbours(v);
      for (const int n : around) {
        mean += x(n) / double(around.size());
        shortest = std::min(shortest, (x(n) - x(v)).norm());
      }
      for (const int t : users_[idx(v)]) normal += area_normal(triangles_[idx(t)]);
      normal.normalize();
      Vector3 p = x(v) + step * (Matrix3::Identity() - normal * normal.transpose()) * (mean - x(v));
      project(p, shortest);
      if (keeps_orientation(v, p)) moved[idx(v)] = p;
    }
    x_ = std::move(moved);
  }

  model::TriangleMesh result() const {
    model::TriangleMesh mesh;
    std::vector<int> number(x_.size(), -1);
    int count = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (!users_[v].empty()) number[v] = count++;
    }
    mesh.positions.resize(count, 3);
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (number[v] >= 0) mesh.positions.row(number[v]) = x_[v].transpose();
    }
    mesh.triangles.resize(live_, 3);
    Eigen::Index row = 0;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (!alive_[t]) continue;
      for (std::size_t c = 0; c < 3; ++c) mesh.triangles(row, Eigen::Index(c)) = number[idx(triangles_[t][c])];
      ++row;
    }
    return mesh;
  }

 private:
  using Triangle = std::array<int, 3>;
  static std::size_t idx(int i) { return std::size_t(i); }
  const Vector3& x(int v) const { return x_[idx(v)]; }
  Vector3 area_normal(const Triangle& t) const { return (x(t[1]) - x(t[0])).cross(x(t[2]) - x(t[0])); }

  std::vector<int> neighbours(int v) const {
    std::vector<int> around;
    for (const int t : users_[idx(v)]) {
      for (const int n : triangles_[idx(t)]) {
        if (n != v) around.push_back(n);
      }
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    return around;
  }

  // Newton step along the gradient, limited to half an edge so that a vertex never jumps to another limb.
  void project(Vector3& p, double edge) const {
    Vector3 g;
    const double value = body_.value_and_gradient(p, 0.01 * edge + 1e-9, g);
    const double squared = g.squaredNorm();
    if (squared < 1e-6 || std::abs(value) > 0.5 * edge * std::sqrt(squared)) return;
    p -= value / squared * g;
  }

  // Whether the triangles of v keep their orientation, and stay away from zero area, with v at p.
  bool keeps_orientation(int v, const Vector3& p, int ignored = -1) const {
    for (const int t : users_[idx(v)]) {
      const Triangle& triangle = triangles_[idx(t)];
      if (std::find(triangle.begin(), triangle.end(), ignored) != triangle.end()) continue;
      const Vector3 before = area_normal(triangle);
      std::array<Vector3, 3> y;
      for (std::size_t c = 0; c < 3; ++c) y[c] = triangle[c] == v ? p : x(triangle[c]);
      const Vector3 after = (y[1] - y[0]).cross(y[2] - y[0]);
      const double longest =
          std::max({(y[1] - y[0]).squaredNorm(), (y[2] - y[1]).squaredNorm(), (y[0] - y[2]).squaredNorm()});
      if (after.dot(before) < 0.5 * after.norm() * before.norm() || after.norm() < 0.05 * longest) return false;
    }
    return true;
  }

  bool collapse(int a, int b) {
    const auto around_a = neighbours(a);
    const auto around_b = neighbours(b);
    std::vector<int> common;
    std::set_intersection(around_a.begin(), around_a.end(), around_b.begin(), around_b.end(),
                          std::back_inserter(common));
    if (common.size() != 2) return false;  // link condition: otherwise the surface would be pinched
    for (const int n : common) {
      if (users_[idx(n)].size() <= 3) return false;
    }
    Vector3 p = 0.5 * (x(a) + x(b));
    project(p, std::max((x(a) - x(b)).norm(), 1e-6));
    if (!keeps_orientation(a, p, b) || !keeps_orientation(b, p, a)) return false;
    for (const int t : std::vector<int>(users_[idx(b)])) {
      Triangle& triangle = triangles_[idx(t)];
      if (std::find(triangle.begin(), triangle.end(), a) != triangle.end()) {
        for (const int v : triangle) std::erase(users_[idx(v)], t);
        alive_[idx(t)] = false;
        --live_;
      } else {
        std::replace(triangle.begin(), triangle.end(), b, a);
        users_[idx(a)].push_back(t);
      }
    }
    users_[idx(b)].clear();
    x_[idx(a)] = p;
    ++stamp_[idx(a)];
    return true;
  }

  void try_flip(int t, std::size_t corner) {
    const int a = triangles_[idx(t)][corner];
    const int b = triangles_[idx(t)][(corner + 1) % 3];
    const int c = triangles_[idx(t)][(corner + 2) % 3];
    int other = -1;
    int d = -1;
    for (const int s : users_[idx(a)]) {
      if (s == t) continue;
      const Triangle& triangle = triangles_[idx(s)];
      if (std::find(triangle.begin(), triangle.end(), b) == triangle.end()) continue;
      other = s;
      for (const int v : triangle) {
        if (v != a && v != b) d = v;
      }
    }
    if (other < 0 || d == c) return;
    const auto valence = [&](int v) { return int(users_[idx(v)].size()); };
    const auto cost = [](int n) { return (n - 6) * (n - 6); };
    const int before = cost(valence(a)) + cost(valence(b)) + cost(valence(c)) + cost(valence(d));
    const int after = cost(valence(a) - 1) + cost(valence(b) - 1) + cost(valence(c) + 1) + cost(valence(d) + 1);
    if (after >= before || valence(a) <= 4 || valence(b) <= 4) return;
    for (const int s : users_[idx(c)]) {  // the edge c–d must not exist
      const Triangle& triangle = triangles_[idx(s)];
      if (std::find(triangle.begin(), triangle.end(), d) != triangle.end()) return;
    }
    const Vector3 old_normal =
        (area_normal(triangles_[idx(t)]).normalized() + area_normal(triangles_[idx(other)]).normalized()).normalized();
    const Triangle first{a, d, c};
    const Triangle second{d, b, c};
    if (area_normal(first).normalized().dot(old_normal) < 0.9 || area_normal(second).normalized().dot(old_normal) < 0.9)
      return;
    std::erase(users_[idx(b)], t);
    std::erase(users_[idx(a)], other);
    users_[idx(d)].push_back(t);
    users_[idx(c)].push_back(other);
    triangles_[idx(t)] = first;
    triangles_[idx(other)] = second;
  }

  const Body& body_;
  std::vector<Vector3> x_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<int>> users_;
  std::vector<unsigned> stamp_;
  std::vector<double> weight_;  // of edge lengths in collapse order: thin parts keep shorter edges
  std::vector<bool> alive_;
  int live_ = 0;
};

}  // namespace

model::TriangleMesh remesh(const model::TriangleMesh& mesh, const Body& body, int triangle_count) {
  Remesher remesher(mesh, body);
  remesher.relax(0.5);  // spreads the clusters that marching leaves around lattice vertices
  remesher.collapse_to(triangle_count);
  for (int round = 0; round < 4; ++round) {
    remesher.flip_edges();
    remesher.relax(0.6);
  }
  remesher.relax(0.0);  // final projection onto the surface
  return remesher.result();
}

bool untangle(model::TriangleMesh& mesh, int rounds) {
  for (int round = 0;; ++round) {
    const auto pairs = self_intersections(mesh, std::size_t(mesh.triangle_count()));
    if (pairs.empty()) return true;
    if (round == rounds) return false;
    std::vector<bool> moves(std::size_t(mesh.vertex_count()), false);
    for (const auto& pair : pairs) {
      for (const int t : pair) {
        for (Eigen::Index c = 0; c < 3; ++c) moves[std::size_t(mesh.triangles(t, c))] = true;
      }
    }
    const std::vector<bool> seeds = moves;
    Points sums = Points::Zero(mesh.vertex_count(), 3);
    Eigen::VectorXd counts = Eigen::VectorXd::Zero(mesh.vertex_count());
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      for (Eigen::Index c = 0; c < 3; ++c) {
        const int v = mesh.triangles(t, c);
        const int next = mesh.triangles(t, (c + 1) % 3);  // each neighbour once, since the surface is closed
        sums.row(v) += mesh.positions.row(next);
        counts[v] += 1.0;
        if (seeds[std::size_t(next)]) moves[std::size_t(v)] = true;
      }
    }
    for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) {
      if (moves[std::size_t(v)]) mesh.positions.row(v) = sums.row(v) / counts[v];
    }
  }
}

}  // namespace deformbench::surface
