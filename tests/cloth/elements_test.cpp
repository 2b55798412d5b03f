// SPDX-License-Identifier: BSD-3-Clause
// Every kind of element: forces and matrices against differences of its energy, damping against the constraint's rate,
// [B05] §5. Hinges: the energy's weight and form, [B05] §2, the force, [B05] §3, the angle's slopes, [B05] §4.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <numbers>

#include "methods/cloth/cloth_forces.hpp"
#include "methods/model/position_constraint.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::cloth {
namespace {

/// Two triangles in space that are bent by some angle, of no symmetry.
Points bent_pair(double angle, std::uint64_t seed = 1) {
  numerics::RandomStream random(seed);
  const Matrix3 turn = random.rotation();
  Points x(4, 3);
  x << 0, 0, 0, 1.1, 0, 0, 0.4, 0.8, 0, 0.7, -0.9 * std::cos(angle), -0.9 * std::sin(angle);
  return x * turn;
}

Scene pair_scene(double rest_angle) {
  Scene scene;
  scene.cloth.rest_positions = bent_pair(rest_angle);
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 2, 1, 0, 1, 3;
  return scene;
}

Scene block_scene() {
  Scene scene;
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 1, 0.1, 0, 0.2, 1, 0, 0.1, 0.2, 1;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.materials = {model::Material{.young_modulus = 10.0, .poisson_ratio = 0.3, .density = 1.0}};
  return scene;
}

struct Kind {
  std::string name;
  ClothOptions options;
  double rest_angle;
  bool is_solid = false;
};

std::vector<Kind> kinds() {
  ClothOptions none;
  none.stretch_stiffness = 0.0;
  none.stretch_damping = 0.3;
  none.bend_damping = 0.7;
  ClothOptions springs = none, membrane = none, half = none, angle = none;
  springs.stretch_stiffness = 7.0;
  membrane.membrane_stiffness = 5.0;
  half.bend_stiffness = angle.bend_stiffness = 2.0;
  angle.hinge.form = HingeForm::Angle;
  return {{"springs", springs, 0.0},       {"membrane", membrane, 0.0}, {"half_angle", half, 0.0},
          {"half_angle_bent", half, -1.2}, {"angle_bent", angle, 0.9},  {"solid", none, 0.0, true}};
}

class EveryElement : public testing::TestWithParam<Kind> {
 protected:
  const Scene scene_ = GetParam().is_solid ? block_scene() : pair_scene(GetParam().rest_angle);
  const ClothForces forces_{scene_, GetParam().options};
  Points state(std::uint64_t seed) const {
    numerics::RandomStream random(seed);
    Points x = GetParam().is_solid ? scene_.tet_mesh.rest_positions : bent_pair(0.6, seed);
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += random.uniform(-0.2, 0.2);
    return x;
  }
  Points elastic(const Points& x) const {
    Points f = Points::Zero(x.rows(), 3);
    forces_.add_elastic(x, f);
    return f;
  }
};

TEST_P(EveryElement, ForcesAreTheSlopesOfTheEnergyWhichIsZeroAtRest) {
  EXPECT_NEAR(forces_.energy(scene_.rest_positions()), 0.0, 1e-28);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Points x = state(seed), f = elastic(x);
    EXPECT_GT(f.norm(), 1e-3);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Points ahead = x, behind = x;
      ahead.data()[i] += 1e-5;
      behind.data()[i] -= 1e-5;
      EXPECT_NEAR(f.data()[i], -(forces_.energy(ahead) - forces_.energy(behind)) / 2e-5, 2e-8 * (1.0 + f.norm()));
    }
  }
}

TEST_P(EveryElement, ExactStiffnessIsTheSlopeOfTheForces) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Points x = state(seed);
    const Eigen::MatrixXd k = forces_.stiffness_matrix(x, StiffnessKind::Exact);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Points ahead = x, behind = x;
      ahead.data()[i] += 1e-5;
      behind.data()[i] -= 1e-5;
      const Points slope = -(elastic(ahead) - elastic(behind)) / 2e-5;
      EXPECT_LT((k.col(i) - Eigen::Map<const Eigen::VectorXd>(slope.data(), slope.size())).norm(),
                1e-6 * (1.0 + k.norm()));
    }
  }
}

