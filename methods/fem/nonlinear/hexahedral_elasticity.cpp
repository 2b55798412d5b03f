// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/hexahedral_elasticity.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "methods/fem/nonlinear/laws/corotational.hpp"
#include "methods/fem/nonlinear/laws/neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/st_venant_kirchhoff.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean_core.hpp"
#include "methods/fem/nonlinear/principal_hessian.hpp"
#include "methods/model/error.hpp"

namespace deformbench::fem {

namespace {

constexpr int kParts = 6;

/// What is averaged over an element, τ(F), with its derivatives in the axes of F.
struct Measure {
  double value;
  Vector3 first;
  PrincipalHessian<double> second;
};

/// τ = J − 1.
Measure dilatation(const double s[3]) {
  Measure tau{s[0] * s[1] * s[2] - 1.0, {s[1] * s[2], s[0] * s[2], s[0] * s[1]}, {}};
  for (int p = 0; p < 3; ++p) {
    const double other = s[kPairs[p].other];
    tau.second.stretch[3 + p] = other, tau.second.flip[p] = -other, tau.second.twist[p] = other;
  }
  return tau;
}

/// τ = Σ c(s_i), of a separable law.
template <class Shape>
Measure trace(const double s[3]) {
  Measure tau{Shape::template trace<double>(s), Vector3::Zero(), {}};
  for (int i = 0; i < 3; ++i)
    tau.first[i] = Shape::template dc<double>(s[i]), tau.second.stretch[i] = Shape::template ddc<double>(s[i]);
  for (int p = 0; p < 3; ++p) {
    const double a = s[kPairs[p].first], b = s[kPairs[p].second];
    tau.second.flip[p] = Shape::template dc_minus<double>(a, b);
    tau.second.twist[p] = Shape::template dc_plus<double>(a, b);
  }
  return tau;
}

}  // namespace

/// A law in two parts, of signed singular values: the terms of μ, and the measure that those of λ average.
struct AveragedLaw {
  const char* name;
  double rest_stiffness;  ///< λ/2 t² has this factor, too
  Measure (*measure)(const double s[3]);
  bool is_logarithmic;  ///< t = ln(1 + τ̄); else t = τ̄
  double (*energy)(const double s[3], double mu);
  void (*gradient)(const double s[3], double mu, double g[3]);
  PrincipalHessian<double> (*hessian)(const double s[3], double mu);
};

namespace {

template <class Law>
AveragedLaw averaged(Measure (*measure)(const double s[3]), bool is_logarithmic = false) {
  return {Law::kName,
          double(Law::kRestStiffness),
          measure,
          is_logarithmic,
          [](const double s[3], double mu) { return Law::template energy<double>(s, 0.0, mu); },
          [](const double s[3], double mu, double g[3]) { Law::template gradient<double>(s, 0.0, mu, g); },
          [](const double s[3], double mu) { return principal_hessian<Law, double>(s, 0.0, mu); }};
}

const AveragedLaw& averaged_law(const std::string& name) {
  static const AveragedLaw laws[] = {
      averaged<StVenantKirchhoff>(trace<GreenShape>),   averaged<StVenantKirchhoffAsPrinted>(trace<GreenShape>),
      averaged<CoRotational>(trace<CoRotationalShape>), averaged<NeoHookean>(dilatation, true),
      averaged<StableNeoHookean>(dilatation),           averaged<StableNeoHookeanCore>(dilatation)};
  for (const AveragedLaw& law : laws)
    if (name == law.name) return law;
  throw InputError("hexahedra: got law '" + name + "', expected one with a term λ/2 t² that an element can average");
}

/// F = U diag(s) Vᵀ with rotations U and V.
struct SignedSvd {
  Matrix3 u, v;
  Vector3 s;
  explicit SignedSvd(const Matrix3& f) {
    const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    u = svd.matrixU(), v = svd.matrixV(), s = svd.singularValues();
    if (u.determinant() < 0.0) u.col(2) *= -1.0, s[2] *= -1.0;
    if (v.determinant() < 0.0) v.col(2) *= -1.0, s[2] *= -1.0;
  }
  Matrix3 turned(const Vector3& g) const { return u * g.asDiagonal() * v.transpose(); }
};

}  // namespace

/// The points of a deformed element, and t of its mean.
struct HexahedralElasticity::State {
  std::vector<SignedSvd> f;
  std::vector<Measure> tau;
  double t, slope, curvature;  ///< t and its derivatives by τ̄
  double pressure;             ///< λ t ∂t/∂τ̄, Pa

