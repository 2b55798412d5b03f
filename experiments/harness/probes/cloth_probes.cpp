// SPDX-License-Identifier: BSD-3-Clause
// Cloth relative to its rest shape: edge strains, dihedral angles, areas, volumes, and tearing.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "experiments/harness/probes/body_measures.hpp"
#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/cloth_edges.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

double angle_at(const Points& positions, const ClothEdge& edge) {
  return model::dihedral_angle(positions.row(edge.a), positions.row(edge.b), positions.row(edge.backward_corner),
                               positions.row(edge.forward_corner));
}

/// Edges of the cloth in its current topology, with rest lengths and angles.
class RestShape {
 public:
  explicit RestShape(const Scene& scene)
      : edges_(cloth_edges(scene.cloth.triangles)),
        lengths_(triangle_edges(scene.cloth.triangles, scene.cloth.rest_positions)) {
    const Points& rest = scene.cloth.rest_positions;
    for (const ClothEdge& edge : edges_) {
      if (!edge.is_interior()) continue;
      bends_.push_back(edge);
      angles_.push_back(angle_at(rest, edge));
    }
  }

  /// (l − l0) / l0 per edge.
  std::vector<double> strains(const Points& positions) const {
    std::vector<double> strains(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) strains[e] = stretch(lengths_[e], positions) - 1.0;
    return strains;
  }
  /// φ − φ0 per interior edge, wrapped into [−π, π].
  std::vector<double> angle_errors(const Points& positions) const {
    std::vector<double> errors(bends_.size());
    for (std::size_t e = 0; e < bends_.size(); ++e)
      errors[e] = std::remainder(angle_at(positions, bends_[e]) - angles_[e], 2.0 * std::numbers::pi);
    return errors;
  }
  double boundary_length() const {
    double sum = 0.0;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!edges_[e].is_interior()) sum += lengths_[e].rest_length;
    return sum;
  }

 private:
  std::vector<ClothEdge> edges_, bends_;
  std::vector<RestEdge> lengths_;  ///< one per edge, in the order of edges_
  std::vector<double> angles_;
};

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0.0 : std::sqrt(sum / double(values.size()));
}
double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / double(values.size());
}
double mean_size(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return mean(values);
}

ChannelEntry shape_channel(ChannelSpec spec, std::function<double(const RestShape&, const Points&)> measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [measure = std::move(measure)](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(
        s, [shape = std::make_shared<const RestShape>(scene), measure](const ProbeInput& input, std::span<double> row) {
          row[0] = measure(*shape, input.positions);
        });
  };
  return entry;
}

ChannelEntry strain_channel(ChannelSpec spec, double (*measure)(const std::vector<double>&)) {
  return shape_channel(std::move(spec),
                       [measure](const RestShape& shape, const Points& x) { return measure(shape.strains(x)); });
}

double surface_area(const ProbeInput& input) {
  double doubled = 0.0;
  const Triangles& triangles = input.scene.cloth.triangles;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const Vector3 a = input.positions.row(triangles(t, 0)), b = input.positions.row(triangles(t, 1)),
                  c = input.positions.row(triangles(t, 2));
    doubled += (b - a).cross(c - a).norm();
  }
  return 0.5 * doubled;
}

/// Volume Σ x1·(x2 × x3)/6 of each piece, relative to one of its vertices to avoid cancellation; NaN for open pieces.
std::vector<double> piece_volumes(const ClothPieces& pieces, const Triangles& triangles, const Points& positions) {
  std::vector<double> volumes(pieces.is_closed.size(), 0.0);
  std::vector<Vector3> origins(pieces.is_closed.size());
  std::vector<bool> has_origin(pieces.is_closed.size(), false);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const auto piece = std::size_t(pieces.piece[std::size_t(t)]);
    if (!has_origin[piece]) origins[piece] = positions.row(triangles(t, 0));
    has_origin[piece] = true;
    const Vector3 a = positions.row(triangles(t, 0)).transpose() - origins[piece],
                  b = positions.row(triangles(t, 1)).transpose() - origins[piece],
                  c = positions.row(triangles(t, 2)).transpose() - origins[piece];
    volumes[piece] += a.dot(b.cross(c)) / 6.0;
  }
  for (std::size_t k = 0; k < volumes.size(); ++k)
    if (!pieces.is_closed[k]) volumes[k] = std::numeric_limits<double>::quiet_NaN();
  return volumes;
}

double closed_volume(const ProbeInput& input) {
  const Triangles& triangles = input.scene.cloth.triangles;
  double sum = 0.0;
  for (const double volume : piece_volumes(cloth_pieces(triangles), triangles, input.positions))
    if (!std::isnan(volume)) sum += volume;
  return sum;
}

