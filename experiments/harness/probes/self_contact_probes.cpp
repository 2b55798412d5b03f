// SPDX-License-Identifier: BSD-3-Clause
// Self-contact of the cloth.
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/model/triangle_distance.hpp"
#include "methods/numerics/spatial_hash.hpp"
#include "methods/surface/self_intersection.hpp"

namespace deformbench::harness {
namespace {

using numerics::Box;

/// Grid cells about as large as most triangles.
double cell_size(const std::vector<Box>& boxes) {
  std::vector<double> sizes;
  for (const Box& box : boxes) sizes.push_back((box.high - box.low).maxCoeff());
  std::nth_element(sizes.begin(), sizes.begin() + std::ptrdiff_t(sizes.size() / 2), sizes.end());
  return std::max(sizes[sizes.size() / 2], std::numeric_limits<double>::min());
}

double self_distance(const ProbeInput& input) {
  const Triangles& triangles = input.scene.cloth.triangles;
  const Points& x = input.positions;
  const std::vector<Box> boxes = numerics::boxes_of(x, triangles);
  numerics::SpatialHash hash;
  const double cell = cell_size(boxes);
  hash.build(boxes, cell);
  const double diagonal = (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
  double nearest = std::numeric_limits<double>::infinity();
  // All pairs within the radius are tested; a result beyond it may have missed a nearer pair.
  for (double radius = cell; nearest > radius; radius *= 4.0) {
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const Vector3 point = x.row(i);
      const Vector3 reach = Vector3::Constant(std::min(radius, nearest));
      hash.for_overlaps({point - reach, point + reach}, [&](int t) {
        if ((triangles.row(t).array() == int(i)).any()) return;
        const Vector3 a = x.row(triangles(t, 0)), b = x.row(triangles(t, 1)), c = x.row(triangles(t, 2));
        const Vector3 weights = model::closest_on_triangle(point, a, b, c).weights;
        nearest = std::min(nearest, (weights[0] * a + weights[1] * b + weights[2] * c - point).norm());
      });
    }
    if (radius > diagonal) break;
  }
  return nearest;
}

double self_intersections(const ProbeInput& input) {
  const model::TriangleMesh mesh{input.positions, input.scene.cloth.triangles};
  return double(surface::self_intersections(mesh, std::numeric_limits<std::size_t>::max()).size());
}

}  // namespace

std::vector<ChannelEntry> self_contact_channels() {
  return needing(
      Needs::Cloth,
      {
          scalar_channel(
              {"self_distance", "m", "length",
               "Least distance of a vertex of the cloth from a triangle that it is no corner of; ∞ where all have it."},
              self_distance),
          scalar_channel({"self_intersections", "1", "count",
                          "Pairs of the cloth's triangles that meet elsewhere than in common vertices and edges."},
                         self_intersections),
      });
}

}  // namespace deformbench::harness
