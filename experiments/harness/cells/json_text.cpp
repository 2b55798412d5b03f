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

/// Looks at every value while it is read.
class Watch {
 public:
  explicit Watch(const std::string& where) : where_(where) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    using enum json::parse_event_t;
    if (event == object_start || event == array_start || event == value) {
      if (depth > kDeepestJson) {
        throw InputError(where_ + ": objects and lists stand in each other more than " + std::to_string(kDeepestJson) +
                         " deep, expected at most that");
      }
      if (++values_ > kMostJsonValues) {
        throw InputError(where_ + ": holds more than " + std::to_string(kMostJsonValues) +
                         " values, expected at most that");
      }
    }
    if (event == value && parsed.is_number_unsigned() &&
        parsed.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max())) {
      throw InputError(where_ + ": " + parsed.dump() + " is too large, expected integers below 2^63");
    }
    if (event == object_start) keys_.emplace_back();
    if (event == object_end) keys_.pop_back();
    if (event == key && !keys_.back().insert(parsed.get<std::string>()).second) {
      throw InputError(where_ + ": key \"" + shortened(parsed.get<std::string>()) + "\" appears twice in one object");
    }
    return true;
  }

 private:
  const std::string& where_;
  std::size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

json parse_json(const std::string& text, const std::string& where) {
  Watch watch(where);
  try {
    return json::parse(
        text, [&watch](int depth, json::parse_event_t event, json& parsed) { return watch(depth, event, parsed); });
  } catch (const json::out_of_range& error) {  // 1e999, or an integer of 400 digits
    throw InputError(where + ": " + words_of(error) + ", expected a finite number");
  } catch (const json::exception& error) {
    throw InputError(where + ": " + words_of(error));
  }
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
