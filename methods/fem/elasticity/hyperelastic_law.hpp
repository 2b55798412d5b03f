// SPDX-License-Identifier: BSD-3-Clause
// The element passes of hyperelasticity.hpp, compiled for one law (laws/). Only for the generated sources of the
// laws.
#pragma once

#include <algorithm>

#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/fem/elasticity/hyperelasticity.hpp"
#include "methods/fem/elasticity/principal_hessian.hpp"
#include "methods/numerics/batched_svd.hpp"

namespace deformbench::fem {

template <class Law>
class HyperelasticLaw final : public Hyperelasticity {
 public:
  using Hyperelasticity::Hyperelasticity;
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
  double rest_stiffness() const override { return double(Law::kRestStiffness); }

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
  struct Singular {
    P u[9], s[3], v[9];
    DEFORMBENCH_INLINE Singular(const P f[9], Pass& pass, int batch) {
      double* quaternions = pass.quaternions.data() + 4 * std::size_t(batch) * kLanes;
      P q[4];
      for (int k = 0; k < 4; ++k) q[k] = P::from(quaternions + std::size_t(k) * kLanes);
      numerics::batched_svd<double>(f, q, u, s, v);
      for (int k = 0; k < 4; ++k) q[k].to(quaternions + std::size_t(k) * kLanes);
    }
  };

  /// −V P ∇N_a of the four corners.
  static DEFORMBENCH_INLINE void corner_forces(const P piola[9], const P b[9], P out[12]) {
    P resisting[9];
    for (int k = 0; k < 9; ++k) resisting[k] = 0.0 - piola[k];
    rotate_corners<double>(resisting, b, out);
  }
  static DEFORMBENCH_INLINE void write_forces(const P piola[9], const P b[9], int batch, Pass& pass) {
    P out[12];
    corner_forces(piola, b, out);
    write_corners<double>(out, pass.corner_forces.data() + 12 * std::size_t(batch) * kLanes);
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
      if (pass.sums == nullptr) {
        write_forces(piola, elements.b, batch, pass);
        continue;
      }
      P out[12];
      corner_forces(piola, elements.b, out);
      add_corners<double>(out, corners_.data() + 4 * kLanes * std::size_t(batch), pass.sums);
    }
  }

  void hessian_batches(const double* x, int low, int high, bool is_projected, Pass& pass) const override {
    constexpr int kOrder[9] = {0, 4, 8, 6, 1, 5, 3, 7, 2};  // of put_block, in a row-major block
    for (int batch = low; batch < high; ++batch) {
      const Elements elements(*this, x, batch);
      const Singular f(elements.f, pass, batch);
      P g[3], piola[9];
      Law::template gradient<P>(f.s, elements.lambda, elements.mu, g);
      turn_diagonal(f.u, g, f.v, piola);
      write_forces(piola, elements.b, batch, pass);

      PrincipalHessian<P> hessian = principal_hessian<Law>(f.s, elements.lambda, elements.mu);
      if (is_projected) hessian = projected(hessian);
      P turned[4][3];  // Vᵀ ∇N_a
      for (int a = 1; a < 4; ++a) transposed_times(f.v, elements.b + 3 * (a - 1), turned[a]);
      for (int k = 0; k < 3; ++k) turned[0][k] = 0.0 - (turned[1][k] + turned[2][k] + turned[3][k]);
      P out[kBlockStride];
      int next = 0;
      for (int a = 0; a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) {
          P m[9], block[9];
          contract(hessian, turned[a], turned[b], m);
          turn_block(f.u, m, block);
          for (int k = 0; k < 9; ++k) out[next++] = block[kOrder[k]];
        }
      }
      out[54] = out[55] = P::all(0.0);
      write_elements<14, double>(out, pass.blocks.data() + kBlockStride * std::size_t(batch) * kLanes, kBlockStride);
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
