// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/run_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "experiments/harness/run/body_follower.hpp"
#include "experiments/harness/run/bounds_watch.hpp"
#include "experiments/harness/run/cell_references.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "experiments/harness/run/clock_recorder.hpp"
#include "experiments/harness/run/iteration_recorder.hpp"
#include "experiments/harness/run/poses.hpp"
#include "experiments/harness/run/rest_by_positions.hpp"
#include "experiments/harness/run/scene_arrays.hpp"
#include "experiments/harness/run/schedule.hpp"
#include "experiments/harness/trace/floating_point.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// Cycle detection: number of last states kept, and the distance below which two states are equal, relative to the
/// last step.
constexpr std::int64_t kLongestCycle = 8;
constexpr double kSameState = 1e-3;
constexpr double kRounding = 1e-9;  ///< relative to the body's extent: smaller steps count as rest

/// One ensemble member: a simulation, its recorders, and the run.
class Member {
 public:
  Member(CellSetup setup, const Schedule& schedule, const json& channels)
      : setup_(std::move(setup)),
        schedule_(schedule),
        simulation_(floating_point_.during(
            [&] { return setup_.method->create(setup_.scene, setup_.method_parameters, setup_.context); })),
        body_(setup_.scene, *simulation_, channels),
        recorders_(make_recorders(channels, schedule.poses.has_value(), setup_.method->id, body_, *simulation_)),
        iterations_(make_iteration_recorder(channels, schedule, setup_.method->id, *simulation_)) {
    if (schedule_.static_residual && !find_facet<ElasticityFacet>(*simulation_)) {
      if (setup_.scene.vertex_count() == 0)
        throw InputError(
            fmt::format("method {}: a schedule until_static needs a deformable body, the scene has rigid bodies alone",
                        setup_.method->id));
      by_positions_.emplace(setup_.scene, simulation_->state().masses);
    }
    if (!schedule_.poses) watch_.emplace(body_, *simulation_, time_of(schedule_.steps));
  }

  const std::vector<ClockRecorder>& recorders() const { return recorders_; }
  void add_clocks(TraceWriter& writer) const {
    for (const auto& recorder : recorders_)
      if (!recorder.is_empty()) writer.add_clock(recorder.clock(), recorder.channels());
    if (iterations_) writer.add_clock(kIterationClock, iterations_->channels());
  }
  const std::vector<double>& step_seconds() const { return step_seconds_; }
  /// Null in a schedule of poses, which cannot diverge.
  const BoundsInForce* bounds() const { return watch_ ? &watch_->bounds() : nullptr; }

  CellOutcome run(TraceWriter& writer) {
    body_.start(writer);
    if (const std::string& caveat = setup_.support.reason; !caveat.empty()) writer.event(0, 0.0, "caveat", 0, caveat);
    for (const ClockRecorder& recorder : recorders_)
      for (const std::string& missing : recorder.missing()) writer.event(0, 0.0, "channel_missing", 0, missing);
    if (iterations_)
      for (const std::string& missing : iterations_->missing()) writer.event(0, 0.0, "channel_missing", 0, missing);
    say_floating_point(writer, 0);
    return schedule_.poses ? run_poses(writer) : run_steps(writer);
  }

 private:
  CellOutcome run_steps(TraceWriter& writer) {
    const bool until_static = schedule_.static_residual.has_value();
    StepReport report;
    last_time_ = simulation_->state().time;
    if (const auto bad = watch_->defect(simulation_->state(), 1)) return ended(writer, CellStatus::Diverged, 0, *bad);
    for (std::int64_t step = 0;; ++step) {
      // Step 0 is never tested for rest: loads may act only afterwards.
      const bool is_static = until_static && step > 0 && is_at_rest(step);
      const bool is_last = step == schedule_.steps || is_static;
      record(writer, step, report, is_last);
      if (until_static) remember(step);
      if (is_static) {
        writer.event(step, time_of(step), "static", by_positions_ ? 1 : 0,
                     by_positions_ ? by_positions_->text() + "; the method states no elastic forces"
                                   : "the largest unbalanced force is below the residual");
        return {CellStatus::Completed, ""};
      }
      if (step == schedule_.steps) break;
      try {
        const auto start = std::chrono::steady_clock::now();
        report = floating_point_.during(
            [&] { return iterations_ ? iterations_->step(writer, step + 1, time_of(step + 1)) : simulation_->step(); });
        step_seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        say_floating_point(writer, step + 1);
        body_.follow(writer, step + 1, time_of(step + 1));
      } catch (const std::exception& error) {
        return ended(writer, CellStatus::Failed, step + 1, error.what());
      }
      if (report.outcome == StepOutcome::Diverged)  // its time may not advance
        return ended(writer, CellStatus::Diverged, step + 1, "the method reports that its state is not to be used");
      const double before = std::exchange(last_time_, simulation_->state().time);
      if (!std::isfinite(last_time_) || last_time_ <= before)
        return ended(writer, CellStatus::Failed, step + 1,
                     fmt::format("the method is at {} s after {} s, expected a time that rises", last_time_, before));
      if (const auto bad = watch_->defect(simulation_->state(), report.substeps))
        return ended(writer, CellStatus::Diverged, step + 1, *bad);
      if (const auto missed = missed_tolerance(report)) return ended(writer, CellStatus::Failed, step + 1, *missed);
    }
    if (!until_static) return {CellStatus::Completed, ""};
    if (by_positions_)
      return {CellStatus::Failed, fmt::format("not static after {} steps: {}, expected at most {}{}", schedule_.steps,
                                              by_positions_->text(), *schedule_.static_residual, cycle_text())};
    return {
        CellStatus::Failed,
        fmt::format("not static after {} steps: unbalanced force over largest force is {:.3g}, expected at most {}{}",
                    schedule_.steps, static_residual(schedule_.steps), *schedule_.static_residual, cycle_text())};
  }

