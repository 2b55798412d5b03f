// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/animals.hpp"

namespace deformbench::surface {

Body quadruped_body() {
  Body body;
  body.begin_part("trunk", 0.12);
  body.add_capsule({-0.50, 0.78, 0}, {0.30, 0.77, 0}, 0.255, 0.25);           // barrel
  body.add_capsule({-0.30, 0.70, 0}, {0.15, 0.69, 0}, 0.25, 0.24);            // belly
  body.add_capsule({-0.60, 0.89, -0.09}, {-0.60, 0.89, 0.09}, 0.145, 0.145);  // hips
  body.add_capsule({0.26, 0.90, 0}, {0.36, 0.82, 0}, 0.17, 0.20);             // withers
  body.add_capsule({0.40, 0.66, 0}, {0.46, 0.72, 0}, 0.17, 0.14);             // brisket
  body.begin_part("neck", 0.12);
  body.add_capsule({0.42, 0.86, 0}, {0.74, 1.06, 0}, 0.165, 0.115, {1.0, 1.0, 1.15});
  body.add_capsule({0.46, 0.72, 0}, {0.70, 0.97, 0}, 0.12, 0.08, {1.0, 1.0, 1.2});  // dewlap
  body.begin_part("head", 0.07);
  body.add_capsule({0.80, 1.12, 0}, {0.91, 1.05, 0}, 0.122, 0.115);               // skull
  body.add_capsule({0.91, 1.045, 0}, {1.09, 0.88, 0}, 0.102, 0.085);              // face
  body.add_capsule({1.095, 0.865, -0.030}, {1.095, 0.865, 0.030}, 0.086, 0.086);  // muzzle
  body.add_capsule({0.84, 0.97, 0}, {0.99, 0.86, 0}, 0.070, 0.058);               // jaw
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("head", 0.03);
    body.add_plate({0.775, 1.155, 0.10 * side}, {0.725, 1.150, 0.27 * side}, {0.780, 1.090, 0.22 * side}, 0.028, 0.020,
                   0.026);  // ear
    body.add_curve({{0.810, 1.20, 0.060 * side},
                    {0.800, 1.26, 0.150 * side},
                    {0.835, 1.35, 0.195 * side},
                    {0.890, 1.42, 0.165 * side}},
                   {0.040, 0.036, 0.028, 0.016}, 3);  // horn
    body.begin_part("head", 0.015);
    body.add_capsule({0.930, 1.090, 0.090 * side}, {0.940, 1.080, 0.090 * side}, 0.027, 0.027);  // eye
    body.begin_part("head", 0.02);
    body.add_capsule({1.160, 0.900, 0.045 * side}, {1.165, 0.890, 0.048 * side}, 0.022, 0.022);  // nostril
  }
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("legs", 0.08);
    body.add_capsule({0.32, 0.74, 0.13 * side}, {0.36, 0.50, 0.165 * side}, 0.145, 0.095);  // shoulder
    body.add_curve({{0.36, 0.50, 0.165 * side},
                    {0.375, 0.34, 0.165 * side},
                    {0.365, 0.20, 0.165 * side},
                    {0.37, 0.10, 0.165 * side}},
                   {0.088, 0.062, 0.048, 0.047}, 2);
    body.add_capsule({-0.56, 0.76, 0.12 * side}, {-0.55, 0.54, 0.160 * side}, 0.175, 0.115);  // thigh
    body.add_curve({{-0.55, 0.54, 0.160 * side},
                    {-0.645, 0.36, 0.165 * side},
                    {-0.635, 0.20, 0.165 * side},
                    {-0.60, 0.10, 0.165 * side}},
                   {0.105, 0.062, 0.049, 0.048}, 2);
    body.begin_part("legs", 0.02);
    body.add_capsule({0.365, 0.050, 0.165 * side}, {0.405, 0.046, 0.165 * side}, 0.050, 0.046);  // hooves
    body.add_capsule({0.370, 0.095, 0.165 * side}, {0.385, 0.050, 0.165 * side}, 0.052, 0.050);
    body.add_capsule({-0.605, 0.050, 0.165 * side}, {-0.565, 0.046, 0.165 * side}, 0.050, 0.046);
    body.add_capsule({-0.600, 0.095, 0.165 * side}, {-0.585, 0.050, 0.165 * side}, 0.052, 0.050);
  }
  body.begin_part("trunk", 0.06);
  body.add_capsule({-0.36, 0.50, 0}, {-0.25, 0.50, 0}, 0.10, 0.085);  // udder
  body.begin_part("tail", 0.05);
  body.add_curve({{-0.70, 0.985, 0}, {-0.83, 0.93, 0}, {-0.875, 0.75, 0}, {-0.88, 0.58, 0}},
                 {0.040, 0.036, 0.028, 0.026}, 3);
  body.begin_part("tail", 0.02);
  body.add_curve({{-0.88, 0.58, 0}, {-0.885, 0.48, 0}, {-0.88, 0.36, 0}}, {0.028, 0.046, 0.022}, 3);  // tuft
  return body;
}

}  // namespace deformbench::surface