  State(const AveragedLaw& law, const Element& element, const Nodes& x) {
    double mean = 0.0;
    for (const Point& point : element.points) {
      f.emplace_back(x.transpose() * point.gradients);
      tau.push_back(law.measure(f.back().s.data()));
      mean += point.weight / element.volume * tau.back().value;
    }
    t = law.is_logarithmic ? std::log1p(mean) : mean;
    slope = law.is_logarithmic ? 1.0 / (1.0 + mean) : 1.0;
    curvature = law.is_logarithmic ? -slope * slope : 0.0;
    pressure = law.rest_stiffness * element.lambda * t * slope;
  }
};

HexahedralElasticity::HexahedralElasticity(const std::string& law, Body<double>& body, const model::Hexahedra& elements)
    : body_(body), law_(averaged_law(law)), elements_(std::size_t(elements.rows())) {
  const numerics::EdgePattern& edges = body.graph.edges;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    Element& element = elements_[e];
    for (std::size_t a = 0; a < kNodes; ++a)
      element.nodes[a] = body.graph.vertex_to_node[std::size_t(elements(Eigen::Index(e), Eigen::Index(a)))];
    std::size_t pair = 0;
    for (std::size_t a = 0; a < kNodes; ++a)
      for (std::size_t b = a + 1; b < kNodes; ++b) {
        const auto [row, column] = std::minmax(element.nodes[a], element.nodes[b]);
        const auto begin = edges.column.begin() + edges.row_start[std::size_t(row)],
                   end = edges.column.begin() + edges.row_start[std::size_t(row) + 1];
        element.edges[pair++] = int(std::lower_bound(begin, end, column) - edges.column.begin());
      }
    element.volume = 0.0;
    for (int q = 0; q < kPoints; ++q) {
      element.points[std::size_t(q)] = point_at(e, model::gauss_point(q));
      element.volume += element.points[std::size_t(q)].weight;
    }
    const model::Material& material = body.scene.material_of(Eigen::Index(kParts * e));
    element.lambda = material.lame_lambda(), element.mu = material.lame_mu();
  }
}

HexahedralElasticity::Nodes HexahedralElasticity::rest_of(std::size_t e) const {
  Nodes x;
  for (int a = 0; a < kNodes; ++a)
    x.row(a) =
        body_.scene.tet_mesh.rest_positions.row(body_.graph.node_of[std::size_t(elements_[e].nodes[std::size_t(a)])]);
  return x.rowwise() - x.row(0).eval();
}

HexahedralElasticity::Point HexahedralElasticity::point_at(std::size_t e, const Vector3& xi) const {
  const Eigen::Matrix<double, kNodes, 3> local = model::trilinear_gradients(xi);
  const Eigen::PartialPivLU<Matrix3> map(rest_of(e).transpose() * local);
  return {local * map.inverse(), map.determinant() / kPoints};
}

std::vector<HexahedralElasticity::Nodes> HexahedralElasticity::places(const double* x) const {
  std::vector<Nodes> found(elements_.size());
  for (std::size_t e = 0; e < found.size(); ++e) {
    const double* origin = x + 4 * std::size_t(elements_[e].nodes[0]);
    for (std::size_t a = 0; a < kNodes; ++a)
      for (std::size_t c = 0; c < 3; ++c)
        found[e](Eigen::Index(a), Eigen::Index(c)) = x[4 * std::size_t(elements_[e].nodes[a]) + c] - origin[c];
  }
  return found;
}

std::vector<HexahedralElasticity::Nodes> HexahedralElasticity::places(const Eigen::Ref<const Points>& positions) const {
  numerics::AlignedVector<double> x;
  x.assign(4 * std::size_t(positions.rows()), 0.0);
  for (std::size_t i = 0; i < std::size_t(positions.rows()); ++i)
    for (std::size_t c = 0; c < 3; ++c) x[4 * i + c] = positions(body_.graph.node_of[i], Eigen::Index(c));
  return places(x.data());
}

