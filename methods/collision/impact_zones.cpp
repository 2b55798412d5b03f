// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/impact_zones.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <set>

namespace deformbench::collision {
namespace {

using Basis = Eigen::Matrix<double, 3, Eigen::Dynamic>;

/// The velocity at r as a linear function of the zone's unknowns: V, and ω (of length 3) or A (row by row), which are
/// scaled by the zone's size so that all have the same unit.
Basis basis_at(ZoneMotion motion, const Vector3& r) {
  Basis basis(3, motion == ZoneMotion::Rigid ? 6 : 12);
  basis.setZero();
  basis.leftCols<3>().setIdentity();
  if (motion == ZoneMotion::Rigid) {
    basis.col(3) = Vector3::UnitX().cross(r);
    basis.col(4) = Vector3::UnitY().cross(r);
    basis.col(5) = Vector3::UnitZ().cross(r);
  } else {
    for (int c = 0; c < 3; ++c) basis.block<1, 3>(c, 3 + 3 * c) = r.transpose();
  }
  return basis;
}

/// A⁺ of a symmetric A ≥ 0: drops eigenvectors below `least` times the largest eigenvalue. They are returned in
/// `kernel` if given.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& a, double least, Eigen::MatrixXd* kernel = nullptr) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
  const Eigen::VectorXd& values = solver.eigenvalues();
  const double bound = least * values.cwiseAbs().maxCoeff();
  Eigen::Index below = 0;
  while (below < values.size() && values[below] <= bound) ++below;
  if (kernel) *kernel = solver.eigenvectors().leftCols(below);
  const auto vectors = solver.eigenvectors().rightCols(values.size() - below);
  return vectors * values.tail(values.size() - below).cwiseInverse().asDiagonal() * vectors.transpose();
}

}  // namespace

void project_velocities(ZoneMotion motion, const std::vector<int>& free, const std::vector<int>& anchors,
                        const Points& positions, const Eigen::VectorXd& masses, const Points& is_free,
                        Points& velocities) {
  double total = 0.0;
  Vector3 centre = Vector3::Zero(), mean = Vector3::Zero();
  // Relative to one of its vertices, for accuracy far from the origin.
  const Vector3 origin = positions.row(free.front()).transpose();
  for (const int i : free) {
    total += masses[i];
    centre += masses[i] * (positions.row(i).transpose() - origin);
    mean += masses[i] * velocities.row(i).transpose();
  }
  centre /= total;
  mean /= total;
  double size = 0.0;
  for (const int i : free) size = std::max(size, (positions.row(i).transpose() - origin - centre).norm());
  for (const int i : anchors) size = std::max(size, (positions.row(i).transpose() - origin - centre).norm());
  if (!(size > 0.0)) size = 1.0;
  const auto at = [&](int i) {
    return basis_at(motion, ((positions.row(i).transpose() - origin - centre) / size).eval());
  };

  // Least squares Σ m |B z − (v − mean)|², under B z = v − mean in the prescribed components.
  const Eigen::Index unknowns = motion == ZoneMotion::Rigid ? 6 : 12;
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(unknowns, unknowns), held = mass;
  Eigen::VectorXd momentum = Eigen::VectorXd::Zero(unknowns), given = momentum;
  const auto hold = [&](int i, const Basis& basis) {
    for (int c = 0; c < 3; ++c)
      if (is_free(i, c) == 0.0) {
        held += basis.row(c).transpose() * basis.row(c);
        given += basis.row(c).transpose() * (velocities(i, c) - mean[c]);
      }
  };
  for (const int i : free) {
    const Basis basis = at(i);
    mass += masses[i] / total * basis.transpose() * basis;
    momentum += masses[i] / total * basis.transpose() * (velocities.row(i).transpose() - mean);
    hold(i, basis);
  }
  for (const int i : anchors) hold(i, at(i));
  constexpr double kLeast = 1e-13;  // of squares: coplanar or collinear to 3e-7 of the zone's size
  Eigen::VectorXd motion_found;
  if (held.isZero(0.0)) {
    motion_found = pseudo_inverse(mass, kLeast) * momentum;
  } else {
    Eigen::MatrixXd kernel;
    motion_found = pseudo_inverse(held, kLeast, &kernel) * given;
    if (kernel.cols() > 0)
      motion_found += kernel * (pseudo_inverse(kernel.transpose() * mass * kernel, kLeast) *
                                (kernel.transpose() * (momentum - mass * motion_found)));
  }
  for (const int i : free) {
    const Vector3 v = mean + at(i) * motion_found;
    for (int c = 0; c < 3; ++c)
      if (is_free(i, c) != 0.0) velocities(i, c) = v[c];
  }
}

