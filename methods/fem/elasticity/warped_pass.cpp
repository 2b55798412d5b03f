// SPDX-License-Identifier: BSD-3-Clause
// The element pass: rotations, plastic flow, and screening for the stress test.
#include <algorithm>
#include <cmath>

#include "methods/fem/elasticity/batched_plasticity.hpp"
#include "methods/fem/elasticity/breaking_stress.hpp"
#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/fem/elasticity/warped_elements.hpp"
#include "methods/numerics/batched_polar.hpp"

namespace deformbench::fem {

using numerics::lane_count;

namespace {

/// R of a batch by a rule other than the plain polar one; q: quaternions of the last pass in, of this one out.
template <class T>
[[gnu::noinline]] void extract_rotations(const RotationRule& rule, const Matrix3& global, const numerics::Batch<T> f[9],
                                         numerics::Batch<T> q[4], numerics::Batch<T> r[9]) {
  constexpr int lanes = lane_count<T>;
  using P = numerics::Batch<T>;
  if (rule.kind == RotationKind::Identity || rule.kind == RotationKind::Global) {
    const Matrix3 given = rule.kind == RotationKind::Global ? global : Matrix3(Matrix3::Identity());
    for (int k = 0; k < 9; ++k) r[k] = P::all(T(given(k / 3, k % 3)));
    return;
  }
  if (rule.kind == RotationKind::Qr) {
    T matrices[9 * lanes];
    for (int k = 0; k < 9; ++k) f[k].to(matrices + k * lanes);
    for (int lane = 0; lane < lanes; ++lane) {
      Matrix3 matrix;
      for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = double(matrices[k * lanes + lane]);
      const Matrix3 rotation = numerics::gram_schmidt_rotation(matrix, rule.keep_reflection);
      for (int k = 0; k < 9; ++k) matrices[k * lanes + lane] = T(rotation(k / 3, k % 3));
    }
    for (int k = 0; k < 9; ++k) r[k] = P::from(matrices + k * lanes);
    return;
  }
  // F = (−R) S with det F < 0: R is the rotation of −F.
  const P determinant =
      f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
  const P sign = numerics::where_less<T>(determinant, P::all(T(0)), T(-1), T(1));
  P signed_f[9];
  for (int k = 0; k < 9; ++k) signed_f[k] = f[k] * sign;
  numerics::batched_polar<T>(signed_f, q, r);
  for (int k = 0; k < 9; ++k) r[k] = r[k] * sign;
}

}  // namespace

template <class T>
void WarpedElements<T>::pass(const T* x, int low, int high, const Matrix3& global,
                             const std::optional<StressTest>& test, std::vector<Suspect>* suspects) {
  const bool polar = rule_.kind == RotationKind::Polar && !rule_.keep_reflection;
  if (rule_.kind == RotationKind::Identity && !plastic_ && !tests_stress_) return;  // the constructor left R = I
  // One specialised loop per case, so that a batch fits the registers.
  const auto run = [&]<bool Polar, bool Plastic>() {
    if (tests_stress_)
      pass_batches<Polar, Plastic, true>(x, low, high, global, test, suspects);
    else
      pass_batches<Polar, Plastic, false>(x, low, high, global, test, suspects);
  };
  if (polar && plastic_)
    run.template operator()<true, true>();
  else if (polar)
    run.template operator()<true, false>();
  else if (plastic_)
    run.template operator()<false, true>();
  else
    run.template operator()<false, false>();
}

namespace {

/// Largest principal stress / threshold: that of (λ/μ) tr(e) I + 2 e divided by threshold/μ.
double share_of_threshold(const Vector6& e, double ratio, double limit) {
  Vector6 stress = 2.0 * e;
  stress.head<3>().array() += ratio * e.head<3>().sum();
  return largest_principal(stress) / limit;
}

}  // namespace

template <class T>
[[gnu::noinline]] void WarpedElements<T>::report_suspects(std::size_t first, const numerics::BatchMask<T>& mask,
                                                          const numerics::Batch<T> strain[6],
                                                          std::vector<Suspect>& suspects) const {
  constexpr int lanes = lane_count<T>;
  // Margin for rounding, and for nearly equal principal stresses: the exact test decides within it.
  const double nearly_one = sizeof(T) == 8 ? 1.0 - 1e-7 : 1.0 - 1e-3;
  T numbers[6][lanes];
  for (int k = 0; k < 6; ++k) strain[k].to(numbers[k]);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::size_t slot = first + std::size_t(lane);
    if (!mask.lane(lane) || int(slot) >= graph_->element_count()) continue;
    Vector6 e;
    for (int k = 0; k < 6; ++k) e[k] = double(numbers[k][lane]);
    const double share = share_of_threshold(e, double(ratios_[slot]), double(limit_[slot]));
    if (share > nearly_one) suspects.push_back({graph_->element_of[slot], share * threshold_});
  }
}