// ---- one element

double HexahedralElasticity::energy_of(const Element& element, const Nodes& x) const {
  const State state(law_, element, x);
  double sum = 0.0;
  for (std::size_t q = 0; q < kPoints; ++q)
    sum += element.points[q].weight * law_.energy(state.f[q].s.data(), element.mu);
  if (!std::isfinite(sum)) return sum;  // of a state that the law does not allow; else J̄ > 0
  return sum + 0.5 * law_.rest_stiffness * element.lambda * element.volume * state.t * state.t;
}

HexahedralElasticity::Nodes HexahedralElasticity::forces_of(const Element& element, const Nodes& x) const {
  const State state(law_, element, x);
  Nodes f = Nodes::Zero();
  for (std::size_t q = 0; q < kPoints; ++q) {
    Vector3 g;
    law_.gradient(state.f[q].s.data(), element.mu, g.data());
    const Matrix3 piola = state.f[q].turned(g + state.pressure * state.tau[q].first);
    f -= element.points[q].weight * element.points[q].gradients * piola.transpose();
  }
  f.row(0) = -f.bottomRows<kNodes - 1>().colwise().sum();
  return f;
}

HexahedralElasticity::Hessian HexahedralElasticity::hessian_of(const Element& element, const Nodes& x) const {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const State state(law_, element, x);
  Hessian k = Hessian::Zero();
  Eigen::Matrix<double, 3, kNodes> slopes = Eigen::Matrix<double, 3, kNodes>::Zero();  // V₀ ∂τ̄/∂x_a
  for (std::size_t q = 0; q < kPoints; ++q) {
    const Point& point = element.points[q];
    const SignedSvd& f = state.f[q];
    slopes += point.weight * f.turned(state.tau[q].first) * point.gradients.transpose();
    PrincipalHessian<double> principal = law_.hessian(f.s.data(), element.mu);
    const PrincipalHessian<double>& second = state.tau[q].second;
    for (int i = 0; i < 6; ++i) principal.stretch[i] += state.pressure * second.stretch[i];
    for (int p = 0; p < 3; ++p) {
      principal.flip[p] += state.pressure * second.flip[p];
      principal.twist[p] += state.pressure * second.twist[p];
    }
    const Shears<double> shears(principal);
    const Eigen::Matrix<double, 3, kNodes> turned = f.v.transpose() * point.gradients.transpose();
    const RowMajor u = f.u;
    for (int a = 0; a < kNodes; ++a)
      for (int b = a; b < kNodes; ++b) {
        RowMajor m, block;
        contract<double>(principal.stretch, shears, turned.col(a).data(), turned.col(b).data(), m.data());
        turn_block<double>(u.data(), m.data(), block.data());
        k.block<3, 3>(3 * a, 3 * b) += point.weight * block;
      }
  }
  const Eigen::Map<const Eigen::Matrix<double, 3 * kNodes, 1>> all(slopes.data());
  k += law_.rest_stiffness * element.lambda / element.volume * (state.slope * state.slope + state.t * state.curvature) *
       all * all.transpose();
  k.triangularView<Eigen::StrictlyLower>() = k.transpose();
  return k;
}

HexahedralElasticity::Hessian HexahedralElasticity::stiffness_at_rest(std::size_t e) const {
  return hessian_of(elements_[e], rest_of(e));
}

// ---- all elements

template <class Work>
void HexahedralElasticity::each_element(Work&& work) const {
  const std::size_t count = elements_.size(), threads = std::size_t(body_.threads());
  numerics::run_team(int(threads), [&](int t) {
    for (std::size_t e = count * std::size_t(t) / threads; e < count * std::size_t(t + 1) / threads; ++e) work(e);
  });
}

double HexahedralElasticity::sum_energies(const std::vector<Nodes>& x) const {
  std::vector<double> energies(elements_.size());
  each_element([&](std::size_t e) { energies[e] = energy_of(elements_[e], x[e]); });
  double sum = 0.0;
  for (const double energy : energies) sum += energy;
  return sum;
}

