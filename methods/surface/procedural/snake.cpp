// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "methods/surface/procedural/animals.hpp"

namespace deformbench::surface {

// Lies on the ground in a lateral wave that decays towards the raised head; thickest before the middle.
Body snake_body() {
  constexpr double kLength = 1.62;  // along x
  constexpr double kAmplitude = 0.115;
  constexpr double kWavelength = 0.72;
  constexpr double kThickest = 0.046;
  constexpr double kTailTip = 0.009;
  Body body;
  std::vector<Vector3> points;
  std::vector<double> radii;
  constexpr int kSamples = 28;
  for (int i = 0; i <= kSamples; ++i) {
    const double s = double(i) / kSamples;  // 0 at the tip of the tail, 1 at the neck
    const double swell = std::pow(std::sin(0.5 * std::numbers::pi * std::min(1.0, s / 0.55)), 0.75);
    const double slim = s > 0.7 ? 1.0 - 0.42 * std::pow((s - 0.7) / 0.3, 1.5) : 1.0;
    const double radius = kTailTip + (kThickest - kTailTip) * swell * slim;
    const double wave =
        kAmplitude * std::sin(2.0 * std::numbers::pi * kLength * s / kWavelength) * (1.0 - 0.75 * s * s * s * s);
    const double lift = s > 0.86 ? 2.6 * (s - 0.86) * (s - 0.86) : 0.0;
    points.emplace_back(-0.85 + kLength * s, radius + lift, wave);
    radii.push_back(radius);
  }
  const auto slice = [&](int first, int last, const char* part) {
    body.begin_part(part, 0.004);
    body.add_curve({points.begin() + first, points.begin() + last + 1},
                   {radii.begin() + first, radii.begin() + last + 1}, 3);
  };
  slice(0, 9, "tail");
  slice(9, 23, "trunk");
  slice(23, kSamples, "neck");
  const Vector3 n = points.back();
  body.begin_part("head", 0.03);
  body.add_capsule(n + Vector3(0.015, 0.004, 0), n + Vector3(0.055, 0.006, 0), 0.034, 0.043, {1.0, 1.55, 1.0});  // jaws
  body.add_capsule(n + Vector3(0.050, 0.006, 0), n + Vector3(0.125, -0.004, 0), 0.040, 0.022,
                   {1.0, 1.45, 1.0});  // snout
  body.begin_part("head", 0.006);
  for (const double side : {-1.0, 1.0}) {
    const Vector3 eye = n + Vector3(0.070, 0.024, 0.022 * side);
    body.add_capsule(eye, eye + Vector3(0.006, 0, 0), 0.0105, 0.0095);
  }
  return body;
}

}  // namespace deformbench::surface
