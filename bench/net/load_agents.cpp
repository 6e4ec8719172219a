// SPDX-License-Identifier: Apache-2.0
#include "net/load_agents.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "certificates/credentials.h"
#include "core/error.h"
#include "net/grpc_link.h"

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPoll = 20s;
constexpr auto kRest = 500ms;
constexpr int kMostMishaps = 100;
// The one that looks at the averages.
constexpr int kInspector = 0;

// Does what node/agent.h does, but for the training. Owned by one thread.
class LoadAgent {
 public:
  LoadAgent(const Load& load, int number, const std::string& address)
      : load_(load),
        number_(number),
        network_(load.folder / (name_of_agent(number) + ".network")),
        link_({.address = address, .credentials = load_credentials(load.certificates_of(number))}) {
    for (int round = 0; round < load.rounds; ++round)
      updates_.push_back(known_update(load, number, round));
    hello_.samples = samples_of_agent(number);
    hello_.classes = 10;
    hello_.channels = 3;
    hello_.height = 32;
    hello_.width = 32;
    hello_.incarnation = name_of_agent(number);
    hello_.program = "stand-in";
  }

  // Whoever is cut off comes again, as a real one does.
  bool work() {
    for (;;) {
      try {
        link_.enrol(hello_, {});
        const std::jthread beating([this](const std::stop_token& stop) { beat(stop); });
        serve();
        return has_found_all_well();
      } catch (const Error& error) {
        if (is_done_) return has_found_all_well();  // it went before it could say so
        fmt::print(stderr, "{}: {}\n", name_of_agent(number_), error.what());
        if (++mishaps_ == kMostMishaps) return false;
        std::this_thread::sleep_for(kRest);
      }
    }
  }

 private:
  bool has_found_all_well() const {
    return number_ != kInspector || (is_content_ && seen_ == load_.rounds);
  }

  void beat(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      try {
        link_.heartbeat(std::nullopt, stop);
      } catch (const Error&) {
      }
      never.wait_for(lock, stop, 2s, [] { return false; });
    }
  }

  void serve() {
    for (;;) {
      const Pulled pulled = link_.pull(kPoll, {});
      if (std::holds_alternative<Dismissal>(pulled)) return;
      if (const auto* task = std::get_if<Task>(&pulled)) {
        link_.report(result_of(*task), {});
        is_done_ = task->network != first_ && !std::holds_alternative<TrainWork>(task->work) &&
                   task->id.epoch + 1 == load_.rounds;
      }
    }
  }

  TaskResult result_of(const Task& task) {
    have(task.network);
    TaskResult result;
    result.task = task.id;
    result.samples = samples_of_agent(number_);
    result.time = {1};
    result.energy = {{1}, Provenance::Modelled, "a stand-in"};
    const int round = task.id.epoch;
    if (std::holds_alternative<TrainWork>(task.work)) {
      result.loss = {1};
      result.update = updates_.at(static_cast<std::size_t>(round));
      link_.push(*result.update, load_.update_of(number_, round), {});
    } else {
      result.loss = {task.network == first_ ? 1.0
                                            : 1.0 - static_cast<double>(round + 1) / load_.rounds};
    }
    return result;
  }

  // A real one keeps it; here its bytes have to go.
  void have(const ObjectRef& network) {
    if (network == had_) return;
    link_.fetch(network, network_, {});
    if (!first_)
      first_ = network;
    else if (number_ == kInspector)
      is_content_ = is_average(load_, seen_++, network_) && is_content_;
    fs::remove(network_);
    had_ = network;
  }

  const Load& load_;
  const int number_;
  const fs::path network_;
  GrpcLink link_;
  Hello hello_;
  std::vector<ObjectRef> updates_;
  std::optional<ObjectRef> first_;
  std::optional<ObjectRef> had_;
  int seen_ = 0;
  int mishaps_ = 0;
  bool is_content_ = true;
  bool is_done_ = false;
};

}  // namespace

bool run_agents(const Load& load, const std::string& address) {
  std::atomic<int> content = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < load.agents; ++i)
    threads.emplace_back([&, i] {
      if (LoadAgent(load, i, address).work()) ++content;
    });
  threads.clear();
  return content == load.agents;
}

}  // namespace espalier::bench
