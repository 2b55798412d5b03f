// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "methods/method.hpp"

namespace deformbench::bullet {

// For scenes that the descriptors support.
std::unique_ptr<Simulation> make_bullet_fem(const Scene& scene, const Parameters& parameters);
std::unique_ptr<Simulation> make_bullet_cloth(const Scene& scene, const Parameters& parameters);

}  // namespace deformbench::bullet
