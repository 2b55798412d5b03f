// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/meshless_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/meshless/contact/contact_arrays.hpp"
#include "methods/meshless/contact/plane_contact.hpp"
#include "methods/meshless/nodes/cloud_arrays.hpp"
#include "methods/meshless/nodes/shape_functions.hpp"
#include "methods/meshless/sampling/sampling_arrays.hpp"
#include "methods/meshless/surface/surfel_arrays.hpp"
#include "methods/meshless/weights/crack_arrays.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::meshless {
namespace {

constexpr const char* kPlasticStrains = "node_plastic_strains";
constexpr double kMostSubsteps = 1e7;  // same as the parameter's maximum; more would look like a hang

/// Same as Eigen's allFinite, which tests numbers one by one.
bool is_finite(const Points& points) {
  return (0.0 * points.array()).sum() == 0.0;  // 0 times a non-finite number is NaN
}

/// A solid with new references needs a finely triangulated skin.
Scene scene_for(Scene scene, const MeshlessOptions& options) {
  if (options.rebase_flow > 0.0 && scene.skin.triangle_count() > 0)
    scene.skin = refined(scene.skin, scene.particles.supports.minCoeff());
  return scene;
}

}  // namespace

MeshlessSimulation::MeshlessSimulation(const Scene& scene, const MeshlessOptions& options, int threads,
                                       bool time_phases)
    : scene_(scene_for(scene, options)),
      options_(options),
      cloud_(make_node_cloud(scene, options.cloud)),
      weights_(scene, options.weights, cloud_),
      surface_(scene_, options.surfels, cloud_, options.weights, weights_.cracks()),
      elasticity_(cloud_, options.elastic, threads),
      masses_(Eigen::Map<const Eigen::VectorXd>(cloud_.masses.data(), cloud_.size())),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()),
      clock_(time_phases) {
  set_held();
  for (const auto& load : scene_.point_loads) last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
  for (const auto& load : scene_.traction_loads)
    last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
  threads_ = elasticity_.threads();
  if (options_.resampling.where != Resampling::None) {
    resampling_.emplace(scene_, cloud_, options_.resampling, options_.seed);
    parts_.push_back(&*resampling_);
  }
  if (options_.body_contact.is_on)
    body_contact_ = std::make_unique<BodyContact>(scene_, cloud_, surface_, options_.body_contact);
  set_contact_stiffnesses();
  velocities_.array() *= 1.0 - is_held_.array();
  make_rigid();
  substeps_ = options_.substeps > 0 ? options_.substeps : stable_substeps();
  if (options_.plasticity.is_on) {
    if (options_.plasticity.flow == PlasticFlow::Additive)
      plastic_strains_.assign(std::size_t(cloud_.size()), Matrix3::Zero());
    else
      plastic_stretches_.assign(std::size_t(cloud_.size()), {});
  }
  report_cloud();
  if (options_.cracks.stress != CrackStress::None)
    cracks_ = std::make_unique<CrackPart>(scene_, options_.cracks, cloud_, weights_, elasticity_);
}

void MeshlessSimulation::set_held() {
  is_held_ = Points::Zero(cloud_.size(), 3);
  mobility_.resize(cloud_.size(), 3);
  held_.clear();
  const auto prescribed = prescribed_components(scene_);
  for (Eigen::Index v = 0; v < cloud_.size(); ++v)
    for (int c = 0; c < 3; ++c) {
      const bool is_free = !prescribed[std::size_t(v)][std::size_t(c)];
      mobility_(v, c) = is_free ? 1.0 / masses_[v] : 0.0;
      if (is_free) continue;
      is_held_(v, c) = 1.0;
      held_.push_back(3 * v + c);
    }
  held_values_.resize(held_.size());
}

void MeshlessSimulation::set_contact_stiffnesses() {
  contact_stiffnesses_.clear();
  for (std::size_t i = 0; i < cloud_.supports.size(); ++i)
    contact_stiffnesses_.push_back(options_.contact_stiffness * cloud_.materials[i].young_modulus * cloud_.supports[i]);
}

