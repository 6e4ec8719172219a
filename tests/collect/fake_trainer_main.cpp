// SPDX-License-Identifier: Apache-2.0
// A trainer that trains nothing, and fails when the environment asks it to.
#include <cstdlib>
#include <unistd.h>

#include "core/error.h"
#include "experiments/serve_laboratory.h"
#include "fakes/fake_laboratory.h"

namespace {

using namespace espalier;

int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

std::unique_ptr<Laboratory> make_laboratory(const Scenario& scenario) {
  if (setting("FAKE_DIES", 0) != 0) _exit(9);
  if (scenario.training->dataset == "missing")
    throw Error(ErrorCode::BadInput, "data set 'missing' is not there", "get it first");
  FakeLaboratory::Options options;
  options.epoch = std::chrono::microseconds(setting("FAKE_EPOCH_US", 0));
  options.padding = static_cast<std::size_t>(setting("FAKE_PADDING", 0));
  options.diverges_after = setting("FAKE_DIVERGES_AFTER", options.diverges_after);
  return std::make_unique<FakeLaboratory>(options);
}

}  // namespace

int main(int argc, char** argv) { return espalier::trainer_main(argc, argv, make_laboratory); }
