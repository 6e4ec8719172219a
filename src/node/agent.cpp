// SPDX-License-Identifier: Apache-2.0
#include "node/agent.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>

#include "core/file_error.h"
#include "io/model_file.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kLongPoll{20'000};
constexpr Seconds kPatienceForACore{20};

// Both stop the work: the agent is asked to end, or the task is withdrawn.
class EitherStop {
 public:
  EitherStop(const std::stop_token& one, const std::stop_token& other)
      : on_one_(one, Ask{&source_}), on_other_(other, Ask{&source_}) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  struct Ask {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Ask> on_one_;
  std::stop_callback<Ask> on_other_;
};

void rest(Seconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, std::chrono::duration<double>(time.value), [] { return false; });
}

TaskResult failed(const Task& task, TaskEnd end, std::string message) {
  TaskResult result;
  result.task = task.id;
  result.end = end;
  result.message = std::move(message);
  return result;
}

}  // namespace

std::string new_incarnation() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}-{}", device(), device(), ::getpid());
}

Agent::Agent(Hello hello, AgentPatience patience, AgentTools tools)
    : hello_(std::move(hello)), tools_(std::move(tools)), luck_(std::random_device{}()) {
  state_.patience = patience;
}

AgentEnd Agent::run(std::stop_token stop) {
  AgentEvent event = AgentStarted{};
  for (;;) {
    AgentTransition transition = on(std::move(state_), event, moment());
    state_ = std::move(transition.state);
    for (const std::string& remark : transition.remarks) tools_.say(remark);
    if (const auto* end = std::get_if<EndAgent>(&transition.next)) {
      heartbeat_.reset();
      return {end->error, end->why};
    }
    event = perform(transition.next, stop);
    if (stop.stop_requested()) event = StopAsked{};
  }
}

Moment Agent::moment() {
  return {tools_.clock.now(), std::uniform_real_distribution<>(0, 1)(luck_)};
}

AgentEvent Agent::perform(const AgentAction& action, std::stop_token stop) {
  try {
    return std::visit([&](const auto& one) { return act(one, stop); }, action);
  } catch (const FileError& error) {
    return FileFailed{error.what()};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Bug) throw;
    heartbeat_.reset();
    if (error.code() == ErrorCode::NotAllowed) return LinkRefused{error.what()};
    return LinkLost{error.what()};
  }
}

AgentEvent Agent::act(const Enrol&, std::stop_token stop) {
  heartbeat_.reset();
  const Welcome welcome = tools_.link.enrol(hello_, stop);
  heartbeat_ = std::make_unique<Heartbeat>(tools_.link, hello_, welcome.run, welcome.heartbeat);
  return welcome;
}

AgentEvent Agent::act(const Rest& action, std::stop_token stop) {
  rest(action.time, stop);
  return Rested{};
}

AgentEvent Agent::act(const AskForTask&, std::stop_token stop) {
  return std::visit([](auto pulled) { return AgentEvent(std::move(pulled)); },
                    tools_.link.pull(kLongPoll, stop));
}

AgentEvent Agent::act(const FetchNetwork& action, std::stop_token stop) {
  if (tools_.cache.has(action.network)) return NetworkFetched{};
  tools_.cache.make_room(action.network);
  tools_.link.fetch(action.network, tools_.cache.path_of(action.network), stop);
  return NetworkFetched{};
}

AgentEvent Agent::act(const DoTask& action, std::stop_token stop) {
  const Task& task = action.task;
  const EitherStop either(stop, heartbeat_->begin(task.id));
  std::optional<TaskResult> result;
  try {
    const Network network = load_model(tools_.cache.path_of(task.network));
    std::optional<CoreShare::Place> core;
    if (tools_.cores) core.emplace(tools_.cores->take(kPatienceForACore, either.token()));
    if (auto finished = tools_.worker.work(task, network, either.token(),
                                           [this](double done) { heartbeat_->tell(done); }))
      result = done(task, std::move(*finished));
  } catch (const Error& error) {
    const bool is_refusal = error.code() == ErrorCode::BadInput;
    result = failed(task, is_refusal ? TaskEnd::Refused : TaskEnd::Failed, error.what());
  }
  const bool is_withdrawn = heartbeat_->end();
  if (is_withdrawn || !result) return TaskWithdrawn{};
  return *result;
}

TaskResult Agent::done(const Task& task, Finished finished) {
  if (!finished.update) return finished.result;
  const std::string bytes = model_bytes(*finished.update);
  if (task.update_limit > 0 && bytes.size() > task.update_limit)
    return failed(task, TaskEnd::Refused,
                  fmt::format("the update has {} bytes, and {} are allowed", bytes.size(),
                              task.update_limit));
  finished.result.update = tools_.cache.put(bytes);
  return finished.result;
}

AgentEvent Agent::act(const PushUpdate& action, std::stop_token stop) {
  tools_.link.push(action.update, tools_.cache.path_of(action.update), stop);
  return UpdatePushed{};
}

AgentEvent Agent::act(const HandIn& action, std::stop_token stop) {
  return tools_.link.report(action.result, stop);
}

AgentEvent Agent::act(const EndAgent&, std::stop_token) {
  report_bug("an agent that has ended does nothing more", __FILE__, __LINE__);
}

}  // namespace espalier
