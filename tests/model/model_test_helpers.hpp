// SPDX-License-Identifier: BSD-3-Clause
// Shared by the tests of the model: temporary files, messages of InputError, small meshes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "methods/model/error.hpp"
#include "methods/model/structured.hpp"
#include "methods/model/tet_mesh.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::model {

/// A folder of its own for each test, gone at its end.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("deformbench_model_") + info->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    // Cutting an existing file to nothing makes ext4 write it to the disk at once, which takes milliseconds.
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

/// What InputError says; "" when nothing is thrown.
template <class Action>
std::string input_error_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Raw bytes of a value for binary test files.
template <class T>
void append_bytes(std::string& bytes, T value, std::endian order = std::endian::little) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += raw[order == std::endian::native ? i : sizeof(T) - 1 - i];
}

/// An irregular mesh whose coordinates need all 17 digits.
inline TetMesh irregular_mesh() {
  return jitter(make_block({2, 1, 2}, {-0.1, 1.0 / 3, 0.7}, {1, 0.3, 0.4}, BlockSplit::BodyCentred),
                {.fraction = 0.3, .seed = 7, .keep_boundary = false});
}

/// Corner at the origin, edges along the axes, volume 1/6, outward faces.
inline TriangleMesh unit_tetrahedron_surface() {
  TriangleMesh mesh;
  mesh.positions.resize(4, 3);
  mesh.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.triangles.resize(4, 3);
  mesh.triangles << 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3;
  return mesh;
}

inline TetMesh unit_tetrahedron() {
  TetMesh mesh;
  mesh.rest_positions = unit_tetrahedron_surface().positions;
  mesh.tetrahedra.resize(1, 4);
  mesh.tetrahedra << 0, 1, 2, 3;
  return mesh;
}

}  // namespace deformbench::model
