// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/crack_arrays.hpp"

#include <algorithm>
#include <stdexcept>

#include "methods/meshless/weights/front_scans.hpp"

namespace deformbench::meshless {
namespace {

void append(std::vector<double>& to, const Vector3& v) {
  to.insert(to.end(), v.data(), v.data() + 3);
}

MethodArray of_pairs(const char* name, const char* description, std::vector<double> values) {
  return {name, "1", "weight", description, {values.size()}, std::move(values)};
}

MethodArray triangles_of(const TriangulatedCracks& cracks) {
  MethodArray array{"crack_triangles",
                    "m",
                    "position",
                    "Corners of every triangle of a crack, at rest.",
                    {cracks.triangles().size(), 3, 3}};
  for (const CrackTriangle& triangle : cracks.triangles())
    for (const Vector3& corner : triangle.corners) append(array.reals, corner);
  return array;
}

MethodArray fronts_of(const TriangulatedCracks& cracks) {
  MethodArray array{"crack_fronts", "m", "position", "Ends of every segment of a front, at rest.", {0, 2, 3}};
  for (int crack = 0; crack < cracks.crack_count(); ++crack)
    for (const FrontSegment& segment : cracks.front_segments(crack)) {
      append(array.reals, segment.from);
      append(array.reals, segment.to);
    }
  array.shape[0] = array.reals.size() / 6;
  return array;
}

MethodArray crack_integers(const char* name, const char* quantity, const char* description, std::vector<int> values) {
  MethodArray array{name, "1", quantity, description, {values.size()}};
  array.is_integer = true;
  array.integers = std::move(values);
  return array;
}

MethodArray cracks_of_triangles(const TriangulatedCracks& cracks) {
  std::vector<int> of;
  for (const CrackTriangle& triangle : cracks.triangles()) of.push_back(triangle.crack);
  return crack_integers("crack_of_triangle", "index", "Crack that every triangle belongs to.", std::move(of));
}

MethodArray cracks_of_fronts(const TriangulatedCracks& cracks) {
  std::vector<int> of;
  for (int crack = 0; crack < cracks.crack_count(); ++crack)
    of.insert(of.end(), cracks.front_segments(crack).size(), crack);
  return crack_integers("crack_of_front", "index", "Crack that every segment of a front belongs to.", std::move(of));
}

MethodArray counts_of(const WeightCounts& counts) {
  return crack_integers(
      "weight_counts", "count",
      "Pairs there are; of the last step: pairs held against the cracks, pairs whose weight changed, nodes "
      "whose gradients were built anew.",
      {int(counts.pairs), int(counts.tested), int(counts.changed), int(counts.nodes)});
}

MethodArray scans_of(const NodeCloud& cloud, const CrackWeights& weights) {
  MethodArray array{"front_scans",
                    "1",
                    "mixed",
                    "The steepest place on lines past cracks: node, function (0 ω, 1 Φ), first and last point of the "
                    "line (m), shares of the way left and right of the place, values there.",
                    {0, 12}};
  for (const FrontScan& scan : scan_fronts(cloud, weights)) {
    array.reals.insert(array.reals.end(), {double(scan.node), double(scan.function)});
    append(array.reals, scan.from);
    append(array.reals, scan.to);
    array.reals.insert(array.reals.end(), {scan.left_share, scan.right_share, scan.left_value, scan.right_value});
  }
  array.shape[0] = array.reals.size() / 12;
  return array;
}

MethodArray slice_array(const NodeCloud& cloud, const CrackWeights& weights) {
  MethodArray array{"weight_slice",
                    "1",
                    "mixed",
                    "Points of a square lattice across the first front, row by row: node, position (m), ω and Φ.",
                    {0, 6}};
  const WeightSlice slice = slice_of_front(cloud, weights);
  for (Eigen::Index k = 0; k < slice.points.rows(); ++k) {
    array.reals.push_back(slice.node);
    append(array.reals, slice.points.row(k));
    array.reals.insert(array.reals.end(), {slice.weight[std::size_t(k)], slice.shape[std::size_t(k)]});
  }
  array.shape[0] = array.reals.size() / 6;
  return array;
}

}  // namespace

std::vector<std::string> crack_array_names() {
  return {"pair_plain_weights", "pair_weights_anew", "node_omega",    "crack_triangles", "crack_of_triangle",
          "crack_fronts",       "crack_of_front",    "weight_counts", "front_scans",     "weight_slice"};
}

MethodArray crack_array(const std::string& name, const NodeCloud& cloud, const CrackWeights& weights) {
  const TriangulatedCracks& cracks = weights.cracks();
  if (name == "pair_plain_weights")
    return of_pairs("pair_plain_weights", "ω of every pair if there were no cracks.", cloud.plain_weights);
  if (name == "pair_weights_anew")
    return of_pairs("pair_weights_anew", "ω of every pair, computed now by all triangles.",
                    weights_of_all_pairs(cloud, weights.graph().rule(), cracks));
  if (name == "node_omega") {
    MethodArray array = of_pairs("node_omega", "Ω of every node.", weights.graph().normalised_sums());
    array.quantity = "count";
    return array;
  }
  if (name == "crack_triangles") return triangles_of(cracks);
  if (name == "crack_of_triangle") return cracks_of_triangles(cracks);
  if (name == "crack_fronts") return fronts_of(cracks);
  if (name == "crack_of_front") return cracks_of_fronts(cracks);
  if (name == "weight_counts") return counts_of(weights.graph().counts());
  if (name == "front_scans") return scans_of(cloud, weights);
  if (name == "weight_slice") return slice_array(cloud, weights);
  throw std::invalid_argument("no array '" + name + "'");
}

}  // namespace deformbench::meshless
