// SPDX-License-Identifier: Apache-2.0
// Where nodes turn to: hands out tasks, takes results, and notices who is silent. What it hears it
// posts to the orchestrator's thread; it decides nothing itself but who is let in.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "core/clock.h"
#include "orchestrator/admission.h"
#include "orchestrator/mailbox.h"
#include "wire/link.h"

namespace espalier {

struct DeskOptions {
  // How often nodes are to tell that they are alive.
  std::chrono::milliseconds heartbeat{2000};
  // After so long without a word a node is silent, and then lost.
  Seconds silent_after{6};
  Seconds lost_after{15};
};

// Thread-safe. Borrows all that it is made of.
class FrontDesk final : public Desk {
 public:
  struct Surroundings {
    const RunSetup& setup;
    Mailbox& mailbox;
    ObjectStore& objects;
    const Clock& clock;
  };
  FrontDesk(const Surroundings& around, Roster roster, DeskOptions options = {});

  // For servers.
  Welcome enrol(const Visitor& who, const Hello& hello) override;
  void pull(const Visitor& who, std::chrono::milliseconds wait,
            std::function<void(Pulled)> answer) override;
  void report(const Visitor& who, const TaskResult& result,
              std::function<void(Receipt)> answer) override;
  bool heartbeat(const Visitor& who, const std::optional<AtWork>& at) override;
  bool may_fetch(const Visitor& who, const ObjectRef& object) const override;
  bool may_push(const Visitor& who, const ObjectRef& object) const override;
  ObjectStore& objects() override { return around_.objects; }

  // For the orchestrator.
  void assign(const NodeName& node, const Task& task);
  void withdraw(const NodeName& node);
  // The process of that name has ended: another may come in its place, and is waited for as long as
  // for one that is silent.
  void let_another_come(const NodeName& node);
  // No other will come.
  void lose(const NodeName& node);
  // How much of its task that node has done, as it says: 0 to 1.
  double done_by(const NodeName& node) const;
  // Everybody is told so from now on.
  void dismiss(const std::string& reason);
  // Answers those who have waited long enough, and posts who is silent or lost.
  void look_around();
  // When it is worth looking around again, on the clock; far away if never.
  Seconds next_look() const;
  // Whether all who are here have been told that they are not needed any more.
  bool has_dismissed_all() const;

 private:
  using AnswerPull = std::function<void(Pulled)>;
  struct Guest {
    std::string incarnation;
    Seconds heard{};
    Presence presence = Presence::Lost;
    AnswerPull waiting{};
    Seconds waits_until{};
    bool was_dismissed = false;
    std::optional<AtWork> at{};  // as it said last
  };

  // Throws Error{NotAllowed} for whoever has not enrolled. REQUIRES: mutex_ is held.
  Guest& guest(const Visitor& who);
  const Task* task_of(const Visitor& who) const;
  void hear(const NodeName& name, Guest& guest);

  const Surroundings around_;
  const DeskOptions options_;

  mutable std::mutex mutex_;
  Roster roster_;
  std::map<NodeName, Guest> guests_;
  std::map<NodeName, Task> tasks_;
  std::optional<std::string> dismissal_;
};

}  // namespace espalier
