// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_arrays.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace deformbench::meshless {
namespace {

void put(std::vector<double>& to, const Vector3& v) {
  to.insert(to.end(), v.data(), v.data() + 3);
}

template <class Of>
MethodArray vectors(const char* name, const char* unit, const char* quantity, const char* description,
                    std::span<const Surfel> surfels, Of&& of) {
  MethodArray array{name, unit, quantity, description, {surfels.size(), 3}};
  for (const Surfel& surfel : surfels) put(array.reals, of(surfel));
  return array;
}

MethodArray axes_of(std::span<const Surfel> surfels) {
  MethodArray array{"surfel_axes", "m", "length", "Both half axes of every splat.", {surfels.size(), 2, 3}};
  for (const Surfel& surfel : surfels) {
    put(array.reals, surfel.axis_u);
    put(array.reals, surfel.axis_v);
  }
  return array;
}

MethodArray surfel_integers(const char* name, const char* quantity, const char* description,
                            std::vector<std::size_t> shape, std::vector<int> values) {
  MethodArray array{name, "1", quantity, description, std::move(shape)};
  array.is_integer = true;
  array.integers = std::move(values);
  return array;
}

MethodArray pairs_of(const SurfelMotion& motion) {
  std::vector<int> pairs;
  for (std::size_t s = 0; s < motion.surfels().size(); ++s)
    for (const int node : motion.nodes_of(s)) {
      pairs.push_back(int(s));
      pairs.push_back(node);
    }
  const std::size_t count = pairs.size() / 2;
  return surfel_integers("surfel_pairs", "index", "Every surfel with the nodes in whose supports it lies.", {count, 2},
                         std::move(pairs));
}

MethodArray pair_weights_of(const SurfelMotion& motion) {
  MethodArray array{
      "surfel_pair_weights", "1", "weight", "Share of the node in the motion of the surfel, of every pair.", {0}};
  for (std::size_t s = 0; s < motion.surfels().size(); ++s) {
    const auto weights = motion.weights_of(s);
    array.reals.insert(array.reals.end(), weights.begin(), weights.end());
  }
  array.shape[0] = array.reals.size();
  return array;
}

MethodArray projections_of(const SurfelSurface& surface) {
  MethodArray array{
      "surfel_projections",
      "m",
      "mixed",
      "Points near surfels: number of the surfel's sheet (1), point, where it is projected to on that sheet "
      "(not a number where the projection is not defined).",
      {0, 7}};
  for (const ProjectedEnd& end : project_ends(surface)) {
    array.reals.push_back(end.sheet);
    put(array.reals, end.from);
    put(array.reals, end.to.value_or(Vector3::Constant(std::numeric_limits<double>::quiet_NaN())));
  }
  array.shape[0] = array.reals.size() / 7;
  return array;
}

MethodArray scans_array(const std::vector<MotionScan>& scans) {
  MethodArray array{"motion_scans",
                    "m",
                    "mixed",
                    "The steepest place of the carried displacement on lines past fronts: first and last point of the "
                    "line at rest, support, shares of the way left and right of the place (1), displacements there.",
                    {scans.size(), 15}};
  for (const MotionScan& scan : scans) {
    put(array.reals, scan.from);
    put(array.reals, scan.to);
    array.reals.insert(array.reals.end(), {scan.support, scan.left_share, scan.right_share});
    put(array.reals, scan.left_u);
    put(array.reals, scan.right_u);
  }
  return array;
}

MethodArray gaps_array(const std::vector<FrontGap>& gaps) {
  MethodArray array{"front_gaps",
                    "m",
                    "mixed",
                    "Places behind fronts: point of the front at rest, depth behind it, support, displacements of both "
                    "faces of the crack there.",
                    {gaps.size(), 11}};
  for (const FrontGap& gap : gaps) {
    put(array.reals, gap.front);
    array.reals.insert(array.reals.end(), {gap.depth, gap.support});
    put(array.reals, gap.above);
    put(array.reals, gap.below);
  }
  return array;
}

}  // namespace

std::vector<std::string> surfel_array_names() {
  return {"surfel_positions",    "surfel_normals",     "surfel_axes",  "surfel_rest_positions",
          "surfel_rest_normals", "surfel_sheets",      "surfel_pairs", "surfel_pair_weights",
          "surfel_counts",       "surfel_projections", "motion_scans", "front_gaps"};
}

MethodArray surfel_array(const std::string& name, const SurfelSurface& surface, const NodeCloud& cloud,
                         const TriangulatedCracks& cracks, const NodeMotion& motion) {
  const SurfelMotion& carrying = surface.motion();
  const auto position = [](const Surfel& s) { return s.position; };
  const auto normal = [](const Surfel& s) { return s.normal; };
  if (name == "surfel_positions")
    return vectors("surfel_positions", "m", "position", "Centre of every surfel.", surface.now(), position);
  if (name == "surfel_normals")
    return vectors("surfel_normals", "1", "direction", "Unit normal of every surfel.", surface.now(), normal);
  if (name == "surfel_axes") return axes_of(surface.now());
  if (name == "surfel_rest_positions")
    return vectors("surfel_rest_positions", "m", "position", "Centre of every surfel at rest.", carrying.surfels(),
                   position);
  if (name == "surfel_rest_normals")
    return vectors("surfel_rest_normals", "1", "direction", "Unit normal of every surfel at rest.", carrying.surfels(),
                   normal);
  if (name == "surfel_sheets")
    return surfel_integers(
        "surfel_sheets", "index", "Sheet of every surfel: those of the skin first, then two a crack.",
        {surface.sheets_of_surfels().size()}, {surface.sheets_of_surfels().begin(), surface.sheets_of_surfels().end()});
  if (name == "surfel_pairs") return pairs_of(carrying);
  if (name == "surfel_pair_weights") return pair_weights_of(carrying);
  if (name == "surfel_counts")
    return surfel_integers(
        "surfel_counts", "count",
        "Sheets of the skin, all sheets; surfels and pairs weighed in the last step, surfels and pairs weighed "
        "since the start; surfels that see no node.",
        {7},
        {surface.skin_sheet_count(), surface.sheet_count(), int(surface.last_counts().surfels),
         int(surface.last_counts().pairs), int(surface.all_counts().surfels), int(surface.all_counts().pairs),
         int(carrying.unseen_count())});
  if (name == "surfel_projections") return projections_of(surface);
  if (name == "motion_scans") return scans_array(scan_motion(surface, cloud, cracks, motion));
  if (name == "front_gaps") return gaps_array(gaps_behind_fronts(surface, cloud, cracks, motion));
  throw std::invalid_argument("no array '" + name + "'");
}

}  // namespace deformbench::meshless