  /// Records once that the method changes the floating-point environment, which is restored after each call.
  void say_floating_point(TraceWriter& writer, std::int64_t step) {
    if (floating_point_.changes().empty() || std::exchange(is_floating_point_said_, true)) return;
    writer.event(step, time_of(step), "floating_point_restored", 0, "the method " + floating_point_.changes());
  }

  /// Keeps the last states of an until_static run.
  void remember(std::int64_t step) {
    if (step + kLongestCycle < schedule_.steps) return;
    last_positions_.push_back(simulation_->state().positions);
  }

  /// Description of a cycle if the last states form one: implicit integrators with large steps can cycle through a
  /// few states instead of coming to rest.
  std::string cycle_text() const {
    if (last_positions_.size() < 3) return "";
    const Points& last = last_positions_.back();
    const auto distance_to = [&](std::size_t steps_back) {
      const Points& earlier = last_positions_[last_positions_.size() - 1 - steps_back];
      if (earlier.rows() != last.rows()) return std::numeric_limits<double>::infinity();
      return (last - earlier).rowwise().norm().maxCoeff();
    };
    const double a_step = distance_to(1);
    const double extent = (last.colwise().maxCoeff() - last.colwise().minCoeff()).norm();
    if (!(a_step > kRounding * extent)) return "";
    for (std::size_t period = 2; period < last_positions_.size(); ++period) {
      if (!(distance_to(period) <= kSameState * a_step)) continue;
      return fmt::format(
          "; the run goes round in a cycle of {} states, up to {:.3g} m from one to the next; a smaller time step may "
          "end it",
          period, a_step);
    }
    return "";
  }

  CellOutcome run_poses(TraceWriter& writer) {
    const auto count = std::int64_t(schedule_.poses->values().size());
    const Points still = Points::Zero(setup_.scene.vertex_count(), 3);
    const Eigen::VectorXd masses = simulation_->state().masses;
    const auto bodies = simulation_->state().rigid_bodies;
    std::vector<RigidBodyState> still_bodies(bodies.begin(), bodies.end());
    for (RigidBodyState& body : still_bodies) body.velocity = body.angular_velocity = Vector3::Zero();
    for (std::int64_t k = 0; k < count; ++k) {
      const auto index = std::size_t(k);
      const Points positions = schedule_.poses->positions(setup_.scene, index, setup_.context.seed);
      const ProbeInput input{setup_.scene, *simulation_, 0.0,          positions,
                             still,        masses,       StepReport{}, schedule_.poses->values()[index],
                             body_.skin(), still_bodies};
      for (auto& recorder : recorders_)
        if (recorder.is_due(k, k + 1 == count)) recorder.record(writer, k, input, body_);
    }
    return {CellStatus::Completed, ""};
  }

  void record(TraceWriter& writer, std::int64_t step, const StepReport& report, bool is_last) {
    const bool any = std::any_of(recorders_.begin(), recorders_.end(),
                                 [&](const ClockRecorder& r) { return r.follows() || r.is_due(step, is_last); });
    if (!any) return;
    const StateView state = simulation_->state();
    const Points positions = state.positions, velocities = state.velocities;
    const Eigen::VectorXd masses = state.masses;
    const ProbeInput input{body_.scene(), *simulation_, state.time, positions,    velocities,
                           masses,        report,       0.0,        body_.skin(), state.rigid_bodies};
    for (auto& recorder : recorders_) {
      recorder.follow(input);
      if (recorder.is_due(step, is_last)) recorder.record(writer, step, input, body_);
    }
  }

