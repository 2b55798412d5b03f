// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collision/exact_pairs.hpp"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>

namespace deformbench::collision {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using Exact3 = std::array<Rational, 3>;

Exact3 exact(const Vector3& v) {
  return {Rational(v[0]), Rational(v[1]), Rational(v[2])};
}
template <class T>
std::array<T, 3> minus(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return {T(a[0] - b[0]), T(a[1] - b[1]), T(a[2] - b[2])};
}
template <class T>
std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return {T(a[1] * b[2] - a[2] * b[1]), T(a[2] * b[0] - a[0] * b[2]), T(a[0] * b[1] - a[1] * b[0])};
}
template <class T>
T dot(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return T(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}
bool is_zero(const Exact3& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/// A polynomial by rising powers, without zeros at its end.
struct Polynomial {
  std::vector<Rational> c;

  void trim() {
    while (!c.empty() && c.back() == 0) c.pop_back();
  }
  bool is_zero() const { return c.empty(); }
  Rational operator()(const Rational& t) const {
    Rational sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * t + c[k];
    return sum;
  }
  Polynomial derivative() const {
    Polynomial d;
    for (std::size_t k = 1; k < c.size(); ++k) d.c.push_back(c[k] * int(k));
    return d;
  }
};
Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial sum{std::vector<Rational>(std::max(a.c.size(), b.c.size()), Rational(0))};
  for (std::size_t k = 0; k < a.c.size(); ++k) sum.c[k] += a.c[k];
  for (std::size_t k = 0; k < b.c.size(); ++k) sum.c[k] += b.c[k];
  sum.trim();
  return sum;
}
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  Polynomial product{std::vector<Rational>(a.c.size() + b.c.size() - 1, Rational(0))};
  for (std::size_t i = 0; i < a.c.size(); ++i)
    for (std::size_t j = 0; j < b.c.size(); ++j) product.c[i + j] += a.c[i] * b.c[j];
  product.trim();
  return product;
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return a + Polynomial{{Rational(-1)}} * b;
}
Polynomial remainder(Polynomial a, const Polynomial& b) {
  while (a.c.size() >= b.c.size()) {
    const Rational factor = a.c.back() / b.c.back();
    const std::size_t shift = a.c.size() - b.c.size();
    for (std::size_t k = 0; k < b.c.size(); ++k) a.c[shift + k] -= factor * b.c[k];
    a.c.pop_back();
    a.trim();
    if (a.is_zero()) break;
  }
  return a;
}
Polynomial quotient(Polynomial a, const Polynomial& b) {
  Polynomial q{std::vector<Rational>(a.c.size() - b.c.size() + 1, Rational(0))};
  while (!a.is_zero() && a.c.size() >= b.c.size()) {
    const Rational factor = a.c.back() / b.c.back();
    const std::size_t shift = a.c.size() - b.c.size();
    q.c[shift] = factor;
    for (std::size_t k = 0; k < b.c.size(); ++k) a.c[shift + k] -= factor * b.c[k];
    a.c.pop_back();
    a.trim();
  }
  return q;
}
Polynomial common_divisor(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial r = remainder(a, b);
    a = std::move(b);
    b = std::move(r);
  }
  return a;
}

/// Different roots in (low, high], by Sturm's chain.
class RootCounter {
 public:
  explicit RootCounter(const Polynomial& p) {
    chain_.push_back(p);
    Polynomial next = p.derivative();
    while (!next.is_zero()) {
      chain_.push_back(next);
      next = Polynomial{{Rational(-1)}} * remainder(chain_[chain_.size() - 2], chain_.back());
    }
  }
  int count(const Rational& low, const Rational& high) const { return changes(low) - changes(high); }

 private:
  int changes(const Rational& t) const {
    int found = 0, last = 0;
    for (const Polynomial& p : chain_) {
      const int sign = p(t).sign();
      if (sign == 0) continue;
      found += last != 0 && sign != last;
      last = sign;
    }
    return found;
  }
  std::vector<Polynomial> chain_;
};

/// A root: `low` < root ≤ `high`, or both are the root.
struct Root {
  Rational low, high;
};

std::vector<Root> roots_within(const Polynomial& square_free) {
  std::vector<Root> found;
  if (square_free(0) == 0) found.push_back({0, 0});
  const RootCounter counter(square_free);
  std::vector<Root> open{{0, 1}};
  while (!open.empty()) {
    const Root part = open.back();
    open.pop_back();
    const int count = counter.count(part.low, part.high);
    if (count == 0) continue;
    if (count == 1) {
      found.push_back(part);
      continue;
    }
    const Rational middle = (part.low + part.high) / 2;
    open.push_back({middle, part.high});
    open.push_back({part.low, middle});
  }
  return found;
}

