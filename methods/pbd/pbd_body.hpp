// SPDX-License-Identifier: BSD-3-Clause
// One body and its step, line by line that of [MHHR07] §3.1.
#pragma once

#include <memory>
#include <vector>

#include "methods/facets.hpp"
#include "methods/method.hpp"
#include "methods/pbd/constraint_set.hpp"
#include "methods/pbd/pbd_options.hpp"
#include "methods/pbd/phase_clock.hpp"

namespace deformbench::pbd {

class PbdBody : public Simulation, public ContactFacet, public PhaseTimesFacet {
 public:
  PbdBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
          std::vector<std::unique_ptr<Constraint>> own);

  StepReport step() override;
  StateView state() const override;
  Contacts step_contacts() const override { return contacts_; }
  std::span<const std::string> phase_names() const override { return PhaseClock::names(); }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }

 protected:
  Scene scene_;
  PbdOptions options_;
  RunContext context_;
  PhaseClock clock_;
  Points x_, v_, p_;            ///< n×3: m, m/s, and the predicted and projected positions (m)
  Eigen::VectorXd masses_;      ///< n, kg
  Eigen::VectorXd w_;           ///< n, 1/kg; 0 for a vertex that something else moves
  double time_ = 0.0;           ///< s

 private:
  /// A vertex with a given motion.
  struct Held {
    int vertex;
    std::size_t motion, index;   ///< Scene::prescribed[motion].vertices[index]
  };
  void read_held();
  bool substep(double time, double time_step);
  void predict(double end, double time_step);

  ConstraintSet constraints_;
  std::vector<Held> held_;
  std::vector<std::vector<int>> components_;   ///< free vertices that are damped together
  Contacts contacts_;
};

}  // namespace deformbench::pbd
