// SPDX-License-Identifier: BSD-3-Clause
// The element passes of hyperelasticity.hpp, compiled for one law (laws/). Only for the generated sources of the
// laws.
#pragma once

#include <algorithm>

#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/fem/nonlinear/principal_hessian.hpp"
#include "methods/numerics/batched_svd.hpp"

namespace deformbench::fem {

template <class Law>
class HyperelasticLaw final : public Hyperelasticity {
 public:
  using Hyperelasticity::Hyperelasticity;
  double rest_stiffness() const override { return double(Law::kRestStiffness); }
  double penalty_stiffness() const override {
    double largest = rest_stiffness();
    if constexpr (requires { Law::template penalty<double>(1.0, 1.0); }) {
      for (std::size_t slot = 0; slot < mu_.size(); ++slot)
        if (mu_[slot] > 0.0)
          largest = std::max(
              largest, Law::template penalty<double>(lambda_[slot], mu_[slot]) / (lambda_[slot] + 2.0 * mu_[slot]));
    }
    return largest;
  }

 private:
  bool has_direct_forces() const override { return Law::kDirect; }

  static constexpr std::size_t kLanes = numerics::lane_count<double>;
  using P = numerics::Batch<double>;

  /// Rest gradients, deformation gradients and materials of a batch.
  struct Elements {
    P b[9], f[9], lambda, mu;
    DEFORMBENCH_INLINE Elements(const HyperelasticLaw& part, const double* x, int batch) {
      const std::size_t first = std::size_t(batch) * kLanes;
      for (int k = 0; k < 9; ++k) b[k] = P::from(part.gradients_.data() + 9 * first + std::size_t(k) * kLanes);
      gather_gradients<double>(x, part.corners_.data() + 4 * first, b, f);
      lambda = P::from(part.lambda_.data() + first);
      mu = P::from(part.mu_.data() + first);
    }
  };
  /// The same in single precision: F is formed in double, and then rounded.
  struct SingleElements {
    numerics::Batch<float> b[9], f[9], lambda, mu;
    DEFORMBENCH_INLINE SingleElements(const HyperelasticLaw& part, const double* x, int batch) {
      constexpr std::size_t lanes = std::size_t(numerics::lane_count<float>), halves = lanes / kLanes;
      double numbers[20][lanes];
      for (std::size_t half = 0; half < halves; ++half) {
        const Elements elements(part, x, int(halves) * batch + int(half));
        for (int k = 0; k < 9; ++k) {
          elements.b[k].to(numbers[k] + half * kLanes);
          elements.f[k].to(numbers[9 + k] + half * kLanes);
        }
        elements.lambda.to(numbers[18] + half * kLanes);
        elements.mu.to(numbers[19] + half * kLanes);
      }
      const auto rounded = [&](int k) {
        float to[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] = float(numbers[k][lane]);
        return numerics::Batch<float>::from(to);
      };
      for (int k = 0; k < 9; ++k) b[k] = rounded(k), f[k] = rounded(9 + k);
      lambda = rounded(18), mu = rounded(19);
    }
  };
  template <class T>
  struct SingularOf {
    using V = numerics::Batch<T>;
    V u[9], s[3], v[9];
    /// `quaternions`: of the batch; warm start in, rotations out.
    DEFORMBENCH_INLINE SingularOf(const V f[9], T* quaternions) {
      constexpr std::size_t lanes = std::size_t(numerics::lane_count<T>);
      V q[4];
      for (std::size_t k = 0; k < 4; ++k) q[k] = V::from(quaternions + k * lanes);
      numerics::batched_svd<T>(f, q, u, s, v);
      for (std::size_t k = 0; k < 4; ++k) q[k].to(quaternions + k * lanes);
    }
  };
  struct Singular : SingularOf<double> {
    DEFORMBENCH_INLINE Singular(const P f[9], Pass& pass, int batch)
        : SingularOf<double>(f, pass.quaternions.data() + 4 * std::size_t(batch) * kLanes) {}
  };

