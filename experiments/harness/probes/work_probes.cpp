// SPDX-License-Identifier: BSD-3-Clause
// External work accumulated over the steps, and its dissipated part.
#include <algorithm>
#include <array>
#include <limits>

#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/work_meter.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// Whether any prescribed vertex ever leaves its initial position.
bool moves_vertices(const Scene& scene) {
  const Points start = scene.start_positions();
  return std::any_of(scene.prescribed.begin(), scene.prescribed.end(), [&](const model::PrescribedMotion& motion) {
    if (motion.angle != 0.0 || !motion.translation.isZero(0.0)) return true;
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const int v = motion.vertices[k];
      if (motion.position_at(k, scene.rest_positions().row(v), 0.0) != Vector3(start.row(v))) return true;
    }
    return false;
  });
}

/// Loads at `time`, without gravity, n×3, N.
Points loads_at(const Scene& scene, double time) {
  return external_forces(scene, Eigen::VectorXd::Zero(scene.vertex_count()), time);
}

double stored_energy(const ProbeInput& input) {
  return kinetic_energy(input) + gravitational_energy(input) +
         facet_of<ElasticityFacet>(input).elastic_energy(input.positions);
}

}  // namespace

void WorkMeter::follow(const ProbeInput& input) {
  Points loads = loads_at(input.scene, input.time);
  Points internal;
  if (is_driven_) internal = facet_of<ElasticityFacet>(input).elastic_forces(input.positions);
  if (started_) {
    // Splits keep the indices of old vertices; the appended copies count from the next step on.
    const Eigen::Index old = positions_.rows();
    const bool same_mesh = old == input.positions.rows();
    const Points moved = input.positions.topRows(old) - positions_;
    const Points mean_load = same_mesh ? Points(0.5 * (loads_ + loads)) : loads_;
    const double dt = input.time - time_;
    const auto held = prescribed_components(input.scene);
    for (Eigen::Index i = 0; i < old; ++i) {
      const auto& [x, y, z] = held[std::size_t(i)];
      const Eigen::RowVector3d given(x, y, z);
      if (!(x && y && z)) work_ += mean_load.row(i).dot((moved.row(i).array() * (1.0 - given.array())).matrix());
      if ((x || y || z) && is_driven_ && same_mesh) {
        // Reaction plus loads on the vertex: m a − f_int − m g.
        const Eigen::RowVector3d inertia = masses_[i] / dt * (input.velocities.row(i) - velocities_.row(i));
        const Eigen::RowVector3d inner = 0.5 * (internal_.row(i) + internal.row(i));
        work_ += (inertia - inner - masses_[i] * input.scene.gravity.transpose())
                     .dot((moved.row(i).array() * given.array()).matrix());
      }
    }
  }
  started_ = true;
  time_ = input.time;
  positions_ = input.positions;
  velocities_ = input.velocities;
  masses_ = input.masses;
  loads_ = std::move(loads);
  internal_ = std::move(internal);
}

double WorkMeter::work() const {
  return started_ ? work_ : std::numeric_limits<double>::quiet_NaN();
}

namespace {

class WorkProbe final : public Probe {
 public:
  WorkProbe(ChannelSpec spec, bool dissipated, bool is_driven)
      : spec_(std::move(spec)), dissipated_(dissipated), meter_(is_driven) {}
  std::vector<ChannelSpec> channels() const override { return {spec_}; }
  bool follows() const override { return true; }
  void follow(const ProbeInput& input) override {
    if (dissipated_ && !has_start_) start_energy_ = stored_energy(input);
    has_start_ = true;
    meter_.follow(input);
  }
  void measure(const ProbeInput& input, std::span<double> row) override {
    row[0] = meter_.work();
    if (dissipated_) row[0] += start_energy_ - stored_energy(input);
  }

 private:
  ChannelSpec spec_;
  bool dissipated_;
  bool has_start_ = false;
  double start_energy_ = 0.0;
  WorkMeter meter_;
};

ChannelEntry work_channel(ChannelSpec spec, bool dissipated) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [dissipated](const ChannelSpec& s, const Scene& scene,
                            const Simulation& simulation) -> std::unique_ptr<Probe> {
    const bool is_driven = moves_vertices(scene);
    if (is_driven && find_facet<ElasticityFacet>(simulation) == nullptr)
      throw InputError("channel '" + s.name + "': scene '" + scene.name +
                       "' moves vertices, whose reaction is the method's to say, "
                       "expected the facet ElasticityFacet");
    return std::make_unique<WorkProbe>(s, dissipated, is_driven);
  };
  return entry;
}

}  // namespace

std::vector<ChannelEntry> work_channels() {
  return needing(
      Needs::Vertices,
      {
          work_channel(
              {"external_work", "J", "energy",
               "Work since the start of loads and moved vertices; a step's mean force times its displacement, exact "
               "for "
               "constant loads. Moved vertices: m a − f_int − m g, without damping. Without gravity and contacts."},
              false),
          from_facet<ElasticityFacet>(work_channel({"dissipated", "J", "energy",
                                                    "total_energy at the start + external_work − total_energy: what "
                                                    "damping, contact, plasticity and the "
                                                    "integrator took out; negative: made."},
                                                   true),
                                      "ElasticityFacet"),
      });
}

}  // namespace deformbench::harness
