// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/front_desk.h"

#include <limits>
#include <utility>

#include "core/error.h"

namespace espalier {
namespace {

Seconds in_seconds(std::chrono::milliseconds time) {
  return {std::chrono::duration<double>(time).count()};
}

}  // namespace

FrontDesk::FrontDesk(const Surroundings& around, Roster roster, DeskOptions options)
    : around_(around), options_(options), roster_(std::move(roster)) {}

Welcome FrontDesk::enrol(const Visitor& who, const Hello& hello) {
  AnswerPull stale;
  Welcome welcome;
  {
    const std::lock_guard lock(mutex_);
    if (!is_wire_name(who.node.value)) throw Error(ErrorCode::NotAllowed, "no name for a node");
    const Admission admission = admit(around_.setup, roster_, who.node, hello);
    if (!admission.refusal.empty())
      throw Error(ErrorCode::NotAllowed,
                  "'" + who.node.value + "' cannot take part: " + admission.refusal);
    Guest& guest = guests_[who.node];
    const bool is_alive = around_.clock.now() - guest.heard < options_.silent_after;
    if (!guest.incarnation.empty() && guest.incarnation != who.incarnation && is_alive)
      throw Error(ErrorCode::NotAllowed,
                  "another process of the name '" + who.node.value + "' is at work",
                  "give each node a name and a certificate of its own");
    stale = std::exchange(guest.waiting, {});
    guest.incarnation = who.incarnation;
    guest.heard = around_.clock.now();
    guest.presence = Presence::Online;
    roster_.nodes.emplace(who.node, admission.nodes);
    if (!roster_.images) roster_.images = hello;
    around_.mailbox.post(NodeCame{who.node, admission.nodes, hello});
    welcome = {around_.setup.run, around_.setup.scenario.node_sets[admission.nodes.pos()].name,
               options_.heartbeat};
  }
  if (stale) stale(Nothing{});
  return welcome;
}

FrontDesk::Guest& FrontDesk::guest(const Visitor& who) {
  const auto found = guests_.find(who.node);
  if (found == guests_.end() || found->second.incarnation != who.incarnation)
    throw Error(ErrorCode::NotAllowed, "'" + who.node.value + "' has not enrolled",
                "a node enrols first, and again after the orchestrator was started anew");
  return found->second;
}

void FrontDesk::hear(const NodeName& name, Guest& guest) {
  guest.heard = around_.clock.now();
  if (guest.presence == Presence::Online) return;
  guest.presence = Presence::Online;
  around_.mailbox.post(NodeHeard{name});
}

void FrontDesk::pull(const Visitor& who, std::chrono::milliseconds wait, AnswerPull answer) {
  AnswerPull stale;
  Pulled now = Nothing{};
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    Guest& here = guest(who);
    hear(who.node, here);
    stale = std::exchange(here.waiting, {});
    const auto task = tasks_.find(who.node);
    if (dismissal_) {
      here.was_dismissed = true;
      now = Dismissal{*dismissal_};
    } else if (task != tasks_.end()) {
      now = task->second;
    } else {
      waits = true;
      here.waiting = answer;
      here.waits_until = around_.clock.now() + in_seconds(wait);
    }
  }
  if (stale) stale(Nothing{});
  if (!waits) answer(std::move(now));
}

void FrontDesk::report(const Visitor& who, const TaskResult& result,
                       std::function<void(Receipt)> answer) {
  const std::lock_guard lock(mutex_);
  hear(who.node, guest(who));
  around_.mailbox.post(ReportedResult{who.node, result, std::move(answer)});
}

bool FrontDesk::heartbeat(const Visitor& who, const std::optional<AtWork>& at) {
  const std::lock_guard lock(mutex_);
  Guest& here = guest(who);
  hear(who.node, here);
  here.at = at;
  if (!at) return true;
  const auto task = tasks_.find(who.node);
  return !dismissal_ && task != tasks_.end() && task->second.id == at->task;
}