int MeshlessSimulation::stable_substeps() {
  const bool has_obstacles = !scene_.colliders.empty() || !scene_.rigid_bodies.empty();
  std::function<Points(const Points&)> contacts;
  if (has_obstacles || body_contact_)
    contacts = [&](const Points& u) {
      Points pull = body_contact_ ? body_contact_->stiffness_bound_times(u) : Points::Zero(u.rows(), 3);
      if (has_obstacles)
        pull += Eigen::Map<const Eigen::VectorXd>(contact_stiffnesses_.data(), cloud_.size()).asDiagonal() * u;
      return pull;
    };
  // Rigid pieces do not vibrate: their nodes count as held.
  Points is_stiff = is_held_;
  for (std::size_t i = 0; i < rigid_.is_rigid().size(); ++i)
    if (rigid_.is_rigid()[i] != 0) is_stiff.row(Eigen::Index(i)).setOnes();
  const double stable = stable_time_step(elasticity_, cloud_, is_stiff, contacts);
  const double needed = std::ceil(scene_.time_step / (options_.safety * stable));
  if (needed > kMostSubsteps)
    throw InputError(
        fmt::format("meshless: a time step of {} s needs {:.2g} substeps of at most {:.3g} s, expected at most {:.0g}",
                    scene_.time_step, needed, options_.safety * stable, kMostSubsteps));
  const int substeps = std::max(1, int(needed));
  if (substeps != substeps_ || steps_ == 0)
    events_.push_back({"stable_time_step", 0, fmt::format("{:.6g} s about rest, {} substeps", stable, substeps)});
  return substeps;
}

void MeshlessSimulation::make_rigid() {
  if (options_.rigid_pieces_below == 0) return;
  const auto switched =
      rigid_.update(pieces_of_nodes(cloud_), options_.rigid_pieces_below, masses_, is_held_, positions_, velocities_);
  for (const RigidPieces::Switch& piece : switched)
    events_.push_back({"rigid_piece", piece.nodes.front(),
                       fmt::format("{} nodes, {:.6g} J of motion, {:.6g} J of swinging lost, {:.6g} J of strain stay",
                                   piece.nodes.size(), piece.kinetic, piece.internal,
                                   elasticity_.energy_of(positions_, piece.nodes))});
}

void MeshlessSimulation::report_cloud() {
  for (std::size_t i = 0; i < cloud_.ranks.size(); ++i) report_rank(i);
}

void MeshlessSimulation::report_rank(std::size_t node) {
  if (cloud_.ranks[node] < 3)
    events_.push_back({"rank_deficient_node", std::int64_t(node), fmt::format("rank {} of 3", cloud_.ranks[node])});
}

void MeshlessSimulation::advance_cracks(double end_time) {
  // Plain weights ignore cracks: experiments on fronts alone skip the transfer of swept area.
  if (cracks_ && options_.weights.kind != Weights::Plain) cracks_->hand_over(weights_.cracks());
  const bool has_changed = weights_.advance_to(end_time);
  const std::size_t surfels = surface_.now().size();
  surface_.update(weights_.cracks(), weights_.last_changes());
  if (cracks_ && !surface_.empty()) cracks_->hand_over(surface_, weights_.cracks());
  if (body_contact_ && (has_changed || surface_.now().size() != surfels)) body_contact_->renew();
  if (!has_changed) return;
  may_resample_ = true;
  elasticity_.follow(weights_.graph().changed_nodes());
  set_plastic_state(weights_.graph().changed_nodes());
  for (const int node : weights_.graph().changed_nodes()) report_rank(std::size_t(node));
  make_rigid();
  clock_.charge(PhaseClock::Weights);
  if (options_.substeps == 0) substeps_ = stable_substeps();
  clock_.charge(PhaseClock::StableStep);
  set_acceleration(time_);
}

