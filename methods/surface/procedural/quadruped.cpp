// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/animals.hpp"

namespace deformbench::surface {

Body quadruped_body() {
  Body body;
  body.begin_part("trunk", 0.12);
  body.add_capsule({-0.50, 0.78, 0}, {0.30, 0.77, 0}, 0.255, 0.25);                          // barrel
  body.add_capsule({-0.30, 0.70, 0}, {0.15, 0.69, 0}, 0.25, 0.24);                           // belly
  body.add_capsule({-0.60, 0.89, -0.09}, {-0.60, 0.89, 0.09}, 0.145, 0.145);                 // hips
  body.add_capsule({0.26, 0.90, 0}, {0.36, 0.82, 0}, 0.17, 0.20);                            // withers
  body.add_capsule({0.40, 0.66, 0}, {0.46, 0.72, 0}, 0.17, 0.14);                            // brisket
  body.begin_part("neck", 0.12);
  body.add_capsule({0.42, 0.86, 0}, {0.74, 1.06, 0}, 0.165, 0.115, {1.0, 1.0, 1.15});
  body.add_capsule({0.46, 0.72, 0}, {0.70, 0.97, 0}, 0.12, 0.08, {1.0, 1.0, 1.2});           // dewlap
  body.begin_part("head", 0.07);
  body.add_capsule({0.80, 1.12, 0}, {0.90, 1.05, 0}, 0.108, 0.105);                          // skull
  body.add_capsule({0.90, 1.045, 0}, {1.07, 0.90, 0}, 0.092, 0.075);                         // face
  body.add_capsule({1.075, 0.885, -0.022}, {1.075, 0.885, 0.022}, 0.078, 0.078);             // muzzle
  body.add_capsule({0.84, 0.99, 0}, {0.98, 0.89, 0}, 0.06, 0.05);                            // jaw
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("head", 0.03);
    body.add_plate({0.775, 1.165, 0.08 * side}, {0.735, 1.175, 0.21 * side}, {0.785, 1.115, 0.19 * side}, 0.026, 0.020, 0.024);  // ear
    body.add_curve({{0.815, 1.19, 0.055 * side}, {0.815, 1.255, 0.125 * side}, {0.845, 1.335, 0.150 * side}, {0.885, 1.395, 0.125 * side}},
                   {0.037, 0.032, 0.026, 0.018}, 3);                                         // horn
    body.begin_part("head", 0.015);
    body.add_capsule({0.925, 1.085, 0.082 * side}, {0.935, 1.075, 0.082 * side}, 0.026, 0.026);  // eye
  }
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("legs", 0.08);
    body.add_capsule({0.32, 0.74, 0.13 * side}, {0.36, 0.50, 0.165 * side}, 0.145, 0.095);   // shoulder
    body.add_curve({{0.36, 0.50, 0.165 * side}, {0.375, 0.34, 0.165 * side}, {0.365, 0.20, 0.165 * side}, {0.37, 0.10, 0.165 * side}},
                   {0.092, 0.066, 0.052, 0.050}, 2);
    body.add_capsule({-0.56, 0.76, 0.12 * side}, {-0.55, 0.54, 0.160 * side}, 0.175, 0.115); // thigh
    body.add_curve({{-0.55, 0.54, 0.160 * side}, {-0.645, 0.36, 0.165 * side}, {-0.635, 0.20, 0.165 * side}, {-0.60, 0.10, 0.165 * side}},
                   {0.112, 0.066, 0.053, 0.052}, 2);
    body.begin_part("legs", 0.02);
    body.add_capsule({0.365, 0.050, 0.165 * side}, {0.405, 0.046, 0.165 * side}, 0.050, 0.046, {1, 1, 1});   // hooves
    body.add_capsule({0.370, 0.095, 0.165 * side}, {0.385, 0.050, 0.165 * side}, 0.052, 0.050);
    body.add_capsule({-0.605, 0.050, 0.165 * side}, {-0.565, 0.046, 0.165 * side}, 0.050, 0.046);
    body.add_capsule({-0.600, 0.095, 0.165 * side}, {-0.585, 0.050, 0.165 * side}, 0.052, 0.050);
  }
  body.begin_part("trunk", 0.06);
  body.add_capsule({-0.36, 0.50, 0}, {-0.25, 0.50, 0}, 0.10, 0.085);                         // udder
  body.begin_part("tail", 0.05);
  body.add_curve({{-0.70, 0.985, 0}, {-0.83, 0.93, 0}, {-0.875, 0.75, 0}, {-0.88, 0.58, 0}}, {0.040, 0.036, 0.028, 0.026}, 3);
  body.begin_part("tail", 0.02);
  body.add_curve({{-0.88, 0.58, 0}, {-0.885, 0.48, 0}, {-0.88, 0.36, 0}}, {0.028, 0.046, 0.022}, 3);  // tuft
  return body;
}

}  // namespace deformbench::surface
