// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace deformbench::model {

/// Isotropic linear elastic material. Defaults are those of Müller & Gross 2004, Table 1 (snake).
struct Material {
  double young_modulus = 1e5;   ///< E, Pa, > 0
  double poisson_ratio = 0.33;  ///< ν, in (−1, 0.5)
  double density = 1000.0;      ///< ρ, kg/m³, > 0

  double lame_lambda() const { return young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)); }
  double lame_mu() const { return young_modulus / (2 * (1 + poisson_ratio)); }
};

}  // namespace deformbench::model