double FrontDesk::done_by(const NodeName& node) const {
  const std::lock_guard lock(mutex_);
  const auto guest = guests_.find(node);
  const auto task = tasks_.find(node);
  if (guest == guests_.end() || task == tasks_.end() || !guest->second.at) return 0;
  return guest->second.at->task == task->second.id ? guest->second.at->done : 0;
}

const Task* FrontDesk::task_of(const Visitor& who) const {
  const auto found = guests_.find(who.node);
  const auto task = tasks_.find(who.node);
  const bool is_here = found != guests_.end() && found->second.incarnation == who.incarnation;
  return is_here && task != tasks_.end() ? &task->second : nullptr;
}

bool FrontDesk::may_fetch(const Visitor& who, const ObjectRef& object) const {
  const std::lock_guard lock(mutex_);
  const Task* task = task_of(who);
  return task != nullptr && task->network == object;
}

bool FrontDesk::may_push(const Visitor& who, const ObjectRef& object) const {
  const std::lock_guard lock(mutex_);
  const Task* task = task_of(who);
  return task != nullptr && object.size > 0 && object.size <= task->update_limit;
}

void FrontDesk::assign(const NodeName& node, const Task& task) {
  AnswerPull waiting;
  {
    const std::lock_guard lock(mutex_);
    tasks_.insert_or_assign(node, task);
    const auto found = guests_.find(node);
    if (found != guests_.end()) waiting = std::exchange(found->second.waiting, {});
  }
  if (waiting) waiting(task);
}

void FrontDesk::withdraw(const NodeName& node) {
  const std::lock_guard lock(mutex_);
  tasks_.erase(node);
}

void FrontDesk::let_another_come(const NodeName& node) {
  const std::lock_guard lock(mutex_);
  const auto found = guests_.find(node);
  if (found != guests_.end()) found->second.incarnation.clear();
}

void FrontDesk::lose(const NodeName& node) {
  const std::lock_guard lock(mutex_);
  const auto found = guests_.find(node);
  if (found != guests_.end()) {
    found->second.incarnation.clear();
    found->second.presence = Presence::Lost;
  }
  around_.mailbox.post(NodeGone{node});
}

void FrontDesk::dismiss(const std::string& reason) {
  std::vector<AnswerPull> waiting;
  {
    const std::lock_guard lock(mutex_);
    dismissal_ = reason;
    tasks_.clear();
    for (auto& [name, guest] : guests_) {
      if (!guest.waiting) continue;
      guest.was_dismissed = true;
      waiting.push_back(std::exchange(guest.waiting, {}));
    }
  }
  for (const AnswerPull& answer : waiting) answer(Dismissal{reason});
}

bool FrontDesk::has_dismissed_all() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, guest] : guests_)
    if (guest.presence == Presence::Online && !guest.was_dismissed) return false;
  return true;
}

void FrontDesk::look_around() {
  std::vector<AnswerPull> tired;
  {
    const std::lock_guard lock(mutex_);
    const Seconds now = around_.clock.now();
    for (auto& [name, guest] : guests_) {
      if (guest.waiting && now >= guest.waits_until)
        tired.push_back(std::exchange(guest.waiting, {}));
      const Seconds silence = now - guest.heard;
      if (guest.presence == Presence::Online && silence >= options_.silent_after) {
        guest.presence = Presence::Silent;
        around_.mailbox.post(NodeSilent{name});
      }
      if (guest.presence == Presence::Silent && silence >= options_.lost_after) {
        guest.presence = Presence::Lost;
        around_.mailbox.post(NodeGone{name});
      }
    }
  }
  for (const AnswerPull& answer : tired) answer(Nothing{});
}

Seconds FrontDesk::next_look() const {
  const std::lock_guard lock(mutex_);
  Seconds next{std::numeric_limits<double>::max()};
  for (const auto& [name, guest] : guests_) {
    if (guest.waiting) next = std::min(next, guest.waits_until);
    if (guest.presence == Presence::Online)
      next = std::min(next, guest.heard + options_.silent_after);
    if (guest.presence == Presence::Silent)
      next = std::min(next, guest.heard + options_.lost_after);
  }
  return next;
}

}  // namespace espalier