void MeshlessSimulation::resample() {
  const auto resampled = resampling_->pass(cloud_, weights_);
  may_resample_ = resampled.has_value();
  if (!resampled) return;
  std::vector<Matrix3> gradients;
  for (Eigen::Index i = 0; i < cloud_.size(); ++i)
    gradients.push_back(Matrix3::Identity() - cloud_.projections[std::size_t(i)] +
                        elasticity_.deformation_gradient(i, positions_));
  for (const NodeSplit& split : resampled->splits)
    events_.push_back({"node_split", split.node,
                       fmt::format("sum {:.6g}, {} inserted, {} parts of support {:.6g} m", split.sum, split.inserted,
                                   split.parts, split.support)});
  const Points rest = cloud_.rest;
  const std::vector<int>& parents = resampled->parents;
  Points positions(Eigen::Index(parents.size()), 3), velocities(Eigen::Index(parents.size()), 3);
  for (std::size_t k = 0; k < parents.size(); ++k) {
    const auto row = Eigen::Index(k), parent = Eigen::Index(parents[k]);
    const Vector3 way = resampled->nodes.positions.row(row) - rest.row(parent);
    positions.row(row) = positions_.row(parent) + (gradients[std::size_t(parent)] * way).transpose();
    velocities.row(row) = velocities_.row(parent);
  }
  positions_ = std::move(positions);
  velocities_ = std::move(velocities);
  // Volumes of a solid that has flowed are stress-free volumes; a kernel sum over the current shape would differ.
  std::vector<double> volumes;
  if (references_ > 0)
    for (std::size_t k = 0; k < parents.size(); ++k) {
      const auto parent = std::size_t(parents[k]);
      volumes.push_back(cloud_.volumes[parent] * resampled->nodes.masses[k] / cloud_.masses[parent]);
    }
  parted_.follow_nodes(parents);
  for (std::size_t k = largest_supports_.size(); k < parents.size() && !largest_supports_.empty(); ++k)
    largest_supports_.push_back(largest_supports_[std::size_t(parents[k])]);
  renew_node_cloud(scene_, resampled->nodes.masses, cloud_, &parted_);
  if (references_ > 0) cloud_.volumes = std::move(volumes);
  weights_.renew_graph(cloud_);
  elasticity_.follow();
  surface_.renew_nodes(cloud_, weights_.cracks());
  if (body_contact_) body_contact_->renew();
  if (cracks_) cracks_->follow_nodes(parents);
  if (!plastic_strains_.empty()) {
    std::vector<Matrix3> plastic;
    for (const int parent : parents) plastic.push_back(plastic_strains_[std::size_t(parent)]);
    plastic_strains_ = std::move(plastic);
  }
  if (!plastic_stretches_.empty()) {
    std::vector<PlasticStretch> plastic;
    for (const int parent : parents) plastic.push_back(plastic_stretches_[std::size_t(parent)]);
    plastic_stretches_ = std::move(plastic);
  }
  set_plastic_state();
  set_contact_stiffnesses();
  masses_ = Eigen::Map<const Eigen::VectorXd>(cloud_.masses.data(), cloud_.size());
  threads_ = elasticity_.threads();
  loads_.resize(0, 3);
  acceleration_.resize(cloud_.size(), 3);
  set_held();
  place_prescribed(scene_, time_, positions_);
  clock_.charge(PhaseClock::Resampling);
  if (options_.substeps == 0) substeps_ = stable_substeps();
  clock_.charge(PhaseClock::StableStep);
  set_acceleration(time_);
}