std::vector<HexahedralElasticity::Nodes> HexahedralElasticity::all_forces(const std::vector<Nodes>& x) const {
  std::vector<Nodes> found(elements_.size());
  each_element([&](std::size_t e) { found[e] = forces_of(elements_[e], x[e]); });
  return found;
}

bool HexahedralElasticity::is_selected(const Element& element, const std::vector<char>& nodes) const {
  return std::ranges::any_of(element.nodes, [&](int node) { return nodes[std::size_t(node)] != 0; });
}

void HexahedralElasticity::write_hessian(const std::vector<Nodes>& x, double c, const HessianForm& form,
                                         numerics::UpperBlockMatrix<double>& a) const {
  std::vector<std::array<double, 9 * kEdges>> blocks(elements_.size());
  each_element([&](std::size_t e) {
    const Element& element = elements_[e];
    Hessian k = hessian_of(element, x[e]);
    if (form.negative_share != 1.0 && (form.filtered_nodes == nullptr || is_selected(element, *form.filtered_nodes))) {
      const Eigen::SelfAdjointEigenSolver<Hessian> solver(k);
      const auto values =
          solver.eigenvalues().unaryExpr([&](double value) { return filtered<double>(value, form.negative_share); });
      k = solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose();
    }
    if (form.single_precision) k = k.cast<float>().cast<double>().eval();
    double* to = blocks[e].data();
    for (std::size_t i = 0; i < kNodes; ++i)
      for (std::size_t j = i + 1; j < kNodes; ++j, to += 9) {
        const bool is_ascending = element.nodes[i] < element.nodes[j];
        const Eigen::Index row = 3 * Eigen::Index(is_ascending ? i : j),
                           column = 3 * Eigen::Index(is_ascending ? j : i);
        numerics::put_block(to, Matrix3(c * k.block<3, 3>(row, column)));
      }
  });
  std::fill_n(a.upper(0), 9 * std::size_t(body_.graph.edges.edge_count()), 0.0);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t pair = 0; pair < kEdges; ++pair) {
      double* to = a.upper(elements_[e].edges[pair]);
      for (std::size_t n = 0; n < 9; ++n) to[n] += blocks[e][9 * pair + n];
    }
}

double HexahedralElasticity::energy(const double* x) {
  return sum_energies(places(x));
}

double HexahedralElasticity::energy_scale() const {
  double sum = 0.0;
  for (const Element& element : elements_) sum += element.volume * (std::abs(element.lambda) + 2.0 * element.mu);
  return sum;
}

double HexahedralElasticity::penalty_stiffness() const {
  return law_.rest_stiffness;
}

void HexahedralElasticity::forces(const double* x, double* f) {
  std::fill_n(f, 4 * std::size_t(body_.graph.node_count()), 0.0);
  const std::vector<Nodes> of_elements = all_forces(places(x));
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t a = 0; a < kNodes; ++a)
      for (std::size_t c = 0; c < 3; ++c)
        f[4 * std::size_t(elements_[e].nodes[a]) + c] += of_elements[e](Eigen::Index(a), Eigen::Index(c));
}

void HexahedralElasticity::assemble_hessian(const double* x, double c, const HessianForm& form,
                                            LinearSystem<double>& system, double* f) {
  for (int i = 0; i < body_.graph.node_count(); ++i) system.upper().weight(i) = system.weights()[std::size_t(i)];
  write_hessian(places(x), c, form, system.upper());
  if (f != nullptr) forces(x, f);
}

int HexahedralElasticity::selected_elements(const std::vector<char>& nodes) const {
  return kParts *
         int(std::ranges::count_if(elements_, [&](const Element& element) { return is_selected(element, nodes); }));
}

// ---- facets

double HexahedralElasticity::elastic_energy(const Eigen::Ref<const Points>& positions) const {
  return sum_energies(places(positions));
}

