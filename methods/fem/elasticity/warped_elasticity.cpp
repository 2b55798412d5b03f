// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/warped_elasticity.hpp"

namespace deformbench::fem {

template <class T>
WarpedElasticity<T>::WarpedElasticity(Body<T>& body, const WarpedElasticityOptions& options, double scale)
    : body_(body),
      options_(options),
      heating_(body.scene),
      model_(body.scene, options.rotation,
             options.plastic ? PlasticStrainSource([this](int e) {
               return Vector6(options_.plastic->law.force_sign() * stored_strain(e));
             })
                             : PlasticStrainSource()),
      elements_(body.scene, body.graph, options.rotation, scale) {
  if (is_plastic()) {
    elements_.set_plastic_law(options_.plastic->law, body_.scene.time_step);
    for (int e = 0; e < body_.graph.element_count(); ++e)
      elements_.set_plastic_parameters(e, options_.plastic->parameters);
  }
  if (!options_.fracture_threshold) return;
  elements_.set_fracture_threshold(body_.scene, *options_.fracture_threshold);
  for (int e = 0; e < body_.graph.element_count(); ++e) rest_.push_back(rest_element(body_.scene.tet_mesh, e));
}

template <class T>
void WarpedElasticity<T>::prepare() {
  if (!is_prepared_) pass(nullptr);
  is_prepared_ = false;
  has_stepped_ = true;
  if (is_plastic()) elements_.accept_plastic_strains();
}

template <class T>
std::vector<Suspect> WarpedElasticity<T>::suspects() {
  std::vector<Suspect> suspects;
  pass(&suspects);
  is_prepared_ = true;
  return suspects;
}

template <class T>
void WarpedElasticity<T>::pass(std::vector<Suspect>* suspects) {
  const T* x = body_.state.positions.data();
  if (heating_.has_sources()) heat();
  Matrix3 global = Matrix3::Identity();
  if (options_.rotation.kind == RotationKind::Global)
    global = best_fit_rotation(body_.scene, body_.masses, body_.positions(), options_.rotation.keep_reflection);
  const std::optional<StressTest> test = suspects ? std::optional(options_.stress) : std::nullopt;
  const long long batches = elements_.batch_count(), threads = body_.threads();
  std::vector<std::vector<Suspect>> found(std::size_t(suspects ? threads : 0));
  numerics::run_team(int(threads), [&](int t) {
    elements_.pass(x, int(batches * t / threads), int(batches * (t + 1) / threads), global, test,
                   suspects ? &found[std::size_t(t)] : nullptr);
  });
  for (const std::vector<Suspect>& some : found) suspects->insert(suspects->end(), some.begin(), some.end());
}

template <class T>
void WarpedElasticity<T>::heat() {
  const std::vector<Heating::Change> changes = heating_.update(body_.scene, body_.state.time, body_.positions());
  for (const Heating::Change& change : changes) {
    elements_.set_material(change.element, body_.scene.material_of(change.element),
                           rest_element(body_.scene.tet_mesh, change.element));
    if (!is_plastic()) continue;
    PlasticParameters parameters = options_.plastic->parameters;
    if (change.source >= 0) {
      const model::HeatSource& source = body_.scene.heat_sources[std::size_t(change.source)];
      parameters = {source.plastic_yield, source.plastic_creep, source.plastic_max};
    }
    elements_.set_plastic_parameters(change.element, parameters);
  }
  if (changes.empty()) return;
  elements_.refresh_traces();
  matrix_is_current_ = false;
}

template <class T>
void WarpedElasticity<T>::assemble(LinearSystem<T>& system, T* g) {
  body_.each_range(
      [&](int, int low, int high) { elements_.assemble(low, high, system.weights().data(), system.upper(), g); });
  matrix_is_current_ = true;
}

template <class T>
void WarpedElasticity<T>::renew_forces(T* g) {
  if (is_plastic()) body_.each_range([&](int, int low, int high) { elements_.gather_forces(low, high, g); });
}

template <class T>
void WarpedElasticity<T>::release() {
  if (!is_plastic() && !options_.fracture_threshold && !heating_.has_sources()) elements_.release();
}

template <class T>
void WarpedElasticity<T>::follow(const GraphChange& change) {
  elements_.follow(change);
  matrix_is_current_ = false;
}

/// B-IVM-3: the printed listing combines x⁺ with the rotation at x, used by the last step's matrix.
template <class T>
std::vector<Vector6> WarpedElasticity<T>::element_stresses(const Eigen::Ref<const Points>& x) const {
  const bool stale = !has_constant_matrix() && !options_.stress.fresh_rotation && has_stepped_;
  std::vector<Matrix3> fresh;
  if (!stale) fresh = model_.element_rotations(x);
  std::vector<Vector6> stresses(std::size_t(body_.graph.element_count()));
  for (std::size_t e = 0; e < stresses.size(); ++e) {
    const Matrix3 r = !stale         ? fresh[e]
                      : is_prepared_ ? elements_.previous_rotation(int(e))
                                     : elements_.rotation(int(e));
    stresses[e] = model_.stress(Eigen::Index(e), x, r, strain_off_stress(int(e)));
  }
  return stresses;
}

template <class T>
Vector6 WarpedElasticity<T>::strain_off_stress(int element) const {
  return options_.stress.elastic_strain ? stored_strain(element) : Vector6(Vector6::Zero());
}

template <class T>
Matrix3 WarpedElasticity<T>::breaking_rotation(int element) const {
  return options_.stress.fresh_rotation ? elements_.rotation(element) : elements_.previous_rotation(element);
}

template <class T>
Vector6 WarpedElasticity<T>::breaking_stress(int element, const Matrix3& rotation) const {
  return model_.stress(element, rest_[std::size_t(element)], body_.positions(), rotation, strain_off_stress(element));
}

template <class T>
std::vector<Vector6> WarpedElasticity<T>::plastic_strains() const {
  std::vector<Vector6> strains;
  for (int e = 0; e < body_.graph.element_count(); ++e) strains.push_back(stored_strain(e));
  return strains;
}

template <class T>
std::vector<StoredStiffnessFacet::StoredStiffness> WarpedElasticity<T>::stored_stiffness() const {
  std::vector<StoredStiffness> stored;
  if (!elements_.keeps_stiffness()) return stored;
  for (int e = 0; e < body_.graph.element_count(); ++e) stored.push_back(elements_.stored_stiffness(e));
  return stored;
}

template class WarpedElasticity<float>;
template class WarpedElasticity<double>;

}  // namespace deformbench::fem
