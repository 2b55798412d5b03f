// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_part.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "methods/meshless/surface/rebasing.hpp"
#include "methods/meshless/surface/triangle_sheet.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

/// Stress field seen by cracks: of the setup's kind, with the thresholds of fronts.
bool is_hard(const CrackSetup& setup, const Vector3& x) {
  return (x.array() > setup.hard_low.array()).all() && (x.array() < setup.hard_high.array()).all();
}

}  // namespace

class CrackPart::Field final : public StressField {
 public:
  Field(const CrackPart& part, double time) : part_(part), time_(time) {}
  Matrix3 stress(const Vector3& x) const override {
    switch (part_.setup_.stress) {
      case CrackStress::Given:
        return given_stress(part_.setup_.given, x, time_);
      case CrackStress::Wandering:
        return part_.wandering_.stress(x);
      case CrackStress::Nodes:
        return part_.nodal_.at(x);
      case CrackStress::Nearest:
        return part_.nodal_.nearest(x);
      default:
        return Matrix3::Zero();
    }
  }
  double threshold(const Vector3& x) const override {
    return is_hard(part_.setup_, x) ? std::numeric_limits<double>::infinity() : part_.setup_.front_threshold;
  }

 private:
  const CrackPart& part_;
  double time_;
};

CrackPart::CrackPart(const Scene& scene, const CrackSetup& setup, const NodeCloud& cloud, const CrackWeights& weights,
                     const MlsElasticity& elasticity)
    : setup_(setup),
      cloud_(cloud),
      elasticity_(elasticity),
      cracks_(CrackBody({std::make_shared<TriangleSheet>(skin_of(scene))}), setup.options),
      nodal_(cloud, weights),
      wandering_(setup.wandering_tension, setup.wandering_length, setup.seed) {
  const Points around = skin_of(scene).positions;
  low_ = around.colwise().minCoeff();
  high_ = around.colwise().maxCoeff();
  make_samples();
  if (is_of_nodes()) nodal_.set(elasticity_, scene.start_positions());
  start_given(scene);
}

Vector3 CrackPart::random_inside() {
  numerics::RandomStream random(setup_.seed, 1000 + draws_++);
  for (;;) {
    const Vector3 x(random.uniform(low_[0], high_[0]), random.uniform(low_[1], high_[1]),
                    random.uniform(low_[2], high_[2]));
    if (cracks_.body().contains(x)) return x;
  }
}

void CrackPart::make_samples() {
  if (setup_.nodes_initiate)
    for (Eigen::Index i = 0; i < cloud_.size(); ++i)
      samples_.push_back({cloud_.rest.row(i), setup_.threshold, int(i), -1, false});
  for (int k = 0; k < setup_.interior_samples; ++k)
    samples_.push_back({random_inside(), setup_.threshold, -1, -1, false});
  for (int k = 0; k < setup_.surface_samples; ++k)
    samples_.push_back({*cracks_.body().sheet(0).project(random_inside()), setup_.threshold, -1, -1, true});
  for (std::size_t line = 0; line < setup_.painted.size(); ++line) {
    const PaintedLine& painted = setup_.painted[line];
    const int count = std::max(1, int(std::ceil((painted.to - painted.from).norm() / setup_.options.surfel_radius)));
    for (int k = 0; k <= count; ++k)
      samples_.push_back(
          {painted.from + (painted.to - painted.from) * (double(k) / count), painted.threshold, -1, int(line), true});
  }
  for (CrackSample& sample : samples_)
    if (is_hard(setup_, sample.position)) sample.threshold = std::numeric_limits<double>::infinity();
}