std::vector<std::string> MeshlessSimulation::array_names() const {
  std::vector<std::string> names = cloud_array_names();
  for (const auto& more :
       {shape_array_names(), sampling_array_names(), crack_array_names(), surfel_array_names(), contact_array_names()})
    names.insert(names.end(), more.begin(), more.end());
  names.emplace_back(kPlasticStrains);
  if (cracks_)
    for (const std::string& name : CrackPart::array_names())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

MethodArray MeshlessSimulation::plastic_strain_array() const {
  MethodArray array{kPlasticStrains,
                    "1",
                    "strain",
                    "Plastic strain of every node, ½ (G − I) of a plastic metric G; in the reference of now.",
                    {std::size_t(positions_.rows()), 3, 3}};
  array.reals.assign(9 * std::size_t(positions_.rows()), 0.0);
  const std::size_t count = std::max(plastic_strains_.size(), plastic_stretches_.size());
  for (std::size_t k = 0; k < count; ++k) {
    const Matrix3 strain = plastic_strains_.empty()
                               ? Matrix3(0.5 * (plastic_stretches_[k].metric - Matrix3::Identity()))
                               : plastic_strains_[k];
    std::copy_n(strain.data(), 9, array.reals.begin() + std::ptrdiff_t(9 * k));
  }
  return array;
}

MethodArray MeshlessSimulation::array(const std::string& name) const {
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (cracks_ && is_among(CrackPart::array_names())) return cracks_->array(name);
  if (is_among(shape_array_names())) {
    const Points& around = scene_.skin.positions.rows() > 0 ? scene_.skin.positions : cloud_.rest;
    const numerics::Box box{around.colwise().minCoeff(), around.colwise().maxCoeff()};
    return shape_array(name, cloud_, sample_points(box, options_.shape_points, options_.seed));
  }
  if (is_among(sampling_array_names()))
    return sampling_array(name, cloud_, scene_, resampling_ ? resampling_->splits() : std::vector<NodeSplit>{});
  if (is_among(crack_array_names())) return crack_array(name, cloud_, weights_);
  if (is_among(surfel_array_names())) {
    const Points u = positions_ - cloud_.rest;
    const std::vector<Matrix3> gradients = displacement_gradients();
    return surfel_array(name, surface_, cloud_, weights_.cracks(), {u, gradients});
  }
  if (is_among(contact_array_names())) return contact_array(name, cloud_, surface_.motion(), body_contact_.get());
  if (name == kPlasticStrains) return plastic_strain_array();
  return cloud_array(name, cloud_, elasticity_, positions_);
}

std::vector<Matrix3> MeshlessSimulation::displacement_gradients() const {
  std::vector<Matrix3> gradients;
  gradients.reserve(std::size_t(cloud_.size()));
  for (Eigen::Index i = 0; i < cloud_.size(); ++i)
    gradients.push_back(elasticity_.deformation_gradient(i, positions_) - cloud_.projections[std::size_t(i)]);
  return gradients;
}

StateView MeshlessSimulation::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

template <class Work>
void MeshlessSimulation::each_part(Work&& work) {
  numerics::run_team(threads_, [&](int thread) {
    const Eigen::Index first = positions_.size() * thread / threads_;
    work(first, positions_.size() * (thread + 1) / threads_ - first);
  });
}

void MeshlessSimulation::load_at(double time) {
  const bool is_first = loads_.rows() == 0;
  // Loads are constant after the last ramp has ended, with a margin for rounding.
  if (!is_first && loaded_at_ > last_load_change_ + scene_.time_step) return;
  loads_ = external_forces(scene_, masses_, time);
  loaded_at_ = time;
}

void MeshlessSimulation::add_contact_forces(double time) {
  if (!scene_.colliders.empty() || !scene_.rigid_bodies.empty()) {
    is_touched_.assign(std::size_t(positions_.rows()), 0);
    const NodePenalty nodes{contact_stiffnesses_, masses_, positions_, velocities_, scene_.time_step / substeps_};
    add_plane_forces(scene_.colliders, nodes, acceleration_, is_touched_);
    add_body_forces(scene_.rigid_bodies, time, nodes, acceleration_, is_touched_);
  }
  if (body_contact_) body_contact_->add_forces(positions_, acceleration_);
}

ContactFacet::Contacts MeshlessSimulation::step_contacts() const {
  Contacts contacts{.with_bodies = int(std::count(is_touched_.begin(), is_touched_.end(), 1))};
  if (body_contact_) contacts.with_itself = int(body_contact_->contacts().size());
  return contacts;
}

void MeshlessSimulation::set_acceleration(double time) {
  work_.gradients += cloud_.size();
  load_at(time);
  elasticity_.forces(positions_, acceleration_);
  add_contact_forces(time);
  each_part([&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index k = first; k < first + count; ++k)
      acceleration_.data()[k] = mobility_.data()[k] * (acceleration_.data()[k] + loads_.data()[k]);
  });
  clock_.charge(PhaseClock::Forces);
}

