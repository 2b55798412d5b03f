// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/contact/body_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace deformbench::meshless {
namespace {

// Surfel area / r² for neighbours 0.8 to 1.3 r apart. Areas sum to that of the skin within a tenth (test).
constexpr double kAreaOfSurfel = 0.85;
// Distance from the nearest surfel, in radii, beyond which a sheet has ended.
constexpr double kBorder = 1.5;
// A surfel this many radii in front of its nearest surfel is outside, for any sheet shape between surfels.
constexpr double kOutside = 1.0;
// Largest distance of a surfel from its sheet, in radii. Projections farther than the nearest surfel plus this are not
// the nearest surface point; they occur at edges, where that point is on neither of two sheets.
constexpr double kOffSheet = 0.2;
// Largest distance, in radii, in front of the skin at which a crack surfel is still on the skin.
constexpr double kOnSkin = 1e-6;

}  // namespace

BodyContact::BodyContact(const Scene& scene, const NodeCloud& cloud, const SurfelSurface& surface,
                         const BodyContactOptions& options)
    : cloud_(cloud), surface_(surface), options_(options), skin_(skin_of(scene)) {
  renew();
}

void BodyContact::renew() {
  const SurfelMotion& motion = surface_.motion();
  const auto surfels = motion.surfels();
  node_pieces_ = meshless::pieces_of_nodes(cloud_);
  surfel_pieces_ = meshless::pieces_of_surfels(motion, node_pieces_);
  // Crack sheets extend beyond the skin by up to a surfel's radius.
  for (std::size_t s = is_outside_.size(); s < surfels.size(); ++s)
    is_outside_.push_back(surface_.sheets_of_surfels()[s] >= surface_.skin_sheet_count() &&
                          skin_.nearest(surfels[s].position)->distance > kOnSkin * surfels[s].radius());
  for (std::size_t s = 0; s < surfels.size(); ++s)
    if (is_outside_[s]) surfel_pieces_[s] = -1;
  double radius = 0.0;
  std::vector<char> carries(std::size_t(cloud_.size()), 0);
  stiffnesses_.assign(surfels.size(), 0.0);
  for (std::size_t s = 0; s < surfels.size(); ++s) {
    radius = std::max(radius, surfels[s].radius());
    if (surfel_pieces_[s] < 0) continue;
    const auto nodes = motion.nodes_of(s);
    const auto weights = motion.weights_of(s);
    double modulus_over_support = 0.0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto j = std::size_t(nodes[k]);
      carries[j] = 1;
      modulus_over_support += weights[k] * cloud_.materials[j].young_modulus / cloud_.supports[j];
    }
    const double area = kAreaOfSurfel * surfels[s].axis_u.norm() * surfels[s].axis_v.norm();
    stiffnesses_[s] = 0.5 * options_.stiffness * modulus_over_support * area;
  }
  carriers_.clear();
  for (Eigen::Index j = 0; j < cloud_.size(); ++j)
    if (carries[std::size_t(j)] != 0) carriers_.push_back(int(j));
  // Farther than contacts of a sheet at rest, so that the undeformed body does not touch itself.
  const double support = *std::max_element(cloud_.supports.begin(), cloud_.supports.end());
  const double apart = std::max(options_.apart * support, 2.0 * kSurfelReach * radius);
  tree_.emplace(surfels, surfel_pieces_, apart);
  forces_.emplace(cloud_, motion);
  shares_.reset();
  gradients_.assign(std::size_t(cloud_.size()), Matrix3::Zero());
  nearest_.assign(surfels.size(), std::numeric_limits<double>::infinity());
  nearest_surfels_.assign(surfels.size(), -1);
  near_.clear();
}

void BodyContact::add_forces(const Eigen::Ref<const Points>& positions, Points& forces) {
  const SurfelMotion& motion = surface_.motion();
  const Points u = positions - cloud_.rest;
  set_displacement_gradients(cloud_, u, carriers_, gradients_);
  now_ = motion.carried(u, gradients_);
  radii_.resize(now_.size());
  largest_radius_ = 0.0;
  for (std::size_t s = 0; s < now_.size(); ++s) {
    radii_[s] = now_[s].radius();
    if (surfel_pieces_[s] >= 0) largest_radius_ = std::max(largest_radius_, radii_[s]);
  }
  tree_->refit(now_);
  find_contacts();
  has_gradient_.assign(now_.size(), 0);
  surfel_gradients_.resize(now_.size());
  for (const SurfelContact& contact : contacts_) push(contact);
  forces_->move_to(forces);
}