void CrackPart::start_given(const Scene&) {
  numerics::RandomStream random(setup_.seed, 3);
  const auto jitter = [&] {
    return Vector3(setup_.start_jitter * Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
  };
  for (const StartPenny& penny : setup_.pennies) {
    const Vector3 centre = penny.centre + jitter(), n = penny.normal.normalized();
    const Vector3 first = n.unitOrthogonal(), second = first.cross(n);
    std::vector<Vector3> nodes;
    const double radius = std::abs(penny.radius);
    std::vector<Vector3> base;
    const double phase = setup_.start_jitter > 0.0 ? random.uniform(0.0, 2.0 * std::numbers::pi) : 0.0;
    for (int k = 0; k < penny.nodes; ++k) {
      const double angle = phase + 2.0 * std::numbers::pi * k / penny.nodes;
      nodes.push_back(centre + radius * (std::cos(angle) * first + std::sin(angle) * second));
      if (!cracks_.body().contains(nodes.back()))
        throw InputError("meshless: a crack of crack_pennies leaves the body, expected one inside");
    }
    if (penny.radius > 0.0) {
      cracks_.add_front(nodes, true, n, std::vector<Vector3>{centre});
    } else {
      // The cut area is a ring around the front, whose normal is reversed: the front contracts.
      for (const Vector3& x : nodes) base.push_back(x + 4.0 * setup_.options.surfel_radius * (x - centre) / radius);
      cracks_.add_front(nodes, true, -n, base);
    }
  }
  for (const StartNotch& notch : setup_.notches) {
    const Vector3 shift = jitter().cwiseProduct(notch.behind.normalized().cwiseAbs());
    const Vector3 along = notch.to - notch.from;
    const int count = std::max(2, int(std::ceil(along.norm() / setup_.options.surfel_radius)));
    std::vector<Vector3> nodes, base;
    for (int k = 0; k <= count; ++k) {
      nodes.push_back(notch.from + shift + along * (double(k) / count));
      base.push_back(nodes.back() - shift + notch.behind);
    }
    // normal × tangent must point ahead.
    cracks_.add_front(nodes, false, along.cross(-notch.behind), base);
  }
  const Field field(*this, 0.0);
  for (int k = 0; k < setup_.random_cracks; ++k) {
    Vector3 x = random_inside();
    if (k % 2 == 1) x = *cracks_.body().sheet(0).project(x);
    const PrincipalStress principal = largest_principal_stress(field.stress(x));
    if (!cracks_.initiate(x, principal.direction)) ++refused_;
  }
}

void CrackPart::initiate(const StressField& field) {
  for (int started = 0; started < setup_.most_starts; ++started) {
    // Sample with the largest ratio of stress to threshold.
    double most = 1.0;
    std::optional<std::size_t> chosen;
    PrincipalStress principal{};
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      const CrackSample& sample = samples_[k];
      if (!(sample.threshold < 1e300)) continue;
      const Matrix3 stress =
          is_of_nodes() && sample.node >= 0 ? nodal_.of_node(std::size_t(sample.node)) : field.stress(sample.position);
      const PrincipalStress here = largest_principal_stress(stress);
      if (!(here.value > most * sample.threshold)) continue;
      most = here.value / sample.threshold;
      chosen = k;
      principal = here;
    }
    if (!chosen) return;
    CrackSample& sample = samples_[*chosen];
    const int crack = cracks_.crack_count();
    const double threshold = sample.threshold;
    const Vector3 centre = sample.position;
    if (cracks_.initiate(centre, principal.direction))
      starts_.push_back({steps_, int(*chosen), crack, centre, principal.direction, principal.value, threshold});
    else
      ++refused_;
    // [PKAGDG05] §3.2: raises the thresholds of neighbouring samples, against spurious branching.
    for (CrackSample& other : samples_)
      if ((other.position - centre).norm() <= setup_.raised_radius) other.threshold *= setup_.raised_factor;
    samples_[*chosen].threshold = std::numeric_limits<double>::infinity();  // already cracked there
  }
}

void CrackPart::advance(double dt, double time, const Eigen::Ref<const Points>& x) {
  ++steps_;
  if (is_of_nodes()) nodal_.set(elasticity_, x);
  const Field field(*this, time);
  if (setup_.most_starts > 0 && !samples_.empty()) initiate(field);
  cracks_.step(dt, field);
}

