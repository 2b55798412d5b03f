// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/isosurface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

namespace deformbench::surface {
namespace {

using Eigen::Vector3i;

class Marcher {
 public:
  Marcher(const Body& body, double spacing) : body_(body), h_(spacing), origin_(body.low().array() - 2.0 * spacing) {
    for (int k = 0; k < 3; ++k) count_[k] = int(std::ceil((body.high()[k] - origin_[k]) / h_)) + 3;
    values_.assign(2 * std::size_t(count_[0] + 1) * std::size_t(count_[1] + 1) * std::size_t(count_[2] + 1),
                   std::numeric_limits<double>::quiet_NaN());
  }

  model::TriangleMesh run() {
    // Skips blocks of cubes too far from the surface: the body's value changes by at most kSlope per metre.
    constexpr int kBlock = 4;
    constexpr double kSlope = 1.3;
    for (int i = 1; i < count_[0]; i += kBlock) {
      for (int j = 1; j < count_[1]; j += kBlock) {
        for (int k = 1; k < count_[2]; k += kBlock) {
          const Vector3 middle = origin_ + h_ * (Vector3(i, j, k).array() + 0.5 * kBlock - 0.5).matrix();
          const double reach = 0.5 * std::sqrt(3.0) * (kBlock + 1.5) * h_;
          if (std::abs(body_.value(middle)) > kSlope * reach) continue;
          march_block({i, j, k}, {std::min(i + kBlock, count_[0]), std::min(j + kBlock, count_[1]),
                                  std::min(k + kBlock, count_[2])});
        }
      }
    }
    model::TriangleMesh mesh;
    mesh.positions.resize(Eigen::Index(positions_.size()), 3);
    for (std::size_t v = 0; v < positions_.size(); ++v) mesh.positions.row(Eigen::Index(v)) = positions_[v].transpose();
    mesh.triangles.resize(Eigen::Index(triangles_.size()), 3);
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (std::size_t c = 0; c < 3; ++c) mesh.triangles(Eigen::Index(t), Eigen::Index(c)) = triangles_[t][c];
    }
    return mesh;
  }

 private:
  // Lattice vertices: even numbers are cube corners, odd ones cube centres.
  std::size_t number(const Vector3i& c, bool centre) const {
    return 2 * ((std::size_t(c[0]) * std::size_t(count_[1] + 1) + std::size_t(c[1])) * std::size_t(count_[2] + 1) +
                std::size_t(c[2])) +
           (centre ? 1 : 0);
  }
  Vector3 position(std::size_t vertex) const {
    const std::size_t n = vertex / 2;
    const auto ny = std::size_t(count_[1] + 1);
    const auto nz = std::size_t(count_[2] + 1);
    const Vector3 c(double(n / (ny * nz)), double(n / nz % ny), double(n % nz));
    return origin_ + h_ * (c.array() + (vertex % 2 == 1 ? 0.5 : 0.0)).matrix();
  }
  double value(std::size_t vertex) {
    double& v = values_[vertex];
    if (std::isnan(v)) v = body_.value(position(vertex));
    return v;
  }

  void march_block(const Vector3i& low, const Vector3i& high) {
    for (int i = low[0]; i < high[0]; ++i) {
      for (int j = low[1]; j < high[1]; ++j) {
        for (int k = low[2]; k < high[2]; ++k) {
          const Vector3i cube(i, j, k);
          for (int axis = 0; axis < 3; ++axis) {
            const Vector3i u = Vector3i::Unit((axis + 1) % 3);
            const Vector3i w = Vector3i::Unit((axis + 2) % 3);
            const std::array<std::size_t, 4> ring{number(cube, false), number(cube + u, false),
                                                  number(cube + u + w, false), number(cube + w, false)};
            const std::size_t a = number(cube - Vector3i::Unit(axis), true);
            const std::size_t b = number(cube, true);
            for (std::size_t e = 0; e < 4; ++e) march_tetrahedron({a, b, ring[e], ring[(e + 1) % 4]});
          }
        }
      }
    }
  }

  void march_tetrahedron(const std::array<std::size_t, 4>& tet) {
    std::array<std::size_t, 4> inside{};
    std::array<std::size_t, 4> outside{};
    std::size_t n_in = 0;
    std::size_t n_out = 0;
    for (const std::size_t v : tet) {
      if (value(v) < 0.0) {
        inside[n_in++] = v;
      } else {
        outside[n_out++] = v;
      }
    }
    if (n_in == 0 || n_out == 0) return;
    Vector3 outwards = Vector3::Zero();
    for (std::size_t v = 0; v < n_in; ++v) outwards -= position(inside[v]) / double(n_in);
    for (std::size_t v = 0; v < n_out; ++v) outwards += position(outside[v]) / double(n_out);
    if (n_in == 2) {
      const int a = crossing(inside[0], outside[0]);
      const int b = crossing(inside[0], outside[1]);
      const int c = crossing(inside[1], outside[1]);
      const int d = crossing(inside[1], outside[0]);
      add(a, b, c, outwards);
      add(a, c, d, outwards);
    } else if (n_in == 1) {
      add(crossing(inside[0], outside[0]), crossing(inside[0], outside[1]), crossing(inside[0], outside[2]), outwards);
    } else {
      add(crossing(inside[0], outside[0]), crossing(inside[1], outside[0]), crossing(inside[2], outside[0]), outwards);
    }
  }

  int crossing(std::size_t in, std::size_t out) {
    const std::uint64_t key = std::uint64_t(std::min(in, out)) << 32 | std::max(in, out);
    const auto [it, is_new] = crossings_.try_emplace(key, int(positions_.size()));
    if (is_new) {
      // Kept away from lattice vertices, where triangles would degenerate and lose their orientation.
      const double t = std::clamp(value(in) / (value(in) - value(out)), 0.05, 0.95);
      positions_.push_back((1.0 - t) * position(in) + t * position(out));
    }
    return it->second;
  }

  void add(int a, int b, int c, const Vector3& outwards) {
    const auto& p = positions_;
    const auto at = [&](int v) { return p[std::size_t(v)]; };
    if ((at(b) - at(a)).cross(at(c) - at(a)).dot(outwards) < 0.0) std::swap(b, c);
    triangles_.push_back({a, b, c});
  }

  const Body& body_;
  double h_;
  Vector3 origin_;
  Vector3i count_;
  std::vector<double> values_;
  std::unordered_map<std::uint64_t, int> crossings_;
  std::vector<Vector3> positions_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

model::TriangleMesh march(const Body& body, double spacing) {
  return Marcher(body, spacing).run();
}

}  // namespace deformbench::surface
