// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/beams.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "reference_data/closed_forms/families.hpp"
#include "reference_data/closed_forms/root_finding.hpp"

namespace deformbench::references {

double cowper_shear_coefficient(double nu) {
  return 10 * (1 + nu) / (12 + 11 * nu);
}

double SquareBar::shear_stiffness() const {
  return cowper_shear_coefficient(material.poisson_ratio) * material.mu() * area();
}

double axial_elongation(const SquareBar& b, double force) {
  return force * b.length / (b.material.young_modulus * b.area());
}

double hanging_elongation(const SquareBar& b, double gravity) {
  return b.density * gravity * b.length * b.length / (2 * b.material.young_modulus);
}

TipDeflection cantilever_tip_load(const SquareBar& b, double force) {
  const double l = b.length;
  return {force * l * l * l / (3 * b.bending_stiffness()), force * l / b.shear_stiffness()};
}

TipDeflection cantilever_self_weight(const SquareBar& b, double gravity) {
  const double w = b.density * gravity * b.area(), l = b.length;
  return {w * l * l * l * l / (8 * b.bending_stiffness()), w * l * l / (2 * b.shear_stiffness())};
}

double euler_bernoulli_root(BeamEnds ends, int mode) {
  if (mode < 1) throw std::domain_error("beam mode: expected at least 1");
  // cosh β cos β = ∓1, divided by cosh β so that high modes do not overflow.
  const double sign = ends == BeamEnds::ClampedFree ? 1 : -1;
  auto f = [sign](double beta) { return std::cos(beta) + sign / std::cosh(beta); };
  const double centre = (ends == BeamEnds::ClampedFree ? mode - 0.5 : mode + 0.5) * std::numbers::pi;
  return bisect(f, centre - 0.6, centre + 0.6);
}

double euler_bernoulli_frequency(const SquareBar& b, BeamEnds ends, int mode) {
  const double beta = euler_bernoulli_root(ends, mode);
  return beta * beta / (b.length * b.length) * std::sqrt(b.bending_stiffness() / (b.density * b.area()));
}

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

Matrix4 product(const Matrix4& a, const Matrix4& b) {
  Matrix4 c{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// exp(a) by scaling and squaring with a Taylor series of order 18.
Matrix4 exponential(Matrix4 a) {
  double norm = 0;
  for (const auto& row : a)
    for (double x : row) norm = std::fmax(norm, std::abs(x));
  int squarings = 0;
  for (; norm > 0.25; norm /= 2) ++squarings;
  for (auto& row : a)
    for (double& x : row) x = std::ldexp(x, -squarings);
  Matrix4 sum{}, term{};
  for (int i = 0; i < 4; ++i) sum[i][i] = term[i][i] = 1;
  for (int n = 1; n <= 18; ++n) {
    term = product(term, a);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum[i][j] += (term[i][j] /= n);
  }
  for (; squarings > 0; --squarings) sum = product(sum, sum);
  return sum;
}

/// Determinant whose roots are the Timoshenko frequencies. State (w, φ, M, Q) over the unit length:
/// w' = φ + sQ, φ' = M, M' = −Q − brφ, Q' = −bw;  b = ρAω²L⁴/EI, r = I/AL², s = EI/κGAL².
double timoshenko_determinant(const SquareBar& bar, BeamEnds ends, double omega) {
  const double l2 = bar.length * bar.length, ei = bar.bending_stiffness();
  const double b = bar.density * bar.area() * omega * omega * l2 * l2 / ei;
  const double r = bar.second_moment() / (bar.area() * l2), s = ei / (bar.shear_stiffness() * l2);
  const Matrix4 t = exponential({{{0, 1, 0, s}, {0, 0, 1, 0}, {0, -b * r, 0, -1}, {-b, 0, 0, 0}}});
  const int from = ends == BeamEnds::ClampedFree ? 2 : 0;  // first unknown state at x = 0; at x = L, M = Q = 0
  return t[2][from] * t[3][from + 1] - t[2][from + 1] * t[3][from];
}

}  // namespace

double timoshenko_frequency(const SquareBar& bar, BeamEnds ends, int mode) {
  // Shear and rotatory inertia only lower a frequency, so the k-th root lies below the Euler–Bernoulli one.
  const double upper = euler_bernoulli_frequency(bar, ends, mode) * (1 + 1e-6);
  const double cutoff = std::sqrt(bar.shear_stiffness() / (bar.density * bar.second_moment()));
  auto f = [&](double omega) { return timoshenko_determinant(bar, ends, omega); };
  constexpr int kSamples = 4000;
  int found = 0;
  double low = upper / kSamples, at_low = f(low);
  for (int i = 2; i <= kSamples; ++i) {
    const double high = upper * i / kSamples, at_high = f(high);
    if (high >= cutoff) break;
    if ((at_low < 0) != (at_high < 0) && ++found == mode) return bisect(f, low, high);
    low = high;
    at_low = at_high;
  }
  throw std::domain_error("Timoshenko beam: mode lies above the cutoff of the second spectrum");
}

namespace {

std::vector<Parameter> bar_parameters(std::vector<Parameter> more) {
  std::vector<Parameter> all = {positive("length_m", "m", 1.0, "length"), positive("side_m", "m", 0.1, "side"),
                                young_modulus(), poisson_ratio(), density()};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

SquareBar bar_of(const Values& v) {
  return {isotropic(v), v.at("density_kg_m3"), v.at("length_m"), v.at("side_m")};
}

std::string too_stocky(const Values& v) {
  const double slenderness = v.at("length_m") / v.at("side_m");
  return slenderness < 5 ? "length over side = " + std::to_string(slenderness) + ", expected at least 5" : "";
}

std::string too_large(const Values& v, double deflection) {
  if (const std::string why = too_stocky(v); !why.empty()) return why;
  const double ratio = std::abs(deflection) / v.at("length_m");
  return ratio > 0.1 ? "deflection over length = " + std::to_string(ratio) + ", expected at most 0.1" : "";
}

Parameter tip_force() {
  return {"force_n", "N", 1e-3, "transverse force on the free end"};
}
Parameter mode_parameter() {
  return {"mode", "1", 1, "number of the bending mode, from 1", 1, 12, false, true};
}

std::vector<Output> deflection_outputs() {
  return {{"tip_deflection_m", "m", "Timoshenko"},
          {"bending_deflection_m", "m", "Euler-Bernoulli"},
          {"shear_deflection_m", "m", "what shear adds"}};
}

Reference frequency_reference(BeamEnds ends, std::string id, std::string summary) {
  return {.id = std::move(id),
          .summary = std::move(summary),
          .citation = "Cowper, J. Appl. Mech. 33 (1966) 335; Graff, Wave Motion in Elastic Solids, 1975, ch. 3",
          .kind = Kind::NumericalSolution,
          .validity =
              "small amplitude, length over side at least 5, below the cutoff of the second spectrum; a solid "
              "deviates by its clamped end (under 1 %)",
          .uncertainty = 1e-9,
          .abscissa = "",
          .parameters = bar_parameters({mode_parameter()}),
          .outputs = {{"frequency_hz", "Hz", "Timoshenko, exact determinant"},
                      {"euler_bernoulli_frequency_hz", "Hz", "without shear and rotatory inertia"},
                      {"euler_bernoulli_root", "1", "beta"}},
          .compute = [ends](const Values& v) -> std::vector<double> {
            const SquareBar bar = bar_of(v);
            const int mode = int(v.at("mode"));
            const double turn = 2 * std::numbers::pi;
            return {timoshenko_frequency(bar, ends, mode) / turn, euler_bernoulli_frequency(bar, ends, mode) / turn,
                    euler_bernoulli_root(ends, mode)};
          },
          .violation = [ends](const Values& v) -> std::string {
            if (const std::string why = too_stocky(v); !why.empty()) return why;
            try {
              timoshenko_frequency(bar_of(v), ends, int(v.at("mode")));
            } catch (const std::domain_error& error) {
              return error.what();
            }
            return "";
          }};
}

}  // namespace

std::vector<Reference> beam_references() {
  return {
      {.id = "axial_bar",
       .summary = "Elongation of a bar under an axial end force",
       .citation = "Timoshenko, Strength of Materials I, art. 3",
       .kind = Kind::ClosedForm,
       .validity = "small strain (at most 1 %), lateral contraction free",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = bar_parameters({{"force_n", "N", 1.0, "axial force"}}),
       .outputs = {{"elongation_m", "m", "F L / (E A)"}},
       .compute = [](const Values& v) -> std::vector<double> { return {axial_elongation(bar_of(v), v.at("force_n"))}; },
       .violation = [](const Values& v) -> std::string {
         const double strain = std::abs(axial_elongation(bar_of(v), v.at("force_n"))) / v.at("length_m");
         return strain > 0.01 ? "strain " + std::to_string(strain) + ", expected at most 0.01" : "";
       }},
      {.id = "hanging_bar",
       .summary = "Elongation of a bar that hangs under its own weight",
       .citation = "Timoshenko, Strength of Materials I, art. 6",
       .kind = Kind::ClosedForm,
       .validity =
           "linear elasticity (at most 10 % strain at the root); exact at the nodes of one-dimensional elements",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = bar_parameters({gravity()}),
       .outputs = {{"elongation_m", "m", "rho g L^2 / (2 E)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {hanging_elongation(bar_of(v), v.at("gravity_m_s2"))};
       },
       .violation = [](const Values& v) -> std::string {
         const double strain = 2 * hanging_elongation(bar_of(v), v.at("gravity_m_s2")) / v.at("length_m");
         return strain > 0.1 ? "strain at the root " + std::to_string(strain) + ", expected at most 0.1" : "";
       }},
      {.id = "cantilever_tip_load",
       .summary = "Tip deflection of a cantilever under a transverse end force",
       .citation = "Timoshenko & Gere, Mechanics of Materials; shear coefficient: Cowper, J. Appl. Mech. 33 (1966) 335",
       .kind = Kind::ClosedForm,
       .validity = "linear elasticity; deflection at most 0.1 L, length over side at least 5",
       .uncertainty = 1e-2,
       .abscissa = "",
       .parameters = bar_parameters({tip_force()}),
       .outputs = deflection_outputs(),
       .compute = [](const Values& v) -> std::vector<double> {
         const TipDeflection d = cantilever_tip_load(bar_of(v), v.at("force_n"));
         return {d.total(), d.bending, d.shear};
       },
       .violation =
           [](const Values& v) { return too_large(v, cantilever_tip_load(bar_of(v), v.at("force_n")).total()); }},
      {.id = "cantilever_self_weight",
       .summary = "Tip deflection of a horizontal cantilever under its own weight",
       .citation = "Timoshenko & Gere, Mechanics of Materials; shear coefficient: Cowper, J. Appl. Mech. 33 (1966) 335",
       .kind = Kind::ClosedForm,
       .validity = "linear elasticity; deflection at most 0.1 L, length over side at least 5",
       .uncertainty = 1e-2,
       .abscissa = "",
       .parameters =
           [] {
             auto p = bar_parameters({gravity()});
             p[2].default_value = 1e8;  // at 1e5 Pa the deflection is far outside the small range
             return p;
           }(),
       .outputs = deflection_outputs(),
       .compute = [](const Values& v) -> std::vector<double> {
         const TipDeflection d = cantilever_self_weight(bar_of(v), v.at("gravity_m_s2"));
         return {d.total(), d.bending, d.shear};
       },
       .violation =
           [](const Values& v) {
             return too_large(v, cantilever_self_weight(bar_of(v), v.at("gravity_m_s2")).total());
           }},
      frequency_reference(BeamEnds::ClampedFree, "cantilever_frequency", "Bending frequencies of a cantilever"),
      frequency_reference(BeamEnds::FreeFree, "free_beam_frequency", "Bending frequencies of a free beam"),
  };
}

}  // namespace deformbench::references
