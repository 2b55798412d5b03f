// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/json_text.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// "[json.exception.parse_error.101] parse error at line 3, column 5: …" without the bracket.
std::string words_of(const json::exception& error) {
  const std::string message = error.what();
  const auto bracket = message.find("] ");
  return shortened(bracket == std::string::npos ? message : message.substr(bracket + 2), 200);
}

/// Reads without keeping anything. (A callback of json::parse would do, but goes through a whole list again for each of
/// its entries.)
class Watch final : public nlohmann::json_sax<json> {
 public:
  explicit Watch(const std::string& where) : where_(where) {}

  bool null() override { return one_more(); }
  bool boolean(bool) override { return one_more(); }
  bool number_integer(number_integer_t) override { return one_more(); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
      throw InputError(where_ + ": " + std::to_string(value) + " is too large, expected integers below 2^63");
    return one_more();
  }
  bool number_float(number_float_t, const string_t&) override { return one_more(); }
  bool string(string_t&) override { return one_more(); }
  bool binary(binary_t&) override { return one_more(); }
  bool start_object(std::size_t) override {
    go_down();
    keys_.emplace_back();
    return one_more();
  }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second)
      throw InputError(where_ + ": key \"" + shortened(name) + "\" appears twice in one object");
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    go_down();
    return one_more();
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    // 1e999, or an integer of 400 digits
    const bool is_range = dynamic_cast<const json::out_of_range*>(&error) != nullptr;
    throw InputError(where_ + ": " + words_of(error) + (is_range ? ", expected a finite number" : ""));
  }

 private:
  void go_down() {
    if (++depth_ <= kDeepestJson) return;
    throw InputError(where_ + ": objects and lists are nested more than " + std::to_string(kDeepestJson) +
                     " deep, expected at most that");
  }
  bool one_more() {
    if (++values_ <= kMostJsonValues) return true;
    throw InputError(where_ + ": holds more than " + std::to_string(kMostJsonValues) +
                     " values, expected at most that");
  }

  const std::string& where_;
  int depth_ = 0;
  std::size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

json parse_json(const std::string& text, const std::string& where) {
  Watch watch(where);
  json::sax_parse(text, &watch);
  return json::parse(text);
}

json load_json(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream in;
  // A pipe would be waited for.
  if (std::filesystem::is_regular_file(file, error)) in.open(file, std::ios::binary);
  if (!in.is_open()) throw InputError(file.string() + ": cannot be read; expected a JSON file");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw InputError(file.string() + ": cannot be read to its end");
  return parse_json(text, file.string());
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;  // not inside a character
  return text.substr(0, end) + "...";
}

std::string shown(const json& value) {
  return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace deformbench::harness
