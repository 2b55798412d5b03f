// SPDX-License-Identifier: BSD-3-Clause
// Shapes of a scene's rigid bodies, prepared for collision detection and kept between steps.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::pbd {

/// Depth behind an open mesh down to which a vertex counts as inside, relative to the mesh's diagonal.
inline constexpr double kOpenDepth = 0.25;

class BodyShapes {
 public:
  explicit BodyShapes(const Scene& scene);

  /// As model::signed_distance, but with a BVH for meshes.
  double signed_distance(int body, const Vector3& point, Vector3& closest, Vector3& normal) const;
  /// nullptr if the shape is not a mesh.
  const numerics::MeshDistance* mesh(int body) const { return at(body).mesh.get(); }
  /// Radius (m) of the bounding sphere about the body's origin.
  double radius(int body) const { return at(body).radius; }

  struct Corner {
    Vector3 position;  ///< m, body frame
    Vector3 outward;   ///< unit
    double thickness;  ///< m, of the body behind the corner: half of its smallest local extent
  };
  /// Corners of boxes and convex vertices of meshes, ascending in x.
  std::span<const Corner> corners(int body) const { return at(body).corners; }
  double thickest_corner(int body) const { return at(body).thickest_corner; }
  /// Points tested for contact between bodies: corners and ball centres.
  struct Feeler {
    Vector3 position;  ///< m, body frame
    double radius;     ///< m
  };
  std::span<const Feeler> feelers(int body) const { return at(body).feelers; }

  /// Empty sphere of a vertex and a mesh, from an earlier step (body frame): no surface within `radius` of `point`.
  struct Clearance {
    Vector3 point = Vector3::Zero();
    double radius = -1.0;
    int triangle = -1;  ///< closest triangle
    bool is_known = false;
    bool may_be_behind = false;  ///< vertex came round an open mesh's border, or started behind it
    /// No surface is within |b − a| of b, so the path meets none.
    bool clears(const Vector3& a, const Vector3& b) const {
      return radius > 0 && (b - point).norm() + (b - a).norm() < radius;
    }
  };
  Clearance& clearance(int body, Eigen::Index vertex);

 private:
  struct Entry {
    model::Shape shape;  ///< without its mesh, which the BVH holds
    std::unique_ptr<numerics::MeshDistance> mesh;
    double radius = 0.0;
    std::vector<Corner> corners;
    double thickest_corner = 0.0;
    std::vector<Feeler> feelers;
    std::vector<Clearance> clearances;
  };
  const Entry& at(int body) const { return entries_[std::size_t(body)]; }
  std::vector<Entry> entries_;
};

}  // namespace deformbench::pbd
