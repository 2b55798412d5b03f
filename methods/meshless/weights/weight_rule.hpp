// SPDX-License-Identifier: BSD-3-Clause
// Effect of cracks on the weight of a node at a point. [PKAGDG05] §2.1
#pragma once

#include <optional>

#include "methods/meshless/weights/crack_geometry.hpp"

namespace deformbench::meshless {

enum class Weights {
  Plain,         ///< cracks have no effect
  Visibility,    ///< 0 behind a crack, [BLG94]
  Transparency,  ///< a crossing d_s behind the front adds (2 d_s / (κ h))² supports to the distance, [OFTB96]
};

struct WeightRule {
  Weights kind = Weights::Transparency;
  double opacity = 1.0;  ///< κ

  /// ω of a node with `support` (m) at `distance` (m), if the segment crosses cracks at `depth` d_s (m; infinite:
  /// cut through; nothing: none).
  double weight(double distance, double support, std::optional<double> depth) const;
  /// The same for a node (m) and the point x (m).
  double weight(const CrackGeometry& cracks, const Vector3& node, double support, const Vector3& x) const;
  /// Depth (m) beyond which nodes are separated at any distance.
  double separating_depth(double support) const;
};

}  // namespace deformbench::meshless
