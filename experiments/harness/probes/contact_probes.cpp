// SPDX-License-Identifier: BSD-3-Clause
// Vertices inside bodies or behind planes, as measured by the harness, and the contacts reported by the method.
#include <algorithm>
#include <limits>
#include <memory>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"
#include "methods/numerics/mesh_distance.hpp"

namespace deformbench::harness {
namespace {

/// Kinematic bodies follow the scene, not the method's report; dynamic bodies follow the method.
model::Pose pose_of(const ProbeInput& input, std::size_t body) {
  const model::RigidBody& given = input.scene.rigid_bodies[body];
  if (given.is_kinematic()) return given.pose_at(input.time);
  if (body >= input.rigid_bodies.size()) return given.start;
  return {input.rigid_bodies[body].position, input.rigid_bodies[body].orientation};
}

class Penetration {
 public:
  explicit Penetration(const Scene& scene) : is_free_(free_vertices(scene)) {
    for (std::size_t b = 0; b < scene.rigid_bodies.size(); ++b) {
      const model::Shape& shape = scene.rigid_bodies[b].shape;
      surfaces_.push_back(shape.kind == model::ShapeKind::Mesh ? std::make_unique<numerics::MeshDistance>(shape.mesh)
                                                               : nullptr);
      attached_.emplace_back(is_free_.size(), false);
    }
    for (const auto& attachment : scene.attachments)
      attached_[std::size_t(attachment.body)][std::size_t(attachment.vertex)] = true;
    const Points& rest = scene.rest_positions();
    if (rest.rows() > 0) tolerance_ = 1e-6 * (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  }

  /// Depth of every vertex, m; 0 outside.
  std::vector<double> depths(const ProbeInput& input) const {
    std::vector<double> depths(is_free_.size(), 0.0);
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
      const model::Pose pose = pose_of(input, b);
      for (std::size_t i = 0; i < depths.size(); ++i) {
        if (!is_free_[i] || attached_[b][i]) continue;
        const Vector3 world = input.positions.row(Eigen::Index(i));
        const Vector3 point = pose.orientation.transpose() * (world - pose.position);
        depths[i] = std::max(depths[i], depth(input.scene.rigid_bodies[b].shape, b, point));
      }
    }
    for (const auto& plane : input.scene.colliders)
      for (std::size_t i = 0; i < depths.size(); ++i)
        if (is_free_[i])
          depths[i] = std::max(depths[i], plane.offset - input.positions.row(Eigen::Index(i)).dot(plane.normal));
    return depths;
  }
  double tolerance() const { return tolerance_; }

 private:
  /// m, negative outside. Points nearest to the rim of an open mesh are outside.
  double depth(const model::Shape& shape, std::size_t body, const Vector3& point) const {
    Vector3 closest, normal;
    const numerics::MeshDistance* surface = surfaces_[body].get();
    if (surface == nullptr) return -model::signed_distance(shape, point, closest, normal);
    const bool is_in_box =
        (point.array() >= surface->lower().array()).all() && (point.array() <= surface->upper().array()).all();
    if (surface->is_closed() && !is_in_box) return 0.0;
    const auto nearest = surface->nearest(point);
    return nearest && !nearest->is_on_border ? -nearest->distance : 0.0;
  }

  std::vector<bool> is_free_;
  std::vector<std::vector<bool>> attached_;                        ///< body, vertex
  std::vector<std::unique_ptr<numerics::MeshDistance>> surfaces_;  ///< of mesh bodies
  double tolerance_ = 0.0;
};

ChannelEntry penetration_channel(ChannelSpec spec,
                                 double (*measure)(const std::vector<double>& depths, double tolerance)) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [measure](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(s, [penetration = std::make_shared<const Penetration>(scene), measure](
                                 const ProbeInput& input, std::span<double> row) {
      row[0] = measure(penetration->depths(input), penetration->tolerance());
    });
  };
  return entry;
}

ChannelEntry contact_count(ChannelSpec spec, int ContactFacet::Contacts::*count) {
  return from_facet<ContactFacet>(scalar_channel(std::move(spec),
                                                 [count](const ProbeInput& input) {
                                                   return double(facet_of<ContactFacet>(input).step_contacts().*count);
                                                 }),
                                  "ContactFacet");
}

}  // namespace

std::vector<ChannelEntry> contact_channels() {
  auto entries = needing(
      Needs::Obstacles,
      {
          penetration_channel(
              {"penetration_depth", "m", "length",
               "Depth of the deepest vertex inside a rigid body or behind a plane; 0 if none. Held vertices, and those "
               "attached to the body, do not count."},
              [](const std::vector<double>& depths, double) {
                return depths.empty() ? 0.0 : *std::max_element(depths.begin(), depths.end());
              }),
          penetration_channel(
              {"penetrating_vertices", "1", "count",
               "Vertices deeper inside a rigid body or behind a plane than 1e-6 of the rest shape's diagonal."},
              [](const std::vector<double>& depths, double tolerance) {
                return double(
                    std::count_if(depths.begin(), depths.end(), [&](double depth) { return depth > tolerance; }));
              }),
      });
  using Contacts = ContactFacet::Contacts;
  entries.push_back(
      contact_count({"body_contacts", "1", "count", "Vertices against planes and rigid bodies in the last step."},
                    &Contacts::with_bodies));
  entries.push_back(
      contact_count({"self_contacts", "1", "count", "Vertices against triangles of the same mesh in the last step."},
                    &Contacts::with_itself));
  entries.push_back(
      contact_count({"corner_contacts", "1", "count", "Corners of rigid bodies against triangles in the last step."},
                    &Contacts::corners));
  return entries;
}

}  // namespace deformbench::harness
