// SPDX-License-Identifier: BSD-3-Clause
// All sheets of a body: of its skin and of both faces of its cracks, carried by the nodes. [PKAGDG05] §3.1
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "methods/meshless/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"
#include "methods/meshless/surface/surfel_sampling.hpp"
#include "methods/meshless/surface/surfel_sheet.hpp"
#include "methods/meshless/weights/triangulated_cracks.hpp"

namespace deformbench::meshless {

/// The boundary of the body: the scene's skin, or that of its tetrahedra where there is none.
model::TriangleMesh skin_of(const Scene& scene);

class SurfelSurface {
 public:
  /// Sheets of the scene's skin (of the boundary of its tetrahedra, where there is none), then of its cracks, where
  /// each piece between creases gives two, with the same places and opposite normals; a crack's surfels farther outside
  /// of the body than their radius are left out. None at all where the radius is 0. Where prescribed cracks grow, their
  /// new faces have no surfels, but the weights of those that are there follow.
  SurfelSurface(const Scene& scene, const SurfelSampling& sampling, const NodeCloud& cloud, const WeightRule& rule,
                const CrackGeometry& cracks);

  bool empty() const { return motion_.surfels().empty(); }
  int sheet_count() const { return int(sheets_.size()); }
  int skin_sheet_count() const { return skin_sheets_; }
  const SurfelSheet& sheet(int sheet) const { return sheets_[std::size_t(sheet)]; }
  const SurfelMotion& motion() const { return motion_; }
  std::span<const int> sheets_of_surfels() const { return sheet_of_; }
  double radius() const { return radius_; }

  /// A sheet without surfels; returns its number.
  int add_sheet();
  /// At the end of a sheet, as a crack grows.
  void append(int sheet, std::span<const Surfel> surfels, const CrackGeometry& cracks);
  /// Where an end of a front that lies on `sheet` goes back to: its own sheet, whatever others are nearer; nothing
  /// where the sheet is not defined. [PKAGDG05] §3.2
  std::optional<Vector3> project_end(int sheet, const Vector3& x) const;

  /// The nodes have become others, while cracks are where they were.
  void renew_nodes(const NodeCloud& cloud, const CrackGeometry& cracks);
  /// The surfels as they are carried now become those of the material, of the nodes and `cracks` of a new reference.
  /// Their discs are the ellipses that they have become.
  void rebase(const NodeCloud& cloud, const WeightRule& rule, const CrackGeometry& cracks);
  void update(const TriangulatedCracks& cracks, const CrackChanges& changes);
  /// Moves all surfels to where displacements u (n×3, m) and gradients of the nodes take them.
  void carry(const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients);
  /// Where `carry` took them; at rest before the first time.
  std::span<const Surfel> now() const { return now_; }
  /// Weights that were computed in the last update, and since the start.
  const SurfelMotion::Counts& last_counts() const { return last_; }
  const SurfelMotion::Counts& all_counts() const { return all_; }

 private:
  void count(const SurfelMotion::Counts& counts);

  double radius_;
  int skin_sheets_ = 0;
  std::vector<SurfelSheet> sheets_;
  std::vector<int> sheet_of_;
  SurfelMotion motion_;
  std::vector<Surfel> now_;
  SurfelMotion::Counts last_, all_;
};

}  // namespace deformbench::meshless