ImpactZones::ImpactZones(const Points& is_free)
    : is_free_(is_free),
      parents_(std::size_t(is_free.rows())),
      is_member_(parents_.size(), 0),
      is_stopped_(parents_.size(), 0),
      has_changed_(parents_.size(), 0) {
  for (std::size_t i = 0; i < parents_.size(); ++i) parents_[i] = int(i);
}

int ImpactZones::root(int vertex) const {
  while (parents_[std::size_t(vertex)] != vertex) {
    parents_[std::size_t(vertex)] = parents_[std::size_t(parents_[std::size_t(vertex)])];
    vertex = parents_[std::size_t(vertex)];
  }
  return vertex;
}

bool ImpactZones::merge(const std::array<int, 4>& vertices) {
  int into = -1;
  bool has_changed = false;
  for (const int i : vertices) {
    if (is_anchor(i)) continue;
    const int other = root(i);
    has_changed |= !is_member_[std::size_t(i)];
    is_member_[std::size_t(i)] = 1;
    if (into < 0) {
      into = other;
    } else if (other != into) {
      parents_[std::size_t(other)] = into;
      is_stopped_[std::size_t(into)] |= is_stopped_[std::size_t(other)];
      has_changed = true;
    }
  }
  if (into < 0) return false;
  for (const int i : vertices) {
    if (!is_anchor(i)) continue;
    const bool is_known = std::any_of(anchors_.begin(), anchors_.end(), [&](const std::array<int, 2>& anchor) {
      return anchor[1] == i && root(anchor[0]) == into;
    });
    if (is_known) continue;
    anchors_.push_back({into, i});
    has_changed = true;
  }
  if (has_changed) has_changed_[std::size_t(into)] = 1;
  return has_changed;
}

bool ImpactZones::stop(const std::array<int, 4>& vertices) {
  for (const int i : vertices) {
    if (is_anchor(i)) continue;
    const std::size_t zone = std::size_t(root(i));
    if (is_stopped_[zone]) return false;
    is_stopped_[zone] = has_changed_[zone] = 1;
    return true;
  }
  return false;
}

std::vector<ImpactZones::Zone> ImpactZones::collect(bool changed_only) const {
  std::vector<Zone> zones;
  std::map<int, std::size_t> number_of;
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    if (!is_member_[i]) continue;
    const int zone = root(int(i));
    if (changed_only && !has_changed_[std::size_t(zone)]) continue;
    const auto [at, is_new] = number_of.try_emplace(zone, zones.size());
    if (is_new) zones.push_back({{}, {}, bool(is_stopped_[std::size_t(zone)])});
    zones[at->second].free.push_back(int(i));
  }
  std::set<std::array<int, 2>> seen;
  for (const auto& [member, anchor] : anchors_) {
    const auto at = number_of.find(root(member));
    if (at != number_of.end() && seen.insert({at->first, anchor}).second) zones[at->second].anchors.push_back(anchor);
  }
  return zones;
}

std::vector<ImpactZones::Zone> ImpactZones::gather() {
  std::vector<Zone> zones = collect(true);
  std::fill(has_changed_.begin(), has_changed_.end(), char(0));
  return zones;
}

}  // namespace deformbench::collision
