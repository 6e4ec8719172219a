// SPDX-License-Identifier: Apache-2.0
#include "experiments/serve_laboratory.h"

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "experiments/line_socket.h"
#include "experiments/segment_work.h"
#include "io/scenario_file.h"

namespace espalier {
namespace {

// The collector is gone: nobody wants to hear about it.
struct Abandoned {};

class Server {
 public:
  explicit Server(LineSocket socket) : socket_(std::move(socket)) {}

  void tell(const Answer& answer) {
    if (!socket_.send(to_line(answer))) throw Abandoned{};
  }

  void serve(const Bench& bench) {
    tell(Ready{});
    for (;;) {
      while (const auto line = socket_.next_line()) obey(parse_order(*line), bench);
      if (!socket_.receive()) return;
    }
  }

 private:
  void obey(const Order& order, const Bench& bench) {
    carry_out(order, bench, [this](const Answer& answer) { tell_once(answer); });
    tell(Done{});
    source_.reset();
  }

  // A source is told when it is another than before.
  void tell_once(const Answer& answer) {
    if (const auto* source = std::get_if<EnergySource>(&answer)) {
      if (source_ == *source) return;
      source_ = *source;
    }
    tell(answer);
  }

  LineSocket socket_;
  std::optional<EnergySource> source_;
};

Failed failure_of(const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error))
    return {ours->code(), ours->what(), ours->hint()};
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return {ErrorCode::RunFailed, "a trainer ran out of memory", "use fewer --workers"};
  return {ErrorCode::RunFailed, std::string("a trainer failed: ") + error.what(), ""};
}

bool is_socket(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

// A collector that is killed takes its trainers along; Ctrl-C is for the collector to handle.
void live_and_die_with_the_collector() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

bool is_started_by_collector() { return is_socket(kTrainerSocket); }

int serve_laboratory(const std::filesystem::path& folder, int socket, const LaboratoryMaker& make) {
  Server server{LineSocket(socket)};
  try {
    const Scenario scenario = load_scenario(folder / "scenario.yaml");
    if (!scenario.training)
      throw Error(ErrorCode::BadInput, "the scenario has no training section", "add one");
    const auto laboratory = make(scenario);
    server.serve({*laboratory, scenario, TraceFolder(folder)});
    return 0;
  } catch (const Abandoned&) {
    return 0;
  } catch (const std::exception& error) {
    try {
      server.tell(failure_of(error));
    } catch (const Abandoned&) {
      return 0;
    }
    return 1;
  }
}

int trainer_main(int argc, char** argv, const LaboratoryMaker& make) {
  if (argc != 2 || !is_socket(kTrainerSocket)) {
    std::fputs("espalier-trainer trains for other commands; start 'espalier collect FILE'\n",
               stderr);
    return static_cast<int>(ErrorCode::BadInput);
  }
  live_and_die_with_the_collector();
  return serve_laboratory(argv[1], kTrainerSocket, make);
}

}  // namespace espalier