  /// −V P ∇N_a of the four corners.
  static DEFORMBENCH_INLINE void corner_forces(const P piola[9], const P b[9], P out[12]) {
    P resisting[9];
    for (int k = 0; k < 9; ++k) resisting[k] = 0.0 - piola[k];
    rotate_corners<double>(resisting, b, out);
  }
  DEFORMBENCH_INLINE void give_forces(const P piola[9], const P b[9], int batch, Pass& pass) const {
    if (pass.sums == nullptr) {
      P out[12];
      corner_forces(piola, b, out);
      write_corners<double>(out, pass.corner_forces.data() + 12 * std::size_t(batch) * kLanes);
      return;
    }
    P out[12];
    corner_forces(piola, b, out);
    add_corners<double>(out, corners_.data() + 4 * kLanes * std::size_t(batch), pass.sums);
  }

  double energy_of_batches(const double* x, int low, int high, Pass& pass) const override {
    P sum = P::all(0.0);
    for (int batch = low; batch < high; ++batch) {
      const Elements elements(*this, x, batch);
      if constexpr (Law::kDirect) {
        sum = sum + Law::template energy_of<P>(elements.f, elements.lambda, elements.mu);
      } else {
        const Singular f(elements.f, pass, batch);
        sum = sum + Law::template energy<P>(f.s, elements.lambda, elements.mu);
      }
    }
    double lanes[kLanes], total = 0.0;
    sum.to(lanes);
    for (const double lane : lanes) total += lane;
    return total;
  }

  void force_batches(const double* x, int low, int high, Pass& pass) const override {
    for (int batch = low; batch < high; ++batch) {
      const Elements elements(*this, x, batch);
      P piola[9];
      if constexpr (Law::kDirect) {
        Law::template piola_of<P>(elements.f, elements.lambda, elements.mu, piola);
      } else {
        const Singular f(elements.f, pass, batch);
        P g[3];
        Law::template gradient<P>(f.s, elements.lambda, elements.mu, g);
        turn_diagonal(f.u, g, f.v, piola);
      }
      give_forces(piola, elements.b, batch, pass);
    }
  }

  void hessian_batches(const double* x, int low, int high, const HessianForm& form, bool with_forces,
                       Pass& pass) const override {
    for (int batch = low; batch < high; ++batch) {
      const Elements elements(*this, x, batch);
      const Singular f(elements.f, pass, batch);
      if (with_forces) {
        P g[3], piola[9];
        Law::template gradient<P>(f.s, elements.lambda, elements.mu, g);
        turn_diagonal(f.u, g, f.v, piola);
        give_forces(piola, elements.b, batch, pass);
      }
      write_blocks<double>(elements, f, batch, form, pass.last, pass.blocks.data());
    }
  }

  void single_hessian_batches(const double* x, int low, int high, const HessianForm& form, Pass& pass) const override {
    constexpr std::size_t lanes = numerics::lane_count<float>;
    for (int batch = low; batch < high; ++batch) {
      const SingleElements elements(*this, x, batch);
      const SingularOf<float> f(elements.f, pass.single_quaternions.data() + 4 * lanes * std::size_t(batch));
      write_blocks<float>(elements, f, batch, form, pass.last, pass.single_blocks.data());
    }
  }

