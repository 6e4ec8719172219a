// SPDX-License-Identifier: Apache-2.0
// A site for tests of node agents: a real server with certificates, and agents as processes.
#pragma once

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "certificates/certificate_folder.h"
#include "io/model_file.h"
#include "net/server.h"
#include "networks/network_catalogue.h"
#include "node/agent_process.h"
#include "node/patient_desk.h"
#include "objects/file_object_store.h"
#include "support/temporary_folder.h"
#include "support/text.h"
#include "training/fresh_weights.h"
#include "wire/digest.h"

namespace espalier {

inline constexpr const char* kImagesForNodes = "synthetic:4x60";

template <class Claim>
bool comes_true(const Claim& claim, std::chrono::seconds patience = std::chrono::seconds(60)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!claim()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

class NodeSite : public testing::Test {
 protected:
  NodeSite()
      : certificates_(CertificateFolder::create(
            folder_ / "certificates",
            valid_for(std::chrono::days(1), std::chrono::system_clock::now()))),
        store_(folder_ / "objects"),
        desk_(store_) {
    open("127.0.0.1:0");
    address_ = server_->address();
  }

  void open(const std::string& address) {
    ServerOptions options;
    options.address = address;
    options.certificates = certificates_.path();
    server_ = std::make_unique<Server>(desk_, options);
  }
  void close() { server_.reset(); }

  std::filesystem::path certificate_of(const std::string& name) {
    const auto files = certificates_.node_files(name);
    if (!std::filesystem::exists(files))
      certificates_.issue(name, valid_for(std::chrono::days(1), std::chrono::system_clock::now()));
    return files;
  }

  // Options in `more`, each with its value, replace the usual ones.
  std::vector<std::string> words_for(const std::string& name,
                                     const std::vector<std::string>& more = {}) {
    std::map<std::string, std::string> options{{"--orchestrator", address_},
                                               {"--data", kImagesForNodes},
                                               {"--certificates", certificate_of(name).string()},
                                               {"--work", (folder_ / ("work-" + name)).string()}};
    for (std::size_t i = 0; i + 1 < more.size(); i += 2) options[more[i]] = more[i + 1];
    std::vector<std::string> words{ESPALIER_TRAINER, "node"};
    for (const auto& [option, value] : options) words.insert(words.end(), {option, value});
    return words;
  }
  AgentProcess start(const std::string& name, std::vector<std::string> more = {}) {
    return AgentProcess({words_for(name, std::move(more)), log_of(name)});
  }
  std::filesystem::path log_of(const std::string& name) const { return folder_ / (name + ".log"); }
  std::string said_by(const std::string& name) const { return folder_.read(name + ".log"); }

  static int exit_code_of(AgentProcess& process) {
    std::optional<ProcessFate> fate;
    EXPECT_TRUE(comes_true([&] { return (fate = process.fate()).has_value(); }));
    return fate ? fate->exit_code : -1;
  }

  static Network network() {
    return fresh_network(build_network("vgg11", {0.05, 4, {3, 32, 32}}), 1);
  }
  ObjectRef put(const std::string& bytes) {
    const ObjectRef object = object_of(bytes);
    store_.append(object, 0, bytes);
    return object;
  }
  Task task(int epoch, TrainWork work = {}) {
    Task task;
    task.id = {"run", epoch, 1, 0};
    task.network = put(model_bytes(network()));
    task.learning.learning_rate = 0.01;
    task.learning.batch = 16;
    task.work = work;
    task.update_limit = std::uint64_t{1} << 30U;
    return task;
  }
  // One that takes minutes.
  Task long_task(int epoch) { return task(epoch, {.local_epochs = 1'000}); }

  bool is_at(const std::string& node, const Task& task) const {
    return desk_.task_of(node) == task.id;
  }
  // The result of that task, once it is here.
  std::optional<TaskResult> result_of(const Task& task) const {
    std::optional<TaskResult> found;
    comes_true([&] {
      for (const TaskResult& result : desk_.results()) {
        if (result.task == task.id) found = result;
      }
      return found.has_value();
    });
    return found;
  }
  Network update_of(const TaskResult& result) {
    return model_from_bytes(store_.read(*result.update, 0, result.update->size), "update");
  }

  const TemporaryFolder folder_;
  CertificateFolder certificates_;
  FileObjectStore store_;
  PatientDesk desk_;
  std::unique_ptr<Server> server_;
  std::string address_;
};

}  // namespace espalier