void MeshlessSimulation::kick_and_drift(double kept, double push, double h, double end_time) {
  double *x = positions_.data(), *v = velocities_.data();
  for (std::size_t k = 0; k < held_.size(); ++k) held_values_[k] = x[held_[k]];
  each_part([&](Eigen::Index first, Eigen::Index count) {
    const double* a = acceleration_.data();
    for (Eigen::Index k = first; k < first + count; ++k) {
      v[k] = kept * v[k] + push * a[k];
      x[k] += h * v[k];
    }
  });
  if (held_.empty()) return;
  place_prescribed(scene_, end_time, positions_);
  for (std::size_t k = 0; k < held_.size(); ++k) held_values_[k] = (x[held_[k]] - held_values_[k]) / h;
}

/// Half kick, drift, half kick. The second half kick is damped implicitly, so that both together are second-order.
void MeshlessSimulation::substep(double h, double end_time) {
  const double half = 0.5 * h, damping = half * options_.mass_damping;
  kick_and_drift(1.0 - damping, half, h, end_time);
  rigid_.advance(1.0 - damping, half, h, acceleration_, positions_, velocities_);
  flow();
  set_acceleration(end_time);
  const double kept = 1.0 / (1.0 + damping);
  each_part([&](Eigen::Index first, Eigen::Index count) {
    double* v = velocities_.data();
    for (Eigen::Index k = first; k < first + count; ++k) v[k] = kept * (v[k] + half * acceleration_.data()[k]);
  });
  for (std::size_t k = 0; k < held_.size(); ++k) velocities_.data()[held_[k]] = held_values_[k];
  rigid_.advance(kept, kept * half, 0.0, acceleration_, positions_, velocities_);
}

StepReport MeshlessSimulation::step() {
  clock_.start();
  work_ = {};
  if (steps_ > 0) events_.clear();
  if (acceleration_.rows() == 0) {
    acceleration_.resize(cloud_.size(), 3);
    flow();  // a solid initially strained beyond yield flows first
    set_acceleration(time_);
  }
  if (options_.reversed_after > 0 && steps_ == options_.reversed_after) {
    velocities_ *= -1.0;
    make_rigid();
  }
  advance_cracks(double(steps_ + 1) * scene_.time_step);
  clock_.charge(PhaseClock::Weights);
  if (has_flowed_far()) rebase();
  if (resampling_ && may_resample_) resample();
  clock_.charge(PhaseClock::Resampling);
  const double h = scene_.time_step / substeps_, start = double(steps_) * scene_.time_step;
  ++steps_;
  StepReport report;
  report.substeps = substeps_;
  for (int k = 1; k <= substeps_; ++k) {
    time_ = k == substeps_ ? double(steps_) * scene_.time_step : start + k * h;
    substep(h, time_);
    clock_.charge(PhaseClock::Motion);
    if (is_finite(positions_) && is_finite(velocities_)) continue;
    report.outcome = StepOutcome::Diverged;
    return report;
  }
  report.work = work_;
  // [PKAGDG05] fig. 8: cracks advance after stresses are known.
  if (cracks_) cracks_->advance(scene_.time_step, time_, positions_);
  clock_.charge(PhaseClock::Fronts);
  if (!surface_.empty()) surface_.carry(positions_ - cloud_.rest, displacement_gradients());
  clock_.charge(PhaseClock::Surfels);
  return report;
}

}  // namespace deformbench::meshless