  /// The six blocks of each element, in the precision of T.
  template <class T, class ElementsOfT>
  DEFORMBENCH_INLINE void write_blocks(const ElementsOfT& elements, const SingularOf<T>& f, int batch,
                                       const HessianForm& form, std::size_t last, T* blocks) const {
    using V = numerics::Batch<T>;
    using Register = typename V::Register;
    constexpr int kOrder[9] = {0, 4, 8, 6, 1, 5, 3, 7, 2};  // of put_block, in a row-major block
    constexpr int kPairsOfCorners[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    constexpr int lanes = numerics::lane_count<T>;
    PrincipalHessian<V> hessian = principal_hessian<Law>(f.s, elements.lambda, elements.mu);
    if (form.negative_share != 1.0) {
      const PrincipalHessian<V> exact = hessian;
      hessian = filtered(hessian, form.negative_share);
      if (form.filtered_nodes != nullptr) keep_unselected(exact, batch, *form.filtered_nodes, hessian);
    }
    V turned[4][3];  // Vᵀ ∇N_a
    for (int a = 1; a < 4; ++a) transposed_times(f.v, elements.b + 3 * (a - 1), turned[a]);
    for (int k = 0; k < 3; ++k) turned[0][k] = T(0) - (turned[1][k] + turned[2][k] + turned[3][k]);
    const Shears<V> shears(hessian);
    V out[kBlockStride];
    for (int reg = 0; reg < numerics::kBatchRegisters; ++reg) {  // two at a time would not fit 16 registers
      Register u[9], stretch[6], b[4][3];
      Shears<Register> own;
      for (int k = 0; k < 9; ++k) u[k] = f.u[k].part[reg];
      for (int k = 0; k < 6; ++k) stretch[k] = hessian.stretch[k].part[reg];
      for (int p = 0; p < 3; ++p) own.same[p] = shears.same[p].part[reg], own.cross[p] = shears.cross[p].part[reg];
      for (int k = 0; k < 12; ++k) b[k / 3][k % 3] = turned[k / 3][k % 3].part[reg];
      int next = 0;
#pragma GCC unroll 1
      for (const auto& pair : kPairsOfCorners) {
        Register m[9], block[9];
        contract(stretch, own, b[pair[0]], b[pair[1]], m);
        turn_block(u, m, block);
        for (int k = 0; k < 9; ++k) out[next++].part[reg] = block[kOrder[k]];
      }
    }
    out[54] = out[55] = V::all(T(0));
    write_elements<14, T>(out, blocks + kBlockStride * std::size_t(lanes) * (std::size_t(batch) & last), kBlockStride);
  }

  /// Sets elements without a corner at a selected node back to `exact`.
  template <class V>
  [[gnu::noinline]] void keep_unselected(const PrincipalHessian<V>& exact, int batch, const std::vector<char>& selected,
                                         PrincipalHessian<V>& hessian) const {
    using T = numerics::ScalarOf<V>;
    constexpr std::size_t lanes = std::size_t(numerics::lane_count<T>);
    T is_selected[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const unsigned* corners = corners_.data() + 4 * (lanes * std::size_t(batch) + lane);
      is_selected[lane] =
          T(std::any_of(corners, corners + 4, [&](unsigned offset) { return selected[offset / 4] != 0; }));
    }
    const auto mask = numerics::is_less(V::all(T(0.5)), V::from(is_selected));
    for (int k = 0; k < 6; ++k) hessian.stretch[k] = numerics::select(mask, hessian.stretch[k], exact.stretch[k]);
    for (int p = 0; p < 3; ++p) {
      hessian.flip[p] = numerics::select(mask, hessian.flip[p], exact.flip[p]);
      hessian.twist[p] = numerics::select(mask, hessian.twist[p], exact.twist[p]);
    }
  }

  void stress_batches(const double* x, int low, int high, Pass& pass) const override {
    constexpr int kEntries[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    for (int batch = low; batch < high; ++batch) {
      const Elements elements(*this, x, batch);
      const Singular f(elements.f, pass, batch);
      const P volume = P::from(volume_.data() + std::size_t(batch) * kLanes);
      P g[3];
      Law::template gradient<P>(f.s, elements.lambda, elements.mu, g);
      const P j = f.s[0] * f.s[1] * f.s[2], least = P::all(1e-9);
      const auto is_whole = numerics::is_less(least, j);
      P out[kStressStride];
      for (int k = 0; k < 3; ++k) g[k] = numerics::select(is_whole, g[k] * f.s[k] / j, g[k]) / volume;
      for (int k = 0; k < 6; ++k) {
        const int r = 3 * kEntries[k][0], c = 3 * kEntries[k][1];
        out[k] = f.v[r] * g[0] * f.v[c] + f.v[r + 1] * g[1] * f.v[c + 1] + f.v[r + 2] * g[2] * f.v[c + 2];
      }
      out[6] = numerics::lane_max(numerics::lane_max(g[0], g[1]), g[2]);
      out[7] = P::all(0.0);
      write_elements<2, double>(out, pass.stresses.data() + kStressStride * std::size_t(batch) * kLanes, kStressStride);
    }
  }
};

}  // namespace deformbench::fem
