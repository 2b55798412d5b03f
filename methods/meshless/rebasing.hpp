// SPDX-License-Identifier: BSD-3-Clause
// A new reference for a solid that has flowed far: its shape now. [PKAGDG05] §5, [MKNPGA04]
#pragma once

#include <span>
#include <vector>

#include "methods/meshless/node_cloud.hpp"

namespace deformbench::meshless {

struct RebasedCloud {
  NodeCloud cloud;               ///< rest positions are those given; masses, supports and materials are kept
  std::vector<Matrix3> plastic;  ///< n, in the new reference
};

/// `gradients`, `plastic`: F and ε_p of every node (n), `strain_factor` that of ½ (FᵀF − I). Neighbours are those of
/// the shape now. Volumes become v det F where three directions are known and the node is not inverted. The stress of
/// Cauchy is kept, J⁻¹ F C(ε − ε_p) Fᵀ = C(−ε_p'): DEVIATION [MKNPGA04], which keeps the strain, as if F were
/// small.
RebasedCloud rebased(const NodeCloud& cloud, const Points& positions, std::span<const Matrix3> gradients,
                     std::span<const Matrix3> plastic, double strain_factor);

}  // namespace deformbench::meshless