const Matrix3& BodyContact::gradient_of(int surfel) {
  const auto s = std::size_t(surfel);
  if (has_gradient_[s] == 0) surfel_gradients_[s] = carried_gradient(surface_.motion(), s, gradients_);
  has_gradient_[s] = 1;
  return surfel_gradients_[s];
}

/// [KMHTG04], [PKAGDG05] §5
void BodyContact::push(const SurfelContact& contact) {
  const auto surfels = surface_.motion().surfels();
  const Vector3 force = contact.stiffness * contact.depth * contact.normal;
  forces_->add(std::size_t(contact.surfel), surfels[std::size_t(contact.surfel)].position, force);
  const std::span shares = std::span(sharing_).subspan(contact.first_share, contact.share_count);
  Vector3 to_mean = Vector3::Zero();
  for (const auto& [k, share] : shares) to_mean += share * (now_[std::size_t(k)].position - contact.foot);
  for (const auto& [k, share] : shares) {
    const auto s = std::size_t(k);
    const Vector3& now = now_[s].position;
    forces_->add(s, material_point(surfels[s].position, now, gradient_of(k), now - to_mean), -share * force);
  }
}

void BodyContact::find_contacts() {
  contacts_.clear();
  sharing_.clear();
  tree_->for_pairs(kSurfelReach * largest_radius_, [&](int a, int b) {
    const double distance2 = (now_[std::size_t(a)].position - now_[std::size_t(b)].position).squaredNorm();
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
      const auto s = std::size_t(one);
      if (distance2 > nearest_[s] || (distance2 == nearest_[s] && other > nearest_surfels_[s])) continue;
      if (nearest_surfels_[s] < 0) near_.push_back(one);
      nearest_[s] = distance2;
      nearest_surfels_[s] = other;
    }
  });
  std::sort(near_.begin(), near_.end());
  for (const int surfel : near_) {
    const auto s = std::size_t(surfel), t = std::size_t(nearest_surfels_[s]);
    if (now_[t].normal.dot(now_[s].position - now_[t].position) < kOutside * radii_[t]) find_contacts_of(surfel);
    nearest_[s] = std::numeric_limits<double>::infinity();
    nearest_surfels_[s] = -1;
  }
  near_.clear();
}

std::optional<SurfelMean> BodyContact::mean_of(const Patch& patch, const Vector3& x) const {
  SurfelMeanSum sum(x);
  for (const int s : patch.surfels) sum.add(now_[std::size_t(s)], radii_[std::size_t(s)]);
  return sum.mean();
}

int BodyContact::nearest_of(const Patch& patch, const Vector3& x) const {
  return *std::min_element(patch.surfels.begin(), patch.surfels.end(), [&](int a, int b) {
    return (now_[std::size_t(a)].position - x).squaredNorm() < (now_[std::size_t(b)].position - x).squaredNorm();
  });
}

/// Whether a foot lies beyond a crease of its sheet: on the other side of a second sheet of the piece than its
/// surrounding surfels, which are on the surface. Valid for convex and concave edges.
bool BodyContact::is_clipped(const Vector3& foot, const Patch& own, std::span<const Patch> patches) const {
  for (const Patch& patch : patches) {
    if (&patch == &own) continue;
    const auto mean = mean_of(patch, foot);
    if (!mean) continue;
    // Surfels on the crease itself are on neither side.
    double side = 0.0;
    for (const int s : own.surfels) {
      const Vector3& x = now_[std::size_t(s)].position;
      if ((x - foot).norm() < kSurfelKernelWidth * radii_[std::size_t(s)]) side += mean->normal.dot(x - mean->position);
    }
    const double of_foot = mean->normal.dot(foot - mean->position);
    if (side <= 0.0 ? of_foot > 0.0 : of_foot < 0.0) return true;
  }
  return false;
}