void CrackPart::hand_over(TriangulatedCracks& weights) {
  while (int(numbers_.size()) < cracks_.crack_count()) numbers_.push_back(weights.add_crack());
  const SweptArea& area = cracks_.area();
  for (; handed_triangles_ < area.triangles().size(); ++handed_triangles_) {
    const auto& [v, crack] = area.triangles()[handed_triangles_];
    const std::array<Vector3, 3> corners{area.vertex(v[0]), area.vertex(v[1]), area.vertex(v[2])};
    weights.add_triangles(numbers_[std::size_t(crack)], std::span(&corners, 1));
  }
  // Every edge of a front belongs to one crack; cracks that share a front have been joined.
  std::vector<std::vector<CrackFront>> fronts(numbers_.size());
  for (const AdvancingFront& front : cracks_.fronts()) {
    const std::size_t n = front.nodes.size();
    for (std::size_t i = 0; i < (front.is_closed ? n : n - 1); ++i) {
      const CrackNode &node = front.nodes[i], &next = front.nodes[(i + 1) % n];
      const int crack = crack_of_edge(front, i);
      fronts[std::size_t(crack)].push_back({{node.position, next.position}, false});
      weights.join(numbers_[std::size_t(crack)], numbers_[std::size_t(front.nodes.front().crack)]);
    }
  }
  for (std::size_t crack = 0; crack < fronts.size(); ++crack)
    weights.set_fronts(numbers_[crack], std::move(fronts[crack]));
}

void CrackPart::hand_over(SurfelSurface& surface, const TriangulatedCracks& weights) {
  std::vector<std::array<std::vector<Surfel>, 2>> added(std::size_t(cracks_.crack_count()));
  for (; handed_surfels_ < cracks_.surfels().size(); ++handed_surfels_) {
    const CrackSurfel& surfel = cracks_.surfels()[handed_surfels_];
    added[std::size_t(surfel.crack)][surfel.sheet > 0 ? 0 : 1].push_back(
        round_surfel(surfel.position, surfel.normal, surfel.radius));
  }
  for (std::size_t crack = 0; crack < added.size(); ++crack) {
    if (crack == faces_.size()) {
      const int first = surface.add_sheet();
      faces_.push_back({first, surface.add_sheet()});
    }
    for (std::size_t side = 0; side < 2; ++side)
      if (!added[crack][side].empty()) surface.append(faces_[crack][side], added[crack][side], weights);
  }
}

void CrackPart::follow_nodes(std::span<const int> parents) {
  std::vector<std::size_t> sample_of(parents.size(), samples_.size());
  for (std::size_t k = 0; k < samples_.size(); ++k)
    if (samples_[k].node >= 0) {
      sample_of[std::size_t(samples_[k].node)] = k;
      samples_[k].position = cloud_.rest.row(samples_[k].node);
    }
  for (std::size_t node = 0; node < parents.size(); ++node) {
    const std::size_t own = sample_of[node], parent = sample_of[std::size_t(parents[node])];
    if (own < samples_.size() || parent >= samples_.size()) continue;
    CrackSample sample = samples_[parent];
    sample.position = cloud_.rest.row(Eigen::Index(node));
    sample.node = int(node);
    samples_.push_back(sample);
  }
}

std::vector<int> CrackPart::node_components() const {
  std::vector<int> label(std::size_t(cloud_.size()), -1);
  int components = 0;
  for (std::size_t seed = 0; seed < label.size(); ++seed) {
    if (label[seed] >= 0) continue;
    std::vector<std::size_t> open{seed};
    label[seed] = components;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (std::size_t p = cloud_.first[i]; p < cloud_.first[i + 1]; ++p) {
        const auto j = std::size_t(cloud_.neighbours[p]);
        if (label[j] >= 0) continue;
        const Vector3 a = cloud_.rest.row(Eigen::Index(i)), b = cloud_.rest.row(Eigen::Index(j));
        if (cracks_.body().sheet(0).first_hit(a, b)) continue;
        if (cracks_.area().first_hit(a, b, [](int) { return true; })) continue;
        label[j] = components;
        open.push_back(j);
      }
    }
    ++components;
  }
  return label;
}

void CrackPart::carry(const model::TriangleMesh& skin, ReferenceMap& map) {
  cracks_.carry(CrackBody({std::make_shared<TriangleSheet>(skin)}), map);
  for (CrackSample& sample : samples_) {
    sample.position = sample.node >= 0 ? Vector3(cloud_.rest.row(sample.node)) : map.place(sample.position);
    if (sample.is_on_surface) sample.position = *cracks_.body().sheet(0).project(sample.position);
  }
  low_ = skin.positions.colwise().minCoeff();
  high_ = skin.positions.colwise().maxCoeff();
}

}  // namespace deformbench::meshless
