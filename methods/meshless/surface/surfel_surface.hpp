// SPDX-License-Identifier: BSD-3-Clause
// All sheets of a body: skin and both faces of cracks, carried by the nodes. [PKAGDG05] §3.1
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "methods/meshless/nodes/node_cloud.hpp"
#include "methods/meshless/surface/surfel_motion.hpp"
#include "methods/meshless/surface/surfel_sampling.hpp"
#include "methods/meshless/surface/surfel_sheet.hpp"
#include "methods/meshless/weights/triangulated_cracks.hpp"

namespace deformbench::meshless {

/// Boundary of the body: the scene's skin, or else that of its tetrahedra.
model::TriangleMesh skin_of(const Scene& scene);

class SurfelSurface {
 public:
  /// Sheets of the scene's skin (`skin_of`), then of its cracks: each piece between creases gives two, with equal
  /// positions and opposite normals; crack surfels farther outside the body than their radius are omitted. Empty for
  /// radius 0. New faces of growing prescribed cracks get no surfels, but weights of existing ones are updated.
  SurfelSurface(const Scene& scene, const SurfelSampling& sampling, const NodeCloud& cloud, const WeightRule& rule,
                const CrackGeometry& cracks);

  bool empty() const { return motion_.surfels().empty(); }
  int sheet_count() const { return int(sheets_.size()); }
  int skin_sheet_count() const { return skin_sheets_; }
  const SurfelSheet& sheet(int sheet) const { return sheets_[std::size_t(sheet)]; }
  const SurfelMotion& motion() const { return motion_; }
  std::span<const int> sheets_of_surfels() const { return sheet_of_; }
  double radius() const { return radius_; }

  /// Adds a sheet without surfels; returns its number.
  int add_sheet();
  /// Appends to a sheet as a crack grows.
  void append(int sheet, std::span<const Surfel> surfels, const CrackGeometry& cracks);
  /// Projection of a front end that lies on `sheet` onto this sheet, even if others are closer; nothing where it is
  /// undefined. [PKAGDG05] §3.2
  std::optional<Vector3> project_end(int sheet, const Vector3& x) const;

  /// Nodes have changed; cracks have not.
  void renew_nodes(const NodeCloud& cloud, const CrackGeometry& cracks);
  /// Makes the carried surfels the material ones, for the nodes and `cracks` of a new reference. Discs become their
  /// current ellipses.
  void rebase(const NodeCloud& cloud, const WeightRule& rule, const CrackGeometry& cracks);
  void update(const TriangulatedCracks& cracks, const CrackChanges& changes);
  /// Moves all surfels by displacements u (n×3, m) and gradients of the nodes.
  void carry(const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients);
  /// Surfels after `carry`; at rest before the first call.
  std::span<const Surfel> now() const { return now_; }
  /// Number of weights computed in the last update, and in total.
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
