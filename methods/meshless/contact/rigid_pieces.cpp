// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/rigid_pieces.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {
namespace {

/// Pseudo-inverse that drops axes with inertia at rounding level or below `least` (kg m²): collinear or single nodes,
/// which have no angular momentum about these axes.
Matrix3 pseudo_inverse(const Matrix3& inertia, double least) {
  constexpr double kLeast = 1e-9;  // relative to the largest principal moment
  const numerics::SymmetricEigen3 eigen = numerics::symmetric_eigen(inertia);
  least = std::max(least, kLeast * eigen.values[2]);
  Matrix3 inverse = Matrix3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.values[k] > least) inverse += eigen.vectors.col(k) * eigen.vectors.col(k).transpose() / eigen.values[k];
  return inverse;
}

}  // namespace

RigidPieces::Body RigidPieces::body_of(std::vector<int> nodes, const Eigen::VectorXd& masses, const Points& positions,
                                       const Points& velocities) {
  Body body;
  body.nodes = std::move(nodes);
  body.mass = 0.0;
  body.centre = body.momentum = body.angular_momentum = Vector3::Zero();
  for (const int i : body.nodes) {
    body.masses.push_back(masses[i]);
    body.mass += masses[i];
    body.centre += masses[i] * positions.row(i).transpose();
    body.momentum += masses[i] * velocities.row(i).transpose();
  }
  body.centre /= body.mass;
  Matrix3 inertia = Matrix3::Zero();
  for (const int i : body.nodes) {
    const Vector3 place = positions.row(i).transpose() - body.centre;
    body.places.push_back(place);
    inertia += masses[i] * (place.squaredNorm() * Matrix3::Identity() - place * place.transpose());
    body.angular_momentum += place.cross(Vector3(masses[i] * velocities.row(i).transpose()));
  }
  constexpr double kRounding = 1e-12;  // relative, of coordinates
  body.inverse_inertia = pseudo_inverse(inertia, body.mass * std::pow(kRounding * body.centre.norm(), 2));
  return body;
}

void RigidPieces::place(const Body& body, Points& positions, Points& velocities) {
  const Vector3 velocity = body.momentum / body.mass, turning = body.turning();
  for (std::size_t k = 0; k < body.nodes.size(); ++k) {
    const Vector3 from = body.orientation * body.places[k];
    positions.row(body.nodes[k]) = (body.centre + from).transpose();
    velocities.row(body.nodes[k]) = (velocity + turning.cross(from)).transpose();
  }
}

std::vector<RigidPieces::Switch> RigidPieces::update(std::span<const int> pieces, int below,
                                                     const Eigen::VectorXd& masses, const Points& is_held,
                                                     const Points& positions, Points& velocities) {
  std::vector<std::vector<int>> members;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (std::size_t(pieces[i]) >= members.size()) members.resize(std::size_t(pieces[i]) + 1);
    members[std::size_t(pieces[i])].push_back(int(i));
  }
  const std::vector<char> before = is_rigid_;
  is_rigid_.assign(pieces.size(), 0);
  bodies_.clear();
  std::vector<Switch> switched;
  Points places = positions;
  for (std::vector<int>& nodes : members) {
    const auto is_free = [&](int i) { return is_held.row(i).isZero(0.0); };
    if (int(nodes.size()) >= below || !std::all_of(nodes.begin(), nodes.end(), is_free)) continue;
    const auto was_rigid = [&](int i) { return std::size_t(i) < before.size() && before[std::size_t(i)] != 0; };
    const bool is_new = !std::all_of(nodes.begin(), nodes.end(), was_rigid);
    const auto kinetic = [&] {
      double sum = 0.0;
      for (const int i : nodes) sum += 0.5 * masses[i] * velocities.row(i).squaredNorm();
      return sum;
    };
    const double all = kinetic();
    bodies_.push_back(body_of(nodes, masses, positions, velocities));
    place(bodies_.back(), places, velocities);
    for (const int i : nodes) is_rigid_[std::size_t(i)] = 1;
    if (is_new) switched.push_back({nodes, kinetic(), all - kinetic()});
  }
  return switched;
}

void RigidPieces::advance(double kept, double push, double step, const Points& accelerations, Points& positions,
                          Points& velocities) {
  for (Body& body : bodies_) {
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      const Vector3 own = body.masses[k] * accelerations.row(body.nodes[k]).transpose();
      force += own;
      moment += (body.orientation * body.places[k]).cross(own);
    }
    body.momentum = kept * body.momentum + push * force;
    body.angular_momentum = kept * body.angular_momentum + push * moment;
    if (step > 0.0) {
      body.centre += step * body.momentum / body.mass;
      const Vector3 turn = step * body.turning();
      if (const double angle = turn.norm(); angle > 0.0)
        body.orientation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * body.orientation;
    }
    place(body, positions, velocities);
  }
}

}  // namespace deformbench::meshless
