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
  double rebase_flow = 0.0;  ///< rebase when a node's Σ‖Δ‖ since the last rebase exceeds this; 0: never
  bool has_stretched_supports = false;  ///< whether a new reference enlarges supports
  WeightRule weights;
  NodeResamplingOptions resampling;
  CrackSetup cracks;
  SurfelSampling surfels{.radius = 0.0};  ///< radius 0: none
  double contact_stiffness = 1.0;         ///< nodes against planes and rigid bodies, in units of E h
  BodyContactOptions body_contact;
  int rigid_pieces_below = 0;    ///< pieces with fewer nodes are rigid bodies
  int substeps = 0;              ///< 0: from `safety`
  double safety = 0.5;           ///< substep / stable substep at rest
  double mass_damping = 0.0;     ///< α, 1/s
  long long reversed_after = 0;  ///< time step at which velocities are reversed, once; 0: never
  int shape_points = 0;          ///< number of points at which shape functions are sampled
  std::uint64_t seed = 1;        ///< for these points and new nodes' positions
};

ParameterSpec meshless_parameters();
MeshlessOptions meshless_options(const Parameters& parameters);

}  // namespace deformbench::meshless
