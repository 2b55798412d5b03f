// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

namespace {

MethodDescriptor descriptor(const std::string& id) {
  MethodDescriptor method;
  method.id = id;
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene&, const Parameters&, const RunContext&) { return std::unique_ptr<Simulation>(); };
  return method;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Registry, AnUnknownMethodIsRefusedWithTheKnownOnes) {
  Registry registry;
  registry.add(descriptor("warped_fem"));
  EXPECT_EQ(refusal([&] { registry.at("warped"); }), "method 'warped': unknown, expected one of warped_fem");
}

TEST(Registry, IdsAreSnakeCaseAndUnique) {
  Registry registry;
  registry.add(descriptor("mine"));
  EXPECT_THAT(refusal([&] { registry.add(descriptor("mine")); }), testing::HasSubstr("registered twice"));
  EXPECT_THAT(refusal([&] { registry.add(descriptor("My-Method")); }), testing::HasSubstr("lower case"));
}

TEST(Registry, AMethodThatIsNotBuiltSupportsNothingAndSaysWhy) {
  Registry registry;
  MethodDescriptor absent;
  absent.id = "absent";
  absent.not_built = "the library was not found";
  registry.add(absent);
  const Support answer = registry.at("absent").supports(Scene{}, Parameters{});
  EXPECT_FALSE(answer.supported);
  EXPECT_EQ(answer.reason, "not built: the library was not found");
  EXPECT_EQ(refusal([&] { registry.at("absent").create(Scene{}, Parameters{}, RunContext{}); }),
            "method 'absent': not built: the library was not found");
}

TEST(Registry, ADescriptorNeedsSupportsAndCreate) {
  Registry registry;
  MethodDescriptor empty;
  empty.id = "empty";
  EXPECT_THAT(refusal([&] { registry.add(empty); }), testing::HasSubstr("`supports` and `create` must be set"));
}

}  // namespace deformbench::tests
