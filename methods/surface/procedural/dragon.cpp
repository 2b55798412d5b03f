// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/animals.hpp"

namespace deformbench::surface {
namespace {

constexpr double kWing = 0.074;  // half thickness of a wing (m): two cells of a mesh of 834 tetrahedra

void add_wing(Body& body, double side) {
  const auto p = [&](double x, double y, double z) { return Vector3(x, y, side * z); };
  const Vector3 shoulder = p(0.16, 0.60, 0.10);
  const Vector3 back = p(-0.22, 0.56, 0.10);
  const Vector3 wrist = p(0.24, 0.80, 0.38);
  const Vector3 tips[3] = {p(0.12, 0.90, 0.82), p(-0.24, 0.82, 0.70), p(-0.42, 0.69, 0.42)};
  const Vector3 notches[3] = {p(-0.02, 0.825, 0.61), p(-0.25, 0.735, 0.48), p(-0.29, 0.635, 0.25)};
  const double thin = 0.75 * kWing;
  body.begin_part("wings", 0.03);
  body.add_plate(shoulder, wrist, back, kWing, kWing, kWing);
  body.add_plate(wrist, tips[0], notches[0], kWing, 0.62 * kWing, thin);
  body.add_plate(wrist, notches[0], tips[1], kWing, thin, 0.62 * kWing);
  body.add_plate(wrist, tips[1], notches[1], kWing, 0.62 * kWing, thin);
  body.add_plate(wrist, notches[1], tips[2], kWing, thin, 0.62 * kWing);
  body.add_plate(wrist, tips[2], notches[2], kWing, 0.62 * kWing, thin);
  body.add_plate(wrist, notches[2], back, kWing, thin, kWing);
  body.begin_part("wings", 0.015);  // arm and fingers stand out as ridges
  body.add_capsule(shoulder, wrist, kWing + 0.012, kWing + 0.012);
  for (const Vector3& tip : tips) body.add_capsule(wrist, tip, kWing + 0.012, 0.030);
  body.add_capsule(wrist, wrist + p(0.09, 0.07, 0.02), 0.04, 0.016);  // thumb claw
}

}  // namespace

Body dragon_body() {
  Body body;
  body.begin_part("trunk", 0.10);
  body.add_capsule({-0.30, 0.46, 0}, {0.18, 0.49, 0}, 0.155, 0.185);
  body.add_capsule({0.16, 0.42, 0}, {0.22, 0.50, 0}, 0.15, 0.14);  // chest
  body.begin_part("neck", 0.08);
  body.add_curve({{0.26, 0.54, 0}, {0.46, 0.66, 0}, {0.54, 0.83, 0}, {0.66, 0.97, 0}}, {0.135, 0.100, 0.082, 0.078}, 4);
  body.begin_part("head", 0.045);
  body.add_capsule({0.67, 0.98, 0}, {0.74, 0.975, 0}, 0.088, 0.080);
  body.add_capsule({0.76, 0.965, 0}, {0.93, 0.925, 0}, 0.062, 0.044);  // upper jaw
  body.add_capsule({0.73, 0.905, 0}, {0.89, 0.840, 0}, 0.046, 0.026);  // lower jaw, open
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("head", 0.02);
    body.add_curve({{0.67, 1.03, 0.045 * side}, {0.58, 1.10, 0.075 * side}, {0.48, 1.125, 0.10 * side}},
                   {0.036, 0.028, 0.014}, 3);                                                    // horn
    body.add_capsule({0.765, 1.025, 0.045 * side}, {0.795, 1.015, 0.045 * side}, 0.026, 0.020);  // brow
    body.add_capsule({0.925, 0.962, 0.022 * side}, {0.935, 0.958, 0.022 * side}, 0.019, 0.017);  // nostril
  }
  body.begin_part("tail", 0.08);
  body.add_curve({{-0.36, 0.45, 0}, {-0.56, 0.33, 0}, {-0.76, 0.19, 0.03}, {-0.92, 0.14, 0.10}, {-1.03, 0.20, 0.16}},
                 {0.145, 0.105, 0.075, 0.052, 0.038}, 4);
  body.begin_part("tail", 0.02);  // arrowhead
  const Vector3 tip(-1.20, 0.32, 0.20);
  const Vector3 root(-1.03, 0.20, 0.16);
  body.add_plate(root, tip, {-1.03, 0.26, 0.28}, 0.036, 0.020, 0.022);
  body.add_plate(root, tip, {-1.07, 0.26, 0.05}, 0.036, 0.020, 0.022);
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("legs", 0.07);
    body.add_capsule({0.14, 0.46, 0.13 * side}, {0.10, 0.28, 0.20 * side}, 0.105, 0.078);  // front
    body.add_capsule({0.10, 0.28, 0.20 * side}, {0.16, 0.09, 0.20 * side}, 0.078, 0.058);
    body.add_capsule({-0.30, 0.44, 0.12 * side}, {-0.22, 0.27, 0.20 * side}, 0.13, 0.095);  // hind
    body.add_capsule({-0.22, 0.27, 0.20 * side}, {-0.33, 0.09, 0.20 * side}, 0.085, 0.060);
    body.begin_part("legs", 0.025);
    for (const double x : {0.16, -0.33}) {
      body.add_capsule({x, 0.055, 0.20 * side}, {x + 0.05, 0.045, 0.20 * side}, 0.055, 0.045);  // foot
      for (const double toe : {-1.0, 0.0, 1.0}) {
        body.add_capsule({x + 0.05, 0.036, 0.20 * side + 0.03 * toe},
                         {x + 0.115 - 0.015 * toe * toe, 0.022, 0.20 * side + 0.052 * toe}, 0.028, 0.018);
      }
    }
  }
  // Spines along neck, back and tail.
  body.begin_part("trunk", 0.015);
  const auto spine = [&](double x, double y, double z, double size, double lean) {
    body.add_plate({x + 0.5 * size, y, z}, {x - 0.6 * size, y - 0.1 * size, z}, {x - lean * size, y + size, z}, 0.026,
                   0.026, 0.015);
  };
  spine(0.10, 0.655, 0, 0.115, 0.7);
  spine(-0.04, 0.640, 0, 0.127, 0.7);
  spine(-0.18, 0.620, 0, 0.127, 0.7);
  spine(-0.32, 0.590, 0, 0.115, 0.7);
  body.begin_part("neck", 0.015);
  spine(0.36, 0.700, 0, 0.103, 0.9);
  spine(0.445, 0.80, 0, 0.092, 1.1);
  spine(0.515, 0.92, 0, 0.081, 1.2);
  body.begin_part("tail", 0.015);
  spine(-0.47, 0.500, 0, 0.103, 0.7);
  spine(-0.61, 0.415, 0.003, 0.092, 0.7);
  spine(-0.74, 0.315, 0.020, 0.081, 0.7);
  for (const double side : {-1.0, 1.0}) add_wing(body, side);
  return body;
}

}  // namespace deformbench::surface