Points HexahedralElasticity::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Nodes> of_elements = all_forces(places(positions));
  Points forces = Points::Zero(positions.rows(), 3);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t a = 0; a < kNodes; ++a)
      forces.row(body_.graph.node_of[std::size_t(elements_[e].nodes[a])]) += of_elements[e].row(Eigen::Index(a));
  return forces;
}

std::vector<Matrix3> HexahedralElasticity::deformation_gradients(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Nodes> x = places(positions);
  std::vector<Matrix3> found;
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t part = 0; part < kParts; ++part) {
      Vector3 xi = Vector3::Zero();
      for (int k = 0; k < 4; ++k) {
        const int vertex = body_.scene.tet_mesh.tetrahedra(Eigen::Index(kParts * e + part), k);
        const auto corner = std::ranges::find(elements_[e].nodes, body_.graph.vertex_to_node[std::size_t(vertex)]) -
                            elements_[e].nodes.begin();
        for (int axis = 0; axis < 3; ++axis) xi[axis] += 0.25 * double(corner >> axis & 1);
      }
      found.push_back(x[e].transpose() * point_at(e, xi).gradients);
    }
  return found;
}

std::vector<Vector6> HexahedralElasticity::element_stresses(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Nodes> x = places(positions);
  std::vector<Vector6> found;
  for (const Matrix3& gradient : deformation_gradients(positions)) {
    const std::size_t e = found.size() / kParts;
    const SignedSvd f(gradient);
    Vector3 g;
    law_.gradient(f.s.data(), elements_[e].mu, g.data());
    g += State(law_, elements_[e], x[e]).pressure * law_.measure(f.s.data()).first;
    const double j = f.s.prod();
    if (j > 1e-9) g = g.cwiseProduct(f.s) / j;  // Cauchy's, else Biot's, as of Hyperelasticity
    const Matrix3 stress = f.v * g.asDiagonal() * f.v.transpose();
    found.emplace_back();
    found.back() << stress(0, 0), stress(1, 1), stress(2, 2), stress(0, 1), stress(1, 2), stress(2, 0);
  }
  return found;
}

Eigen::SparseMatrix<double> HexahedralElasticity::hessian(const Eigen::Ref<const Points>& positions,
                                                          const HessianForm& form) const {
  numerics::UpperBlockMatrix<double> a(body_.graph.edges);
  for (int i = 0; i < body_.graph.node_count(); ++i) a.weight(i) = 0.0;
  write_hessian(places(positions), 1.0, form, a);
  return body_.graph.in_mesh_order(a.to_sparse());
}

// ---- bounds

double HexahedralElasticity::stiffness_bound() const {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(body_.graph.node_count());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Eigen::SelfAdjointEigenSolver<Hessian> solver(stiffness_at_rest(e), Eigen::EigenvaluesOnly);
    for (const int node : elements_[e].nodes) sums[node] += solver.eigenvalues()[3 * kNodes - 1];
  }
  return sums.maxCoeff();
}

double HexahedralElasticity::stable_time_step() const {
  double largest = 0.0;  // ω² of an element with the masses of its parts (Irons & Treharne 1971)
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    Eigen::Matrix<double, 3 * kNodes, 1> masses = Eigen::Matrix<double, 3 * kNodes, 1>::Zero();
    for (Eigen::Index part = Eigen::Index(kParts * e); part < Eigen::Index(kParts * (e + 1)); ++part) {
      const double quarter = 0.25 * body_.scene.material_of(part).density *
                             tetrahedron_volume(body_.scene.tet_mesh, body_.scene.tet_mesh.rest_positions, part);
      for (int k = 0; k < 4; ++k) {
        const int node = body_.graph.vertex_to_node[std::size_t(body_.scene.tet_mesh.tetrahedra(part, k))];
        const auto corner = std::ranges::find(elements_[e].nodes, node) - elements_[e].nodes.begin();
        masses.segment<3>(3 * corner).array() += quarter;
      }
    }
    const auto scale = masses.cwiseSqrt().cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Hessian> solver(scale * stiffness_at_rest(e) * scale, Eigen::EigenvaluesOnly);
    largest = std::max(largest, solver.eigenvalues()[3 * kNodes - 1]);
  }
  return 2.0 / std::sqrt(largest);
}

}  // namespace deformbench::fem
