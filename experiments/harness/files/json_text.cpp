// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "experiments/harness/files/ordinary_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// "[json.exception.parse_error.101] parse error at line 3, column 5: …" without the bracket.
std::string message_of(const json::exception& error) {
  const std::string message = error.what();
  const auto bracket = message.find("] ");
  return shortened(bracket == std::string::npos ? message : message.substr(bracket + 2), 200);
}

/// Checks without building a document. (A json::parse callback is quadratic in the length of lists.)
class Watch final : public nlohmann::json_sax<json> {
 public:
  Watch(const std::string& where, std::size_t most_values) : where_(where), most_values_(most_values) {}

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
    one_more();
    go_down();
    levels_.back().is_object = true;
    return true;
  }
  bool key(string_t& name) override {
    if (!levels_.back().keys.insert(name).second)
      throw InputError(where_ + ": key \"" + shortened(name) + "\" appears twice in one object");
    levels_.back().key = name;
    return true;
  }
  bool end_object() override {
    levels_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    one_more();
    go_down();
    return true;
  }
  bool end_array() override {
    levels_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const json::exception& error) override {
    // 1e999, or an integer of 400 digits
    const bool is_range = dynamic_cast<const json::out_of_range*>(&error) != nullptr;
    if (!is_range) throw InputError(where_ + ": " + message_of(error));
    throw InputError(where_ + ": " + pointer() + ": got " + shortened(token) + ", expected a finite number");
  }

 private:
  struct Level {
    bool is_object = false;
    std::set<std::string> keys;
    std::string key;        ///< key of the value being read
    std::size_t count = 0;  ///< list entries read so far
  };

  /// Pointer to the value being read.
  std::string pointer() const {
    json::json_pointer place;
    for (const Level& level : levels_) {
      if (level.is_object)
        place.push_back(level.key);
      else  // nested lists and objects have been counted already
        place.push_back(std::to_string(&level == &levels_.back() ? level.count : level.count - 1));
    }
    return shown_pointer(place.to_string());
  }
  void go_down() {
    levels_.emplace_back();
    if (levels_.size() <= std::size_t(kDeepestJson)) return;
    throw InputError(where_ + ": objects and lists are nested more than " + std::to_string(kDeepestJson) +
                     " deep, expected at most that");
  }
  bool one_more() {
    if (!levels_.empty()) ++levels_.back().count;
    if (++values_ <= most_values_) return true;
    throw InputError(where_ + ": holds more than " + std::to_string(most_values_) + " values, expected at most that");
  }

  const std::string& where_;
  const std::size_t most_values_;
  std::size_t values_ = 0;
  std::vector<Level> levels_;
};

}  // namespace

json parse_json(const std::string& text, const std::string& where, std::size_t most_values) {
  Watch watch(where, most_values);
  json::sax_parse(text, &watch);
  return json::parse(text);
}

json load_json(const std::filesystem::path& file, std::size_t most_values) {
  require_content(file, "a JSON file");
  std::error_code error;
  std::ifstream in;
  // Opening a pipe would block.
  if (std::filesystem::is_regular_file(file, error)) in.open(file, std::ios::binary);
  if (!in.is_open()) throw InputError(file.string() + ": cannot be read; expected a JSON file");
  std::ostringstream text;
  text << in.rdbuf();
  if (!text || in.bad()) throw InputError(file.string() + ": cannot be read to its end");
  return parse_json(text.str(), file.string(), most_values);
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;  // do not split a UTF-8 character
  return text.substr(0, end) + "...";
}

std::string shown_pointer(const std::string& pointer) {
  if (pointer.empty()) return "/";
  const std::string quoted = json(pointer).dump(-1, ' ', false, json::error_handler_t::replace);
  return shortened(quoted.substr(1, quoted.size() - 2), 200);
}

std::string one_line(const std::string& text, std::size_t most) {
  std::string line;
  for (const char c : std::string_view(text).substr(0, text.find_last_not_of("\r\n") + 1)) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      line += "\\n";
    else if (code < 0x20 || code == 0x7f)
      line += std::string("\\x") + "0123456789abcdef"[code >> 4] + "0123456789abcdef"[code & 15];
    else
      line += c;
  }
  if (line.size() <= most) return line;
  std::size_t begin = line.size() - most / 3;  // the expected value stands at the end
  while (begin < line.size() && (static_cast<unsigned char>(line[begin]) & 0xC0u) == 0x80u) ++begin;
  return shortened(line, most - most / 3 - 1) + " " + line.substr(begin);
}

std::string shown(const json& value) {
  return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace deformbench::harness
