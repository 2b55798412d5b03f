// SPDX-License-Identifier: BSD-3-Clause
// Elasticity of a vertex in plain Eigen, one tetrahedron after the other, with F = Σ x_a ⊗ ∇N_a as written: the
// reference of tests, and the naive loop of benchmarks. For .cpp files only (see lanes.hpp).
#pragma once

#include "methods/descent/sweep_of.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/fem/nonlinear/laws/st_venant_kirchhoff.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean_core.hpp"

namespace deformbench::descent {

struct PlainCorner {
  Matrix3 f;
  Vector3 g;          ///< ∇N, 1/m
  double lambda, mu;  ///< times the volume, J
};

inline void add_to(LocalBlock& block, const Vector3& force, const Matrix3& h) {
  for (int i = 0; i < 3; ++i) block.force[i] += force[i], block.h[i] += h(i, i);
  block.h[3] += h(0, 1), block.h[4] += h(0, 2), block.h[5] += h(1, 2);
}

template <class Law>
struct PlainInvariants {
  static void add(const PlainCorner& c, LocalBlock& block) {
    Matrix3 cofactor;
    for (int k = 0; k < 3; ++k) cofactor.col(k) = c.f.col((k + 1) % 3).cross(c.f.col((k + 2) % 3));
    const typename Law::template Terms<double> terms(c.f.squaredNorm(), c.f.determinant(), c.lambda, c.mu);
    const Vector3 fg = c.f * c.g, cg = cofactor * c.g;
    add_to(block, -terms.shear * fg - terms.volume * cg,
           terms.shear * c.g.squaredNorm() * Matrix3::Identity() + terms.share * fg * fg.transpose() +
               terms.l * cg * cg.transpose());
  }
  static double energy(const PlainCorner& c) {
    return Law::template energy_of_invariants<double>(c.f.squaredNorm(), c.f.determinant(), c.lambda, c.mu);
  }
};

struct PlainGreen {
  static Matrix3 strain(const PlainCorner& c) { return 0.5 * (c.f.transpose() * c.f - Matrix3::Identity()); }
  static void add(const PlainCorner& c, const Matrix3& e, LocalBlock& block) {
    const Matrix3 stress = c.lambda * e.trace() * Matrix3::Identity() + 2.0 * c.mu * e;
    const Vector3 fg = c.f * c.g;
    add_to(block, -c.f * stress * c.g,
           c.g.dot(stress * c.g) * Matrix3::Identity() + (c.lambda + c.mu) * fg * fg.transpose() +
               c.mu * c.g.squaredNorm() * c.f * c.f.transpose());
  }
  static double energy(const PlainCorner& c, const Matrix3& e) {
    return c.mu * e.squaredNorm() + 0.5 * c.lambda * e.trace() * e.trace();
  }
  static void add(const PlainCorner& c, LocalBlock& block) { add(c, strain(c), block); }
  static double energy(const PlainCorner& c) { return energy(c, strain(c)); }
};

template <class Law>
class PlainStars {
 public:
  PlainStars(const fem::Body<double>& body, const Stars& stars) : graph_(body.graph), stars_(stars) {
    for (const int element : graph_.element_of) {
      const fem::RestElement rest = fem::rest_element(body.scene.tet_mesh, element);
      const model::Material& material = body.scene.material_of(element);
      elements_.push_back({rest.gradients, material.lame_lambda() * rest.volume, material.lame_mu() * rest.volume});
    }
  }

  void hold_strains(const double* x) {
    strains_.clear();
    for (std::size_t slot = 0; slot < elements_.size(); ++slot)
      strains_.push_back(PlainGreen::strain(corner(x, slot, 0)));
  }
  void add(int visit, const double* x, double viscosity, LocalBlock& block) const {
    each_corner(visit, x, [&](PlainCorner c, std::size_t slot) {
      Law::add(c, block);
      if (viscosity == 0.0) return;
      c.lambda *= viscosity, c.mu *= viscosity;
      PlainGreen::add(c, PlainGreen::strain(c) - strains_[slot], block);
    });
  }
  double energy(int visit, const double* x, double viscosity) const {
    double sum = 0.0;
    each_corner(visit, x, [&](PlainCorner c, std::size_t slot) {
      sum += Law::energy(c);
      if (viscosity == 0.0) return;
      c.lambda *= viscosity, c.mu *= viscosity;
      sum += PlainGreen::energy(c, PlainGreen::strain(c) - strains_[slot]);
    });
    return sum;
  }

 private:
  struct Element {
    Eigen::Matrix<double, 3, 4> gradients;
    double lambda, mu;
  };
  PlainCorner corner(const double* x, std::size_t slot, std::size_t a) const {
    const Element& element = elements_[slot];
    PlainCorner c{Matrix3::Zero(), element.gradients.col(Eigen::Index(a)), element.lambda, element.mu};
    for (std::size_t b = 0; b < 4; ++b)
      c.f += Eigen::Map<const Vector3>(x + 4 * graph_.corners[4 * slot + b]) *
             element.gradients.col(Eigen::Index(b)).transpose();
    return c;
  }
  template <class Work>
  void each_corner(int visit, const double* x, Work&& work) const {
    const std::size_t node = std::size_t(stars_.schedule.nodes[std::size_t(visit)]);
    for (int k = graph_.node_start[node]; k < graph_.node_start[node + 1]; ++k) {
      const std::size_t place = std::size_t(graph_.node_places[std::size_t(k)]);
      work(corner(x, place / 4, place % 4), place / 4);
    }
  }

  const fem::MeshGraph& graph_;
  const Stars& stars_;
  std::vector<Element> elements_;
  std::vector<Matrix3> strains_;  ///< E(t) per slot
};

}  // namespace deformbench::descent