/// The triangles in their initial topology: tears keep the order of triangles.
Triangles first_triangles(const Scene& scene, const Simulation& simulation) {
  Triangles triangles = scene.cloth.triangles;
  const auto* topology = find_facet<TopologyFacet>(simulation);
  if (topology == nullptr) return triangles;
  const auto parents = topology->parents();
  for (Eigen::Index k = 0; k < triangles.size(); ++k) triangles.data()[k] = parents[std::size_t(triangles.data()[k])];
  return triangles;
}

ChannelEntry component_volumes() {
  ChannelEntry entry;
  entry.spec = {
      "component_volumes", "m^3", "volume",
      "Signed volume of every piece that the cloth had at the start, by its first triangle; NaN while it is open."};
  entry.spec.row_shape = {0};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation& simulation) {
    // Initial pieces, so that tearing does not change their number; whether they are closed is evaluated now.
    ClothPieces pieces = cloth_pieces(first_triangles(scene, simulation));
    const ClothPieces now = cloth_pieces(scene.cloth.triangles);
    for (std::size_t t = 0; t < pieces.piece.size(); ++t)
      if (!now.is_closed[std::size_t(now.piece[t])]) pieces.is_closed[std::size_t(pieces.piece[t])] = false;
    ChannelSpec sized = s;
    sized.row_shape[0] = pieces.is_closed.size();
    return function_probe(sized, [pieces = std::move(pieces)](const ProbeInput& input, std::span<double> row) {
      const auto volumes = piece_volumes(pieces, input.scene.cloth.triangles, input.positions);
      std::copy(volumes.begin(), volumes.end(), row.begin());
    });
  };
  return entry;
}

double non_manifold_edges(const ProbeInput& input) {
  const auto edges = cloth_edges(input.scene.cloth.triangles);
  return double(std::count_if(edges.begin(), edges.end(), [](const ClothEdge& e) { return !e.is_manifold(); }));
}

double torn_vertices(const ProbeInput& input) {
  const auto* topology = find_facet<TopologyFacet>(input.simulation);
  if (topology == nullptr || topology->parents().empty()) return 0.0;
  const auto parents = topology->parents();
  const int last =
      *std::max_element(parents.begin(), parents.end());  // vertices of the initial mesh are their own parents
  return double(parents.size()) - (last + 1.0);
}

}  // namespace

std::vector<ChannelEntry> cloth_channels() {
  return needing(
      Needs::Cloth,
      {
          strain_channel(
              {"edge_strain_rms", "1", "strain", "Root mean square of l/l0 − 1 over the edges of the cloth."},
              root_mean_square),
          strain_channel(
              {"edge_strain_mean", "1", "strain", "Mean of l/l0 − 1 over the edges of the cloth, with its sign."},
              mean),
          strain_channel(
              {"edge_strain_max", "1", "strain", "Largest l/l0 − 1 of an edge of the cloth: elongation."},
              [](const std::vector<double>& strains) { return *std::max_element(strains.begin(), strains.end()); }),
          strain_channel(
              {"edge_strain_min", "1", "strain", "Smallest l/l0 − 1 of an edge of the cloth: compression, below 0."},
              [](const std::vector<double>& strains) { return *std::min_element(strains.begin(), strains.end()); }),
          shape_channel(
              {"bend_angle_error_rms", "rad", "angle",
               "Root mean square of the dihedral angles minus those at rest, over edges of two triangles."},
              [](const RestShape& shape, const Points& x) { return root_mean_square(shape.angle_errors(x)); }),
          shape_channel({"bend_angle_error_mean", "rad", "angle",
                         "Mean of |dihedral angle − that at rest| over edges of two triangles."},
                        [](const RestShape& shape, const Points& x) { return mean_size(shape.angle_errors(x)); }),
          shape_channel(
              {"boundary_length", "m", "length", "Rest length of the edges of one triangle, as the cloth is torn now."},
              [](const RestShape& shape, const Points&) { return shape.boundary_length(); }),
          scalar_channel({"surface_area", "m^2", "area", "Sum of the areas of the cloth's triangles."}, surface_area),
          scalar_channel({"closed_volume", "m^3", "volume",
                          "Signed volume of all closed pieces of the cloth together; open ones count nothing."},
                         closed_volume),
          component_volumes(),
          scalar_channel({"non_manifold_edges", "1", "count",
                          "Edges of the cloth with two triangles on one side; 0 for a manifold."},
                         non_manifold_edges),
          scalar_channel({"torn_vertices", "1", "count", "Vertices of the cloth beyond those of the start."},
                         torn_vertices),
      });
}

}  // namespace deformbench::harness