TEST_P(EveryElement, SemidefiniteStiffnessHasNoNegativeEigenvalueAndIsExactAtRest) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Eigen::MatrixXd k = forces_.stiffness_matrix(state(seed), StiffnessKind::Semidefinite);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
    EXPECT_GT(values.minCoeff(), -1e-12 * values.maxCoeff());
  }
  const Points& rest = scene_.rest_positions();
  const Eigen::MatrixXd exact = forces_.stiffness_matrix(rest, StiffnessKind::Exact);
  EXPECT_LT((exact - forces_.stiffness_matrix(rest, StiffnessKind::Semidefinite).toDense()).norm(),
            1e-12 * exact.norm());
}

TEST_P(EveryElement, DampingTakesEnergyAndLeavesRigidMotionAlone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Points x = state(seed);
    numerics::RandomStream random(100 + seed);
    Points v(4, 3), damping = Points::Zero(4, 3);
    for (Eigen::Index i = 0; i < v.size(); ++i) v.data()[i] = random.normal();
    forces_.add_damping(x, v, damping);
    const Eigen::Map<const Eigen::VectorXd> flat(v.data(), v.size());
    const Eigen::MatrixXd matrix = forces_.damping_matrix(x);
    EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(damping.data(), 12) + matrix * flat).norm(), 1e-12 * damping.norm());
    EXPECT_LT(damping.cwiseProduct(v).sum(), 0.0);
    const Vector3 spin = random.direction();
    for (Eigen::Index i = 0; i < 4; ++i) v.row(i) = spin.cross(x.row(i).transpose()).transpose() + spin.transpose();
    damping.setZero();
    forces_.add_damping(x, v, damping);
    EXPECT_LT(damping.norm(), 1e-13 * matrix.norm());
  }
}

