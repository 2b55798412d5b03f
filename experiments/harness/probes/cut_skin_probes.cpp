// SPDX-License-Identifier: BSD-3-Clause
// The embedded surface as a body: closedness, enclosed volume, number of pieces. [MG04] §5.2
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"

namespace deformbench::harness {

int boundary_edges(const Eigen::Ref<const Triangles>& triangles) {
  struct Sides {
    int forwards = 0, backwards = 0;
  };
  std::unordered_map<std::uint64_t, Sides> edges;
  edges.reserve(std::size_t(2 * triangles.rows()));
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const auto a = std::uint32_t(triangles(t, k)), b = std::uint32_t(triangles(t, (k + 1) % 3));
      Sides& sides = edges[(std::uint64_t{std::min(a, b)} << 32) | std::max(a, b)];
      ++(a < b ? sides.forwards : sides.backwards);
    }
  return int(std::count_if(edges.begin(), edges.end(),
                           [](const auto& edge) { return edge.second.forwards != 1 || edge.second.backwards != 1; }));
}

double area_vector(const Points& positions, const Eigen::Ref<const Triangles>& triangles) {
  Vector3 sum = Vector3::Zero();
  double area = 0.0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const Vector3 a = positions.row(triangles(t, 0)), b = positions.row(triangles(t, 1)),
                  c = positions.row(triangles(t, 2));
    const Vector3 doubled = (b - a).cross(c - a);
    sum += doubled;
    area += doubled.norm();
  }
  return area > 0.0 ? sum.norm() / area : 0.0;
}

namespace {

using surface::FracturingSurface;

double rest_volume(const FracturingSurface& skin) {
  const auto volumes = skin.pieces().volumes;
  return std::accumulate(volumes.begin(), volumes.end(), 0.0);
}

using SkinNumber = std::function<double(const FracturingSurface&, const ProbeInput&)>;

ChannelEntry skin_number(ChannelSpec spec, SkinNumber measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [measure = std::move(measure)](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    if (scene.skin.triangle_count() == 0)
      throw InputError(
          fmt::format("channel '{}': scene '{}' has no skin, expected an embedded surface", s.name, scene.name));
    return function_probe(s, [measure](const ProbeInput& input, std::span<double> row) {
      row[0] = input.skin != nullptr ? measure(*input.skin, input) : std::numeric_limits<double>::quiet_NaN();
    });
  };
  return entry;
}

}  // namespace

bool needs_cut_skin(const std::string& channel) {
  const auto entries = cut_skin_channels();
  return std::any_of(entries.begin(), entries.end(), [&](const ChannelEntry& e) { return e.spec.name == channel; });
}

std::vector<ChannelEntry> cut_skin_channels() {
  return {
      skin_number(
          {"skin_boundary_edges", "1", "count",
           "Edges of the embedded surface without exactly one triangle on each side; 0 while it is closed."},
          [](const FracturingSurface& skin, const ProbeInput&) { return double(boundary_edges(skin.triangles())); }),
      skin_number({"skin_area_vector", "1", "relative error",
                   "|Σ A n| / Σ A of the deformed embedded surface; rounding while it is closed."},
                  [](const FracturingSurface& skin, const ProbeInput& input) {
                    Points positions, normals;
                    skin.update(input.positions, input.scene.tet_mesh.tetrahedra, positions, normals);
                    return area_vector(positions, skin.triangles());
                  }),
      skin_number({"skin_volume_error", "1", "relative error",
                   "Rest volumes of all pieces of the embedded surface over its first volume, minus 1."},
                  [](const FracturingSurface& skin, const ProbeInput& input) {
                    return rest_volume(skin) / model::enclosed_volume(input.scene.skin) - 1.0;
                  }),
      skin_number(
          {"skin_piece_count", "1", "count", "Pieces of the embedded surface that hang together."},
          [](const FracturingSurface& skin, const ProbeInput&) { return double(skin.pieces().volumes.size()); }),
      skin_number({"skin_triangle_count", "1", "count", "Triangles of the embedded surface."},
                  [](const FracturingSurface& skin, const ProbeInput&) { return double(skin.triangle_count()); }),
      skin_number({"skin_grid_builds", "1", "count", "Search grids built for the embedded surface since the start."},
                  [](const FracturingSurface& skin, const ProbeInput&) { return double(skin.grid_builds()); }),
  };
}

}  // namespace deformbench::harness