void BodyContact::share_out(const Patch& patch, SurfelContact& contact) {
  contact.first_share = sharing_.size();
  double sum = 0.0;
  for (const int s : patch.surfels) {
    const double weight = SurfelMeanSum(contact.foot).weight(now_[std::size_t(s)], radii_[std::size_t(s)]);
    if (weight > 0.0) sharing_.emplace_back(s, weight);
    sum += weight;
  }
  contact.share_count = sharing_.size() - contact.first_share;
  for (std::size_t k = contact.first_share; k < sharing_.size(); ++k) sharing_[k].second /= sum;
}

/// One contact per piece that the surfel is in.
void BodyContact::find_contacts_of(int surfel) {
  const Vector3& x = now_[std::size_t(surfel)].position;
  std::vector<Patch> patches;
  tree_->for_near(surfel, (kSurfelReach + kSurfelKernelWidth) * largest_radius_, [&](int other) {
    const int piece = surfel_pieces_[std::size_t(other)];
    const int sheet = surface_.sheets_of_surfels()[std::size_t(other)];
    auto found = std::find_if(patches.begin(), patches.end(),
                              [&](const Patch& patch) { return patch.piece == piece && patch.sheet == sheet; });
    if (found == patches.end()) found = patches.insert(patches.end(), Patch{piece, sheet, {}});
    found->surfels.push_back(other);
  });
  for (Patch& patch : patches) {
    std::sort(patch.surfels.begin(), patch.surfels.end());
    patch.nearest = nearest_of(patch, x);
    patch.away = (now_[std::size_t(patch.nearest)].position - x).norm();
  }
  std::sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) {
    return std::tuple(a.piece, a.away, a.sheet) < std::tuple(b.piece, b.away, b.sheet);
  });
  for (std::size_t first = 0, last = 0; first < patches.size(); first = last) {
    while (last < patches.size() && patches[last].piece == patches[first].piece) ++last;
    find_contact_with(surfel, std::span(patches).subspan(first, last - first));
  }
}

/// The nearest surface point decides whether the surfel is inside.
void BodyContact::find_contact_with(int surfel, std::span<const Patch> patches) {
  const Vector3& x = now_[std::size_t(surfel)].position;
  const Patch& front = patches.front();
  double least = front.away + kOffSheet * radii_[std::size_t(front.nearest)];
  std::optional<SurfelContact> contact;
  const Patch* of_contact = nullptr;
  for (const Patch& patch : patches) {
    const auto start = std::size_t(patch.nearest);
    if (patch.away > kSurfelReach * radii_[start] || patch.away - kBorder * largest_radius_ >= least) continue;
    const auto mean_at = [&](const Vector3& y) { return mean_of(patch, y); };
    const auto foot = project_by_means(x, now_[start], radii_[start], mean_at);
    if (!foot || (*foot - x).norm() >= least) continue;
    const int beside = nearest_of(patch, *foot);
    if ((now_[std::size_t(beside)].position - *foot).norm() > kBorder * radii_[std::size_t(beside)]) continue;
    if (is_clipped(*foot, patch, patches)) continue;
    const auto mean = mean_of(patch, *foot);
    if (!mean) continue;
    least = (*foot - x).norm();
    contact = {surfel, beside, *foot, mean->normal, -mean->normal.dot(x - *foot), stiffnesses_[std::size_t(surfel)],
               0,      0};
    of_contact = &patch;
  }
  if (!contact || !(contact->depth > 0.0)) return;
  share_out(*of_contact, *contact);
  contacts_.push_back(*contact);
}

double BodyContact::energy() const {
  double sum = 0.0;
  for (const SurfelContact& contact : contacts_) sum += 0.5 * contact.stiffness * contact.depth * contact.depth;
  return sum;
}

/// Contact between s and the opposite point t, with node shares S_s and S_t: k (S_s − S_t)ᵀ(S_s − S_t) ≤ 2 k (S_sᵀS_s +
/// S_tᵀS_t). Every surfel is part of two contacts, its own and that of its opposite.
Points BodyContact::stiffness_bound_times(const Eigen::Ref<const Points>& u) const {
  if (!shares_) shares_ = carrying_shares(cloud_, surface_.motion());
  Points at_surfels = *shares_ * u;
  for (Eigen::Index s = 0; s < at_surfels.rows(); ++s) at_surfels.row(s) *= 4.0 * stiffnesses_[std::size_t(s)];
  return shares_->transpose() * at_surfels;
}

}  // namespace deformbench::meshless