  /// Maximum of |f_int + f_ext| over free vertices, relative to the largest external or reaction force of the run so
  /// far. (The current forces are no scale: a rotated body ends free of stress.)
  double static_residual(std::int64_t step) {
    const StateView state = simulation_->state();
    const Points elastic = facet_of<ElasticityFacet>(*simulation_).elastic_forces(state.positions);
    const Points external = external_forces(body_.scene(), state.masses, time_of(step));
    const auto is_held = prescribed_components(body_.scene());
    double unbalanced = 0.0;
    for (Eigen::Index i = 0; i < elastic.rows(); ++i) {
      Vector3 balance = elastic.row(i) + external.row(i), reaction = Vector3::Zero();
      for (std::size_t c = 0; c < 3; ++c)
        if (is_held[std::size_t(i)][c]) std::swap(balance[Eigen::Index(c)], reaction[Eigen::Index(c)]);
      largest_force_ = std::max({largest_force_, external.row(i).norm(), reaction.norm()});
      unbalanced = std::max(unbalanced, balance.norm());
    }
    if (unbalanced <= force_rounding()) return 0.0;
    return largest_force_ > 0.0 ? unbalanced / largest_force_ : std::numeric_limits<double>::infinity();
  }

  /// Rounding error of elastic forces at rest, N: rounding of positions × largest stiffness × a factor for the sum
  /// over a vertex's elements. Smaller imbalances count as zero.
  double force_rounding() {
    const auto* facet = find_facet<SystemOperatorFacet>(*simulation_);
    if (facet == nullptr) return 0.0;
    // The bound is costly (eigenvalues of all elements) and changes only with vertex splits.
    const int vertices = int(simulation_->state().positions.rows());
    if (std::exchange(vertices_of_bound_, vertices) != vertices) stiffness_bound_ = facet->stiffness_bound();
    const double size = setup_.scene.rest_positions().cwiseAbs().maxCoeff();
    return 10.0 * std::numeric_limits<double>::epsilon() * stiffness_bound_ * size;
  }

  bool is_at_rest(std::int64_t step) {
    if (by_positions_) by_positions_->look(simulation_->state().positions, time_of(step));
    const double residual = by_positions_ ? by_positions_->residual() : static_residual(step);
    return time_of(step) >= last_ramp_end(setup_.scene) && residual <= *schedule_.static_residual;
  }

  double time_of(std::int64_t step) const { return double(step) * setup_.scene.time_step; }

  CellOutcome ended(TraceWriter& writer, CellStatus status, std::int64_t step, const std::string& why) {
    const std::string reason = fmt::format("step {} ({:.4g} s): {}", step, time_of(step), why);
    writer.event(step, time_of(step), to_string(status), 1, reason);
    return {status, reason};
  }

  CellSetup setup_;
  const Schedule& schedule_;
  KeptFloatingPoint floating_point_;  ///< includes changes by `supports`
  bool is_floating_point_said_ = false;
  std::unique_ptr<Simulation> simulation_;
  BodyFollower body_;
  std::vector<ClockRecorder> recorders_;
  std::optional<IterationRecorder> iterations_;
  std::optional<BoundsWatch> watch_;
  std::optional<RestByPositions> by_positions_;  ///< of an until_static run without elastic forces
  std::vector<Points> last_positions_;           ///< last states of an until_static run
  double last_time_ = 0.0;                       ///< s, after the last step
  std::vector<double> step_seconds_;             ///< wall clock per step
  double largest_force_ = 0.0;                   ///< N, external or reaction, in an until_static run
  double stiffness_bound_ = 0.0;                 ///< N/m
  int vertices_of_bound_ = -1;                   ///< vertex count of stiffness_bound_
};

/// Keeps the worse end; of equal ends the first reason.
void worsen(CellOutcome& outcome, CellOutcome other) {
  const auto rank = [](CellStatus s) { return s == CellStatus::Completed ? 0 : s == CellStatus::Diverged ? 1 : 2; };
  if (rank(other.status) > rank(outcome.status)) outcome = std::move(other);
}