template <class T>
template <bool Polar, bool Plastic, bool Tested>
void WarpedElements<T>::pass_batches(const T* x, int low, int high, const Matrix3& global,
                                     const std::optional<StressTest>& test, std::vector<Suspect>* suspects) {
  constexpr int lanes = lane_count<T>;
  using P = numerics::Batch<T>;
  const bool identity = !Polar && rule_.kind == RotationKind::Identity;
  const T sign = T(law_.force_sign());

  for (int batch = low; batch < high; ++batch) {
    const std::size_t first = std::size_t(batch) * lanes;  // slot
    P b[9], f[9], r[9];
    for (int k = 0; k < 9; ++k) b[k] = P::from(gradients_.data() + 9 * first + std::size_t(k) * lanes);
    gather_gradients<T>(x, corners_.data() + 4 * first, b, f);
    T* quaternions = quaternions_.data() + 4 * first;
    P q[4];
    for (int k = 0; k < 4; ++k) q[k] = P::from(quaternions + k * lanes);
    if constexpr (Tested) keep_previous(first);

    const auto screen = [&] {
      P strain[6];
      batched_strain<T>(r, f, P::from(inverse_root_.data() + first), strain);
      if (Plastic && test->elastic_strain)
        for (int k = 0; k < 6; ++k)
          strain[k] = strain[k] - P::from(strains_.data() + 6 * first + std::size_t(k) * lanes);
      const auto mask = stress_may_exceed<T>(strain, P::from(ratios_.data() + first), P::from(limit_.data() + first));
      if (numerics::all_set(~mask)) [[likely]]
        return;
      report_suspects(first, mask, strain, *suspects);
    };
    if (Tested && test && !test->fresh_rotation && (Polar || identity)) {
      numerics::rotations_of_quaternions<T>(q, numerics::squared_length<T>(q), r);
      screen();
    }
    if constexpr (Polar)
      numerics::batched_polar<T>(f, q, r);
    else
      extract_rotations<T>(rule_, global, f, q, r);
    if (!identity)
      for (int k = 0; k < 4; ++k) q[k].to(quaternions + k * lanes);
    if (Tested && test && test->fresh_rotation && (Polar || identity)) screen();
    if (Tested && test && !Polar && !identity)  // R is not in the quaternions: all elements need the exact test
      for (int lane = 0; lane < lanes && int(first) + lane < graph_->element_count(); ++lane)
        suspects->push_back({graph_->element_of[first + std::size_t(lane)], std::nan("")});

    if (!identity) {
      P out[12];  // corner 0…3 × xyz
      rotate_corners<T>(r, b, out);
      write_corners<T>(out, rotated_.data() + 12 * first);
    }
    if constexpr (!Plastic) continue;

    P strain[6], out[12], p[6];
    for (int k = 0; k < 6; ++k) p[k] = P::from(strains_.data() + 6 * first + std::size_t(k) * lanes);
    batched_strain<T>(r, f, P::from(inverse_root_.data() + first), strain);
    batched_flow<T>(law_, P::from(yield_.data() + first), P::from(fraction_.data() + first),
                    P::from(max_.data() + first), strain, p);
    for (int k = 0; k < 6; ++k) p[k].to(next_strains_.data() + 6 * first + std::size_t(k) * lanes);
    // −c (f0' − f_plastic) of a corner: √(cV/μ) R σ(I ± ε_p) B_a, [MG04] eq. 8, 15
    const P root = T(1) / P::from(inverse_root_.data() + first), twice = T(2) * sign * root;
    const P mean =
        P::from(rest_force_.data() + first) + sign * root * P::from(ratios_.data() + first) * (p[0] + p[1] + p[2]);
    const P stress[6] = {mean + twice * p[0], mean + twice * p[1], mean + twice * p[2],
                         twice * p[3],        twice * p[4],        twice * p[5]};
    P turned[9];  // R σ
    for (int i = 0; i < 3; ++i) {
      turned[3 * i] = r[3 * i] * stress[0] + r[3 * i + 1] * stress[3] + r[3 * i + 2] * stress[5];
      turned[3 * i + 1] = r[3 * i] * stress[3] + r[3 * i + 1] * stress[1] + r[3 * i + 2] * stress[4];
      turned[3 * i + 2] = r[3 * i] * stress[5] + r[3 * i + 1] * stress[4] + r[3 * i + 2] * stress[2];
    }
    rotate_corners<T>(turned, b, out);
    write_corners<T>(out, forces_.data() + 12 * first);
  }
}

template <class T>
void WarpedElements<T>::keep_previous(std::size_t first) {
  constexpr int lanes = lane_count<T>;
  if (quaternions_suffice())
    std::copy_n(quaternions_.data() + 4 * first, 4 * lanes, previous_quaternions_.data() + 4 * first);
  else
    std::copy_n(rotated_.data() + 12 * first, 12 * lanes, previous_rotated_.data() + 12 * first);
}

#define DEFORMBENCH_INSTANTIATE(T)                                                                            \
  template void WarpedElements<T>::keep_previous(std::size_t);                                                \
  template void WarpedElements<T>::report_suspects(std::size_t, const numerics::BatchMask<T>&,                \
                                                   const numerics::Batch<T>[6], std::vector<Suspect>&) const; \
  template void WarpedElements<T>::pass(const T*, int, int, const Matrix3&, const std::optional<StressTest>&, \
                                        std::vector<Suspect>*);
DEFORMBENCH_INSTANTIATE(float)
DEFORMBENCH_INSTANTIATE(double)
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::fem