void halve(const Polynomial& square_free, Root& root) {
  if (root.low == root.high) return;
  const Rational middle = (root.low + root.high) / 2;
  if (RootCounter(square_free).count(root.low, middle) == 1)
    root.high = middle;
  else
    root.low = middle;
}

int sign_at(const Polynomial& p, const Polynomial& square_free, Root root) {
  if (p.is_zero()) return 0;
  if (root.low == root.high) return p(root.low).sign();
  const Polynomial both = common_divisor(square_free, p);
  if (both.c.size() > 1 && RootCounter(both).count(root.low, root.high) > 0) return 0;
  const RootCounter counter(p);
  while (p(root.low) == 0 || counter.count(root.low, root.high) > 0) halve(square_free, root);
  return p(root.high).sign();
}

using Moving3 = std::array<Polynomial, 3>;

}  // namespace

ExactAnswer exact_contact(const MovingPair& pair) {
  std::array<Moving3, 4> x;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const Rational from(pair.start[k][int(c)]), to(pair.end[k][int(c)]);
      x[k][c] = {{from, to - from}};
      x[k][c].trim();
    }
  const bool is_point = pair.kind == PairKind::PointTriangle;
  const Moving3 u = is_point ? minus(x[2], x[1]) : minus(x[1], x[0]);
  const Moving3 w = is_point ? minus(x[3], x[1]) : minus(x[3], x[2]);
  const Moving3 r = is_point ? minus(x[0], x[1]) : minus(x[0], x[2]);
  const Moving3 normal = cross(u, w);
  const Polynomial volume = dot(r, normal);
  if (volume.is_zero()) return {};
  const Polynomial squared = dot(normal, normal);
  // Point: barycentric coordinates v, w and 1 − v − w times |n|². Edges: s, t, 1 − s and 1 − t times |n|².
  const Polynomial first = is_point ? dot(cross(r, w), normal) : dot(cross(w, r), normal);
  const Polynomial second = is_point ? dot(cross(u, r), normal) : dot(cross(u, r), normal);
  std::vector<Polynomial> inside{first, second};
  if (is_point) {
    inside.push_back(squared - first - second);
  } else {
    inside.push_back(squared - first);
    inside.push_back(squared - second);
  }
  const Polynomial divisor = common_divisor(volume, volume.derivative());
  const Polynomial square_free = divisor.c.size() > 1 ? quotient(volume, divisor) : volume;
  if (square_free.c.size() < 2) return {Exactly::Apart, 0.0, 1.0};
  for (Root root : roots_within(square_free)) {
    if (sign_at(squared, square_free, root) == 0) return {};
    const bool meets = std::all_of(inside.begin(), inside.end(),
                                   [&](const Polynomial& p) { return sign_at(p, square_free, root) >= 0; });
    if (!meets) continue;
    for (int k = 0; k < 60; ++k) halve(square_free, root);
    return {Exactly::Meet, root.low.convert_to<double>() - 1e-15, root.high.convert_to<double>() + 1e-15};
  }
  return {Exactly::Apart, 0.0, 1.0};
}

namespace {

bool is_on_segment(const Exact3& p, const Exact3& a, const Exact3& b) {
  const Exact3 along = minus(b, a), r = minus(p, a);
  if (!is_zero(cross(along, r))) return false;
  const Rational at = dot(along, r);
  return at >= 0 && at <= dot(along, along) && (!is_zero(along) || is_zero(r));
}

bool point_is_in_triangle(const std::array<Exact3, 4>& x) {
  const Exact3 u = minus(x[2], x[1]), w = minus(x[3], x[1]), r = minus(x[0], x[1]), n = cross(u, w);
  if (is_zero(n))
    return is_on_segment(x[0], x[1], x[2]) || is_on_segment(x[0], x[2], x[3]) || is_on_segment(x[0], x[3], x[1]);
  if (dot(r, n) != 0) return false;
  const Rational a = dot(cross(r, w), n), b = dot(cross(u, r), n);
  return a >= 0 && b >= 0 && a + b <= dot(n, n);
}

bool segments_meet(const std::array<Exact3, 4>& x) {
  const Exact3 u = minus(x[1], x[0]), w = minus(x[3], x[2]), r = minus(x[0], x[2]), n = cross(u, w);
  if (is_zero(n))
    return is_on_segment(x[0], x[2], x[3]) || is_on_segment(x[1], x[2], x[3]) || is_on_segment(x[2], x[0], x[1]) ||
           is_on_segment(x[3], x[0], x[1]);
  if (dot(r, n) != 0) return false;
  const Rational squared = dot(n, n), s = dot(cross(w, r), n), t = dot(cross(u, r), n);
  return s >= 0 && s <= squared && t >= 0 && t <= squared;
}

bool segment_meets_triangle(const Exact3& p, const Exact3& q, const std::array<Exact3, 3>& t) {
  const Exact3 n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  const Rational at_p = dot(minus(p, t[0]), n), at_q = dot(minus(q, t[0]), n);
  if (at_p.sign() * at_q.sign() > 0) return false;
  if (at_p != at_q) {
    const Rational s = at_p / (at_p - at_q);
    const Exact3 along = minus(q, p);
    const Exact3 point{p[0] + s * along[0], p[1] + s * along[1], p[2] + s * along[2]};
    return point_is_in_triangle({point, t[0], t[1], t[2]});
  }
  return point_is_in_triangle({p, t[0], t[1], t[2]}) || point_is_in_triangle({q, t[0], t[1], t[2]}) ||
         segments_meet({p, q, t[0], t[1]}) || segments_meet({p, q, t[1], t[2]}) || segments_meet({p, q, t[2], t[0]});
}

}  // namespace