TEST_P(EveryElement, IsDampedByItsOwnCoefficient) {
  // At rest C = 0 and ∂²W/∂x² = (∂C/∂x)ᵀ ∂C/∂x.
  const Points& rest = scene_.rest_positions();
  const ClothOptions& options = GetParam().options;
  const double coefficient = options.bend_stiffness > 0.0 ? options.bend_damping : options.stretch_damping;
  const Eigen::MatrixXd expected = coefficient * forces_.stiffness_matrix(rest, StiffnessKind::Exact);
  EXPECT_LT((forces_.damping_matrix(rest) - expected).norm(), 1e-12 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryElement, testing::ValuesIn(kinds()),
                         [](const testing::TestParamInfo<Kind>& of) { return of.param.name; });

TEST(HingeAngle, IsTheAngleOfTheModel) {
  for (const double angle : {-3.1, -1.0, -1e-7, 0.0, 1e-12, 0.3, 2.0, 3.1}) {
    const Points x = bent_pair(angle, 7);
    const auto row = [&](int k) -> Vector3 { return x.row(k); };
    const double known = model::dihedral_angle(row(0), row(1), row(2), row(3));
    EXPECT_NEAR(hinge_angle(corners_of(std::array<int, 4>{0, 1, 2, 3}, x)), known, 1e-15 * (1 + 4 * std::abs(known)));
    EXPECT_NEAR(std::abs(known), std::abs(angle), 1e-14);
  }
}

TEST(HingeAngle, SlopesInThreeWaysAreThoseOfTheAngle) {
  for (const double angle : {-2.9, -0.4, 0.01, 0.7, 2.2}) {
    const Points x = bent_pair(angle, 3);
    const std::array<int, 4> all{0, 1, 2, 3};
    for (const AngleGradient how : {AngleGradient::Modes, AngleGradient::Cosine, AngleGradient::Automatic}) {
      const CornerVector<4> slope = angle_gradient(corners_of(all, x), how);
      for (Eigen::Index i = 0; i < 12; ++i) {
        Points ahead = x, behind = x;
        ahead.data()[i] += 1e-5;
        behind.data()[i] -= 1e-5;
        const double difference = (hinge_angle(corners_of(all, ahead)) - hinge_angle(corners_of(all, behind))) / 2e-5;
        EXPECT_NEAR(slope[i], difference, 1e-8) << int(how) << " at " << angle;
      }
    }
  }
}

TEST(HingeAngle, PrintedSineOfASmallAngleIsLostAndTheOtherIsNot) {
  const Corners<4> x = corners_of(std::array<int, 4>{0, 1, 2, 3}, bent_pair(1e-10, 5));
  EXPECT_NEAR(half_angle(x, SineFormula::Robust, SinePrecision::Double).sine, 0.5 * hinge_angle(x), 1e-18);
  EXPECT_GT(std::abs(std::abs(half_angle(x, SineFormula::Printed, SinePrecision::Double).sine) - 5e-11), 1e-11);
  const Corners<4> wide = corners_of(std::array<int, 4>{0, 1, 2, 3}, bent_pair(1.0, 5));
  for (const SinePrecision precision : {SinePrecision::Double, SinePrecision::Float})
    EXPECT_NEAR(half_angle(wide, SineFormula::Printed, precision).sine, std::sin(0.5 * hinge_angle(wide)),
                precision == SinePrecision::Double ? 1e-15 : 2e-7);
}

TEST(Hinges, WeightIsTheSquaredEdgeOverBothAreas) {
  const Scene scene = pair_scene(0.0);
  const std::vector<Hinge> hinges = hinges_of(scene.cloth.rest_positions, scene.cloth.triangles, 3.0, {});
  ASSERT_EQ(hinges.size(), 1u);
  EXPECT_NEAR(hinges[0].stiffness, 3.0 * 1.1 * 1.1 / (0.5 * 1.1 * (0.8 + 0.9)), 1e-14);
  EXPECT_NEAR(hinges[0].rest_angle, 0.0, 1e-15);
}

TEST(Hinges, HaveNoJumpWhereTheyFoldThrough) {
  const std::array<int, 4> all{0, 1, 2, 3};
  for (const HingeForm form : {HingeForm::Angle, HingeForm::HalfAngle}) {
    HingeOptions options;
    options.form = form;
    const Hinge hinge{all, 2.0, 3.0, options};
    const auto energy = [&](const Points& x) { return hinge.energy(corners_of(all, x)); };
    const double pi = std::numbers::pi, before = energy(bent_pair(pi - 1e-6, 7)),
                 after = energy(bent_pair(1e-6 - pi, 7));
    EXPECT_NEAR(before, after, 1e-4 * before) << int(form);
    const Points x = bent_pair(0.3 - pi, 7);  // θ − θ0 = 1.44 + 2π·(−1)
    const CornerVector<4> force = hinge.force(corners_of(all, x));
    for (Eigen::Index i = 0; i < 12; ++i) {
      Points ahead = x, behind = x;
      ahead.data()[i] += 1e-5;
      behind.data()[i] -= 1e-5;
      EXPECT_NEAR(force[i], (energy(behind) - energy(ahead)) / 2e-5, 1e-7) << int(form);
    }
  }
}

TEST(Membrane, StoresTheEnergyOfPlaneStressInSmallStrains) {
  Points rest(3, 3);
  rest << 0, 0, 0, 1.1, 0, 0, 0.4, 0.8, 0;
  Triangles one(1, 3);
  one << 0, 1, 2;
  const double stiffness = 5.0, poisson = 0.3, area = 0.44, small = 1e-5;
  const MembraneTriangle triangle = membrane_of(rest, one, stiffness, poisson).at(0);
  const auto energy = [&](const Matrix3& f) {
    return triangle.energy(corners_of(triangle.vertices, Points(rest * f.transpose()))) / (area * small * small);
  };
  Matrix3 sheared = Matrix3::Identity();
  sheared(0, 1) = small;  // ½ G γ², G = E/2(1 + ν)
  EXPECT_NEAR(energy(sheared), 0.25 * stiffness / (1.0 + poisson), 1e-4);
  const Matrix3 pulled = Vector3(1.0 + small, 1.0 - poisson * small, 1.0).asDiagonal();
  EXPECT_NEAR(energy(pulled), 0.5 * stiffness, 1e-4);
}

TEST(StableTimeStep, IsThatOfTheStiffestMode) {
  Scene scene;
  scene.particles.rest_positions.resize(2, 3);
  scene.particles.rest_positions << 0, 0, 0, 1, 0, 0;
  model::PositionConstraint link;
  link.vertices = {0, 1, -1, -1};
  link.rest_value = 1.0;
  link.compliance = 1.0 / 50.0;
  scene.constraints = {link};
  const ClothForces forces(scene, {});
  const Sparse k = forces.stiffness_matrix(scene.particles.rest_positions, StiffnessKind::Semidefinite);
  const Eigen::Vector2d masses(2.0, 3.0);
  EXPECT_NEAR(stable_time_step(k, masses, Points::Ones(2, 3)), 2.0 / std::sqrt(50.0 * (1.0 / 2 + 1.0 / 3)), 1e-6);
}

}  // namespace
}  // namespace deformbench::cloth
