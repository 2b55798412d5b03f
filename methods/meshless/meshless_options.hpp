// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the meshless solid as one struct. [PKAGDG05]
#pragma once

#include "methods/meshless/contact/body_contact.hpp"
#include "methods/meshless/cracks/crack_setup.hpp"
#include "methods/meshless/nodes/mls_elasticity.hpp"
#include "methods/meshless/nodes/strain_plasticity.hpp"
#include "methods/meshless/sampling/node_resampling.hpp"
#include "methods/meshless/surface/surfel_sampling.hpp"
#include "methods/meshless/weights/weight_rule.hpp"
#include "methods/parameters.hpp"

namespace deformbench::meshless {

struct MeshlessOptions {
  CloudOptions cloud;
  ElasticOptions elastic;
  PlasticityOptions plasticity;
  double rebase_flow = 0.0;  ///< nodal flow ‖Δ‖ since the last reference that triggers a new one; 0: never
  bool has_stretched_supports = false;  ///< whether a new reference enlarges supports
  WeightRule weights;
  NodeResamplingOptions resampling;
  CrackSetup cracks;
  SurfelSampling surfels{.radius = 0.0};  ///< radius 0: none
  double contact_stiffness = 1.0;         ///< of a node against planes and rigid bodies, relative to E h
  BodyContactOptions body_contact;
  int rigid_pieces_below = 0;    ///< nodes; pieces with fewer are rigid bodies
  int substeps = 0;              ///< 0: chosen by `safety`
  double safety = 0.5;           ///< substep / largest stable step about rest
  double mass_damping = 0.0;     ///< α, 1/s
  long long reversed_after = 0;  ///< number of steps after which velocities are reversed; 0: never
  int shape_points = 0;          ///< number of points at which shape functions are sampled
  std::uint64_t seed = 1;        ///< of these points and of positions of new nodes
};

ParameterSpec meshless_parameters();
MeshlessOptions meshless_options(const Parameters& parameters);

}  // namespace deformbench::meshless
