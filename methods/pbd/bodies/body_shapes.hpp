// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a scene's rigid bodies as collision detection needs them, kept between steps.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::pbd {

class BodyShapes {
 public:
  explicit BodyShapes(const Scene& scene);

  /// As model::signed_distance, meshes by their tree.
  double signed_distance(int body, const Vector3& point, Vector3& closest, Vector3& normal) const;
  /// nullptr where the shape is not a mesh.
  const numerics::MeshDistance* mesh(int body) const { return at(body).mesh.get(); }
  /// Radius (m) of the sphere about the body's origin that holds its shape.
  double radius(int body) const { return at(body).radius; }

  struct Corner {
    Vector3 position;  ///< m, body frame
    Vector3 outward;   ///< unit
    double thickness;  ///< m, of the body behind the corner, from below: half of the thinnest measure there
  };
  /// Of boxes, and of meshes where all neighbours of a vertex lie below it. Ascending in x.
  std::span<const Corner> corners(int body) const { return at(body).corners; }
  double thickest_corner(int body) const { return at(body).thickest_corner; }
  /// Points that touch other shapes first, for the contact of bodies with each other: corners, centres of balls.
  struct Feeler {
    Vector3 position;  ///< m, body frame
    double radius;     ///< m
  };
  std::span<const Feeler> feelers(int body) const { return at(body).feelers; }

  /// What an earlier step found out about a vertex and a mesh, body frame: no surface within `radius` of `point`.
  struct Clearance {
    Vector3 point = Vector3::Zero();
    double radius = -1.0;
    int triangle = -1;  ///< that was nearest
    bool is_known = false;
    bool may_be_behind = false;  ///< it went round the border of an open mesh, or started behind it
    /// Nothing is nearer to the way a → b than its own length.
    bool clears(const Vector3& a, const Vector3& b) const {
      return radius > 0 && (b - point).norm() + (b - a).norm() < radius;
    }
  };
  Clearance& clearance(int body, Eigen::Index vertex);

 private:
  struct Entry {
    model::Shape shape;  ///< without its mesh, which the tree has
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
