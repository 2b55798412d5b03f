// SPDX-License-Identifier: BSD-3-Clause
// The parameters of the meshless solid, as one struct. [PKAGDG05]
#pragma once

#include "methods/meshless/cracks/crack_setup.hpp"
#include "methods/meshless/mls_elasticity.hpp"
#include "methods/parameters.hpp"

namespace deformbench::meshless {

struct MeshlessOptions {
  CloudOptions cloud;
  ElasticOptions elastic;
  int substeps = 0;           ///< 0: as many as `safety` asks for
  double safety = 0.5;        ///< substep over the largest stable one about rest
  double mass_damping = 0.0;  ///< α, 1/s
  CrackSetup cracks;
};

ParameterSpec meshless_parameters();
MeshlessOptions meshless_options(const Parameters& parameters);

}  // namespace deformbench::meshless
