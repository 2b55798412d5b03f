// SPDX-License-Identifier: BSD-3-Clause
// Hexahedra with mean dilatation against closed forms: patch test, rank, the volume that their pressure sees, locking
// as ν → ½, order of convergence, a thick sphere under pressure.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/model/error.hpp"
#include "methods/model/hexahedra.hpp"
#include "methods/numerics/dense_algebra.hpp"
#include "tests/fem/element_gates.hpp"

namespace deformbench::fem {
namespace {

using EightPlaces = Eigen::Matrix<double, 8, 3>;

Scene distorted_hexahedra() {
  Scene scene = block_scene({3, 3, 3}, 0.1, model::BlockSplit::KuhnSix);
  scene.tet_mesh = model::jitter(scene.tet_mesh, {.fraction = 0.3, .seed = 9});
  return scene;
}

/// One element of no regular shape, all of its faces bent.
Scene one_hexahedron() {
  Scene scene = block_scene({1, 1, 1}, 0.1, model::BlockSplit::KuhnSix);
  numerics::RandomStream random(12);
  scene.tet_mesh.rest_positions = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  return scene;
}

EightPlaces corners_of(const model::Hexahedra& elements, Eigen::Index e, const Points& x) {
  EightPlaces found;
  for (Eigen::Index a = 0; a < 8; ++a) found.row(a) = x.row(elements(e, a));
  return found;
}

Eigen::Matrix<double, 8, 1> shapes(const Vector3& xi) {
  Eigen::Matrix<double, 8, 1> n;
  for (int a = 0; a < 8; ++a) {
    n[a] = 1.0;
    for (int k = 0; k < 3; ++k) n[a] *= (a >> k & 1) != 0 ? xi[k] : 1.0 - xi[k];
  }
  return n;
}

/// Calls work(ξ, weight) at the 27 points of Gauss' rule of three points along each axis of the unit cube.
template <class Work>
void each_of_27(Work&& work) {
  const double places[3] = {0.5 - 0.5 * std::sqrt(0.6), 0.5, 0.5 + 0.5 * std::sqrt(0.6)};
  const double weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (int i = 0; i < 27; ++i)
    work(Vector3(places[i / 9], places[i / 3 % 3], places[i % 3]),
         weights[i / 9] * weights[i / 3 % 3] * weights[i % 3]);
}

double volume(const EightPlaces& x) {
  double sum = 0.0;
  each_of_27([&](const Vector3& xi, double weight) {
    sum += weight * (x.transpose() * model::trilinear_gradients(xi)).determinant();
  });
  return sum;
}

TEST(Hexahedra, PassThePatchTestOnADistortedMeshWithEveryLaw) {
  const Scene scene = distorted_hexahedra();
  for (const std::string& law : law_names()) {
    if (law.starts_with("invertible_")) continue;
    SCOPED_TRACE(law);
    expect_patch_test("hexahedra", scene, 0.3, 1e-10, {{"law", law}});
  }
}

TEST(Hexahedra, HaveRigidMotionsWithoutForceAndNoOthers) {
  for (const double nu : {0.0, 0.3, 0.4999}) {
    Scene scene = one_hexahedron();
    scene.materials[0].poisson_ratio = nu;
    const Eigen::VectorXd values =
        numerics::symmetric_eigenvalues(Eigen::MatrixXd(stiffness_at_rest("hexahedra", scene)));
    ASSERT_EQ(values.size(), 24);
    EXPECT_LT(values.head<6>().cwiseAbs().maxCoeff(), 1e-13 * values[23]) << nu;
    EXPECT_GT(values[6], 0.05 * scene.materials[0].lame_mu() * 0.1) << nu;  // of the order of μ times an edge
  }
}

/// Of λ an element has V₀ λ/2 t² of its volume alone: nothing else changes where λ does.
TEST(Hexahedra, HaveAPressureOfTheVolumeAlone) {
  const Scene scene = one_hexahedron();
  const model::Hexahedra elements = model::hexahedra(scene.tet_mesh);
  numerics::RandomStream random(4);
  const Points x = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  const double rest = volume(corners_of(elements, 0, scene.tet_mesh.rest_positions)),
               ratio = volume(corners_of(elements, 0, x)) / rest;
  ASSERT_GT(std::abs(ratio - 1.0), 0.01);
  const auto at = [&](const std::string& law, double nu) {
    Scene other = scene;
    other.materials[0].poisson_ratio = nu;
    other.materials[0].young_modulus = 1e5 * (1 + nu);  // the same μ
    return facet_of<ElasticityFacet>(*with_elements("hexahedra", other, {{"law", law}})).elastic_energy(x);
  };
  const double lambda = model::Material{1.45e5, 0.45, 1000.0}.lame_lambda();
  for (const auto& [law, t] : {std::pair("stable_neo_hookean", ratio - 1.0), std::pair("neo_hookean", std::log(ratio)),
                               std::pair("stable_neo_hookean_core", ratio - 1.0)}) {
    const double expected = 0.5 * rest * lambda * t * t;
    EXPECT_NEAR(at(law, 0.45) - at(law, 0.0), expected, 1e-9 * expected) << law;
  }
}

TEST(Hexahedra, DoNotLock) {
  const Scene scene = block_scene({40, 2, 2}, 0.1, model::BlockSplit::KuhnSix);
  EXPECT_GE(deflection("hexahedra", scene, 0.4999) / deflection("hexahedra", scene, 0.3), 0.95);
}

double swirl_error(int level) {
  const Scene scene = unit_cube(level);
  const model::Hexahedra elements = model::hexahedra(scene.tet_mesh);
  return error_of_swirl("hexahedra", scene, [&](auto&& work) {
    for (Eigen::Index e = 0; e < elements.rows(); ++e) {
      const EightPlaces x = corners_of(elements, e, scene.tet_mesh.rest_positions);
      each_of_27([&](const Vector3& xi, double weight) {
        const double scale = (x.transpose() * model::trilinear_gradients(xi)).determinant();
        work(elements.row(e), shapes(xi), Vector3(x.transpose() * shapes(xi)), weight * scale);
      });
    }
  });
}

TEST(Hexahedra, ConvergeOnASwirlWithoutDivergence) {
  double last = swirl_error(1);
  for (const int level : {2, 3, 4}) {
    const double error = swirl_error(level);
    EXPECT_GE(last / error, 3.0) << level << ": " << last << " " << error;
    last = error;
  }
}

TEST(Hexahedra, GiveTheDisplacementOfAThickSphereUnderPressure) {
  Scene scene;
  scene.tet_mesh = sphere_sector({8, 4, 4});
  const Points& rest = scene.tet_mesh.rest_positions;
  const model::Hexahedra elements = model::hexahedra(scene.tet_mesh);
  Points f = Points::Zero(rest.rows(), 3);
  for (Eigen::Index e = 0; e < elements.rows(); ++e) {
    const EightPlaces x = corners_of(elements, e, rest);
    for (int axis = 0; axis < 3; ++axis) {
      double farthest = 0.0;  // corner of the face where ξ is 0 along the axis
      for (int a = 0; a < 8; ++a)
        if ((a >> axis & 1) == 0) farthest = std::max(farthest, x.row(a).norm());
      if (farthest > 1.0 + 1e-9) continue;
      for (int q = 0; q < 8; ++q) {
        if ((q >> axis & 1) != 0) continue;
        Vector3 xi = model::gauss_point(q);
        xi[axis] = 0.0;
        const Matrix3 along = x.transpose() * model::trilinear_gradients(xi);
        const Vector3 load = 0.25 * along.col((axis + 1) % 3).cross(along.col((axis + 2) % 3));  // into the element
        for (int a = 0; a < 8; ++a) f.row(elements(e, a)) += shapes(xi)[a] * load.transpose();
      }
    }
  }
  ASSERT_GT(f.col(0).sum(), 0.1);
  EXPECT_LT(sphere_error("hexahedra", scene, f, rest.rows()), 0.02);
}

TEST(Hexahedra, AreRefusedOnOtherMeshesWithTheReason) {
  const Registry registry = element_methods();
  const auto reason = [&](const Scene& scene, Settings settings) {
    const MethodDescriptor& method = registry.at("implicit_fem");
    settings["elements"] = std::string("hexahedra");
    return method.supports(scene, Parameters(method.parameters, settings, "implicit_fem")).reason;
  };
  EXPECT_NE(reason(block_scene({4, 2, 2}), {}).find("got 80 tetrahedra"), std::string::npos);
  Scene scene = distorted_hexahedra();
  EXPECT_EQ(reason(scene, {}), "");
  EXPECT_NE(reason(scene, {{"fracture", std::string("vertex_split")}}).find("exclude fracture"), std::string::npos);
  scene.materials.push_back({});
  scene.element_material.assign(std::size_t(scene.tet_mesh.element_count()), 0);
  scene.element_material[11] = 1;
  EXPECT_NE(reason(scene, {}).find("tetrahedron 11"), std::string::npos);
  EXPECT_THROW(make("invertible_fem", distorted_hexahedra(), {{"elements", std::string("hexahedra")}}), InputError);
}

}  // namespace
}  // namespace deformbench::fem
