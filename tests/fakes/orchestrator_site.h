// SPDX-License-Identifier: Apache-2.0
// A server with real TLS on loopback, its desk, its objects and its certificates, for tests.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "certificates/certificate_folder.h"
#include "certificates/credentials.h"
#include "fakes/desk.h"
#include "net/grpc_link.h"
#include "net/server.h"
#include "objects/file_object_store.h"
#include "support/temporary_folder.h"

namespace espalier {

inline Validity for_a_day() {
  return valid_for(std::chrono::days(1), std::chrono::system_clock::now());
}

class OrchestratorSite {
 public:
  explicit OrchestratorSite(ServerOptions options = {})
      : certificates(CertificateFolder::create(folder / "certificates", for_a_day())),
        store(folder / "objects"),
        desk(store) {
    options.certificates = certificates.path();
    options.notice = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      notices_.push_back(line);
    };
    server = std::make_unique<Server>(desk, options);
  }

  // Makes its certificate first where there is none.
  Credentials credentials_of(const std::string& name) {
    const auto files = certificates.node_files(name);
    if (!std::filesystem::exists(files)) certificates.issue(name, for_a_day());
    return load_credentials(files);
  }

  LinkOptions link_options(const std::string& name) {
    return {.address = server->address(),
            .credentials = credentials_of(name),
            .patience = std::chrono::milliseconds(10'000)};
  }

  std::vector<std::string> notices() const {
    const std::lock_guard lock(mutex_);
    return notices_;
  }

  const TemporaryFolder folder;
  CertificateFolder certificates;
  FileObjectStore store;
  FakeDesk desk;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notices_;

 public:
  std::unique_ptr<Server> server;  // gone before what it uses
};

}  // namespace espalier