ReferenceAbscissa abscissa_of(const std::vector<ClockRecorder>& recorders, bool has_poses) {
  const std::string wanted = has_poses ? "pose" : "step";
  const auto found =
      std::find_if(recorders.begin(), recorders.end(), [&](const ClockRecorder& r) { return r.clock() == wanted; });
  if (recorders.empty()) return {};
  const ClockRecorder& recorder = found != recorders.end() ? *found : recorders.front();
  return {recorder.clock(), recorder.times(), has_poses ? recorder.pose_values() : std::vector<double>{}};
}

}  // namespace

CellOutcome run_cell(const json& spec, const json& provenance, const Registry& registry, const SceneRegistry& scenes,
                     const std::filesystem::path& trace_path, const std::function<void()>& before_end) {
  const std::vector<std::uint64_t> seeds = member_seeds(spec);
  const bool ensemble = has_ensemble(spec);
  const json channels = spec.value("channels", json::object());
  const CellReferences references(spec);
  // Bad input ends the command without a trace, unless the declaration expects this cell to be unsupported: then the
  // refusal is the result, with its reason.
  const bool expects_refusal = spec.value("expect", json::object()).value("status", "") == "unsupported";
  std::optional<CellSetup> prepared;
  try {
    prepared = prepare_cell(spec, registry, scenes, seeds.front());
  } catch (const InputError& error) {
    if (!expects_refusal) throw;
    TraceWriter writer(trace_path, spec, provenance, ensemble ? int(seeds.size()) : 0);
    before_end();
    writer.finish(CellStatus::Unsupported, error.what());
    return {CellStatus::Unsupported, error.what()};
  }
  CellSetup& first = *prepared;
  const Schedule schedule(spec.at("schedule"), first.scene.time_step);

  const int members = ensemble ? int(seeds.size()) : 0;
  if (!first.support.supported) {
    TraceWriter writer(trace_path, spec, provenance, members);
    write_scene_arrays(writer, first.scene);
    before_end();
    writer.finish(CellStatus::Unsupported, first.support.reason);
    return {CellStatus::Unsupported, first.support.reason};
  }

  // Declared experiments know what they run.
  const bool is_declared = !spec.value("experiment", "").starts_with("simulate/");
  if (!first.support.reason.empty() && !is_declared)
    std::cerr << "warning: " << first.method->id << ": " << first.support.reason << '\n';
  const Scene scene = first.scene;
  std::optional<Member> member;
  std::string creation_failure, refusal;
  try {
    member.emplace(std::move(first), schedule, channels);
  } catch (const InputError& error) {
    if (!expects_refusal) throw;
    refusal = error.what();
  } catch (const std::exception& error) {
    creation_failure = error.what();
  }
  TraceWriter writer(trace_path, spec, provenance, members);
  write_scene_arrays(writer, scene);
  CellOutcome outcome{CellStatus::Completed, ""};
  if (!member) {
    outcome = refusal.empty() ? CellOutcome{CellStatus::Failed, "the method could not be created: " + creation_failure}
                              : CellOutcome{CellStatus::Unsupported, refusal};
    before_end();
    writer.finish(outcome.status, outcome.reason);
    return outcome;
  }
  if (const BoundsInForce* bounds = member->bounds()) write_bounds(writer, *bounds);
  member->add_clocks(writer);

  ReferenceAbscissa abscissa;
  std::vector<double> step_seconds;
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    if (ensemble) writer.begin_member(int(k));
    CellOutcome end;
    try {
      if (k > 0) {
        member.reset();  // frees memory: only one member exists at a time
        member.emplace(prepare_cell(spec, registry, scenes, seeds[k]), schedule, channels);
      }
      end = member->run(writer);
      // References use the rows of the longest member.
      auto rows = abscissa_of(member->recorders(), schedule.poses.has_value());
      if (rows.times.size() > abscissa.times.size()) abscissa = std::move(rows);
    } catch (const TraceWriteError&) {
      throw;
    } catch (const std::exception& error) {
      end = {CellStatus::Failed, error.what()};
    }
    if (member) step_seconds.insert(step_seconds.end(), member->step_seconds().begin(), member->step_seconds().end());
    if (ensemble && !end.reason.empty()) end.reason = fmt::format("seed {}: {}", seeds[k], end.reason);
    worsen(outcome, std::move(end));
  }
  outcome.steps = std::int64_t(step_seconds.size());
  if (!step_seconds.empty()) {
    const auto middle = step_seconds.begin() + std::ptrdiff_t(step_seconds.size() / 2);
    std::nth_element(step_seconds.begin(), middle, step_seconds.end());
    outcome.median_step_s = *middle;
  }
  references.write(writer, abscissa);
  before_end();
  writer.finish(outcome.status, outcome.reason);
  return outcome;
}

}  // namespace deformbench::harness
