// SPDX-License-Identifier: BSD-3-Clause
// Bodies, stress fields and the checks that every state of cracks has to pass.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "methods/meshless/cracks/analytic_sheets.hpp"
#include "methods/meshless/cracks/crack_system.hpp"

namespace deformbench::meshless::tests {

/// The same tension along one axis everywhere.
class UniformStress final : public StressField {
 public:
  UniformStress(double tension, const Vector3& axis)
      : stress_(tension * axis.normalized() * axis.normalized().transpose()) {}
  Matrix3 stress(const Vector3&) const override { return stress_; }
  double threshold(const Vector3&) const override { return 0.0; }

 private:
  Matrix3 stress_;
};

inline CrackBody ball(double radius) {
  return CrackBody({std::make_shared<SphereSheet>(Vector3::Zero(), radius)});
}
/// The block [−half, half].
inline CrackBody block(const Vector3& half) {
  std::vector<std::shared_ptr<const Sheet>> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      const Vector3 out = sign * Vector3::Unit(axis);
      faces.push_back(std::make_shared<PlaneSheet>(half[axis] * out, out));
    }
  return CrackBody(faces);
}

inline double triangle_area(const SweptArea& area, int t) {
  const auto& v = area.triangles()[std::size_t(t)].vertices;
  return 0.5 * (area.vertex(v[1]) - area.vertex(v[0])).cross(area.vertex(v[2]) - area.vertex(v[0])).norm();
}

/// What has to be true of every state: nodes in the body, ends on their sheets, no front through a crack.
inline void expect_legal(const CrackSystem& cracks, const std::string& where) {
  const double r = cracks.options().surfel_radius;
  for (const AdvancingFront& front : cracks.fronts()) {
    const std::size_t n = front.nodes.size();
    ASSERT_GE(n, front.is_closed ? 3u : 2u) << where;
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_LE(cracks.body().depth(front.nodes[i].position), 0.02 * r) << where << " node " << i;  // slivers of a face
    const auto on_sheet = [&](const SheetName& sheet, const Vector3& x) {
      if (sheet.kind == SheetName::Kind::Body) return std::abs(cracks.body().distance(sheet.number, x));
      if (sheet.kind == SheetName::Kind::None) return 1e300;
      const auto nearest = cracks.area().closest(
          x, r, [&](int t) { return cracks.area().triangles()[std::size_t(t)].crack == sheet.number; });
      return nearest ? nearest->distance : 1e300;
    };
    if (!front.is_closed) {
      EXPECT_LE(on_sheet(front.first_sheet, front.nodes.front().position), 1e-6 * r) << where << " front " << front.id;
      EXPECT_LE(on_sheet(front.last_sheet, front.nodes.back().position), 1e-6 * r) << where << " front " << front.id;
    }
    for (std::size_t i = 0; i < (front.is_closed ? n : n - 1); ++i) {
      const CrackNode &a = front.nodes[i], &b = front.nodes[(i + 1) % n];
      const Vector3 from = a.position, to = b.position;
      const auto hit = cracks.area().first_hit(from, to, [&](int t) {
        // A front may fold over the strip that it has just swept; what is judged is other cracks.
        const SweptTriangle& triangle = cracks.area().triangles()[std::size_t(t)];
        // At a crease an edge touches the sheets of both cracks.
        for (const CrackNode* node : {&a, &b})
          if (triangle.crack == node->crack || triangle.crack == node->other_crack) return false;
        return true;
      });
      if (!hit) continue;
      const auto at_end = [&](const CrackNode& end) {
        return !front.is_closed && (hit->point - end.position).norm() < 0.1 * r;
      };
      // Where ends have merged on a third crack, the front touches it at the node, from one side.
      const auto touches = [&](std::size_t k) {
        const Vector3 normal = cracks.area().normal(hit->triangle);
        const auto side = [&](std::size_t step) {
          for (std::size_t m = 1; m <= 3; ++m) {
            const std::size_t at = (k + m * step) % n;
            const double height = (front.nodes[at].position - hit->point).dot(normal);
            if (std::abs(height) > 0.02 * r) return height;
            if (!front.is_closed && (at == 0 || at + 1 == n)) return 0.0;
          }
          return 0.0;
        };
        return (hit->point - front.nodes[k].position).norm() < 0.02 * r && side(n - 1) * side(1) >= 0.0;
      };
      if (touches(i) || touches((i + 1) % n)) continue;
      const bool at_first = at_end(front.nodes.front()), at_last = at_end(front.nodes.back());
      EXPECT_TRUE(at_first || at_last) << where << " front " << front.id << " edge " << i << " of " << n << " at "
                                       << hit->point.transpose() << " cracks " << a.crack << "/" << a.other_crack << " "
                                       << b.crack << " " << cracks.area().triangles()[std::size_t(hit->triangle)].crack;
    }
  }
  EXPECT_EQ(cracks.unclassified(), 0) << where;
}

}  // namespace deformbench::meshless::tests