bool exactly_meet_at(const MovingPair& pair, int count, int of) {
  std::array<Exact3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) {
    const Exact3 from = exact(pair.start[k]), to = exact(pair.end[k]);
    for (std::size_t c = 0; c < 3; ++c) x[k][c] = (from[c] * (of - count) + to[c] * count) / of;
  }
  return pair.kind == PairKind::PointTriangle ? point_is_in_triangle(x) : segments_meet(x);
}

int exact_intersections(const Points& positions, const Triangles& triangles) {
  int found = 0;
  for (Eigen::Index a = 0; a < triangles.rows(); ++a)
    for (Eigen::Index b = a + 1; b < triangles.rows(); ++b) {
      Vector3 low[2], high[2];
      const Eigen::Index sides[2] = {a, b};
      for (int s = 0; s < 2; ++s) {
        low[s] = high[s] = positions.row(triangles(sides[s], 0)).transpose();
        for (int k = 1; k < 3; ++k) {
          low[s] = low[s].cwiseMin(positions.row(triangles(sides[s], k)).transpose());
          high[s] = high[s].cwiseMax(positions.row(triangles(sides[s], k)).transpose());
        }
      }
      if ((low[0].array() > high[1].array()).any() || (low[1].array() > high[0].array()).any()) continue;
      // Most pairs lie on one side of a plane by far more than what doubles lose.
      bool is_clear = false;
      for (int s = 0; s < 2 && !is_clear; ++s) {
        const Vector3 o = positions.row(triangles(sides[s], 0)).transpose();
        const Vector3 u = positions.row(triangles(sides[s], 1)).transpose() - o;
        const Vector3 w = positions.row(triangles(sides[s], 2)).transpose() - o;
        const Vector3 n = u.cross(w);
        double least = 1.0, most = -1.0, size = u.norm() + w.norm();
        for (int k = 0; k < 3; ++k) {
          const Vector3 r = positions.row(triangles(sides[1 - s], k)).transpose() - o;
          size = std::max(size, r.norm());
          least = k == 0 ? r.dot(n) : std::min(least, r.dot(n));
          most = k == 0 ? r.dot(n) : std::max(most, r.dot(n));
        }
        const double margin = 1e-12 * size * size * size;
        is_clear = least > margin || most < -margin;
      }
      if (is_clear) continue;
      bool meets = false;
      for (int s = 0; s < 2 && !meets; ++s) {
        const Eigen::Index own = sides[s], other = sides[1 - s];
        std::array<Exact3, 3> t;
        for (int k = 0; k < 3; ++k) t[std::size_t(k)] = exact(positions.row(triangles(other, k)).transpose());
        const auto is_common = [&](int vertex) {
          return triangles(other, 0) == vertex || triangles(other, 1) == vertex || triangles(other, 2) == vertex;
        };
        for (int k = 0; k < 3 && !meets; ++k) {
          const int p = triangles(own, k), q = triangles(own, (k + 1) % 3);
          // A vertex that is not common must not lie in the other triangle; an edge without common ends not cross it.
          if (!is_common(p))
            meets = is_common(q) ? point_is_in_triangle({exact(positions.row(p).transpose()), t[0], t[1], t[2]})
                                 : segment_meets_triangle(exact(positions.row(p).transpose()),
                                                          exact(positions.row(q).transpose()), t);
        }
      }
      found += meets;
    }
  return found;
}

}  // namespace deformbench::collision
