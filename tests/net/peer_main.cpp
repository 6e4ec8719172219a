// SPDX-License-Identifier: Apache-2.0
// One end of the network as a process of its own, to be killed, frozen or put into a network
// namespace by tests.
//   serve ADDRESS CERTIFICATES OBJECTS         says its address, serves until its input ends
//   push ADDRESS FILES PATIENCE_MS FILE        says "safe", or why not
//   fetch ADDRESS FILES PATIENCE_MS SHA256 SIZE FILE
#include <iostream>
#include <string>
#include <vector>

#include "certificates/credentials.h"
#include "fakes/desk.h"
#include "net/grpc_link.h"
#include "net/server.h"
#include "objects/file_object_store.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using Words = std::vector<std::string>;

int serve(const Words& words) {
  FileObjectStore store(words.at(3));
  FakeDesk desk(store);
  Server server(desk, {.address = words.at(1), .certificates = words.at(2)});
  std::cout << server.address() << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  return 0;
}

GrpcLink& enrolled(GrpcLink& link) {
  Hello hello;
  hello.incarnation = "peer";
  link.enrol(hello, {});
  return link;
}

int transfer(const Words& words) {
  GrpcLink link({.address = words.at(1),
                 .credentials = load_credentials(words.at(2)),
                 .patience = std::chrono::milliseconds(std::stoi(words.at(3)))});
  if (words.at(0) == "push") {
    enrolled(link).push(object_in(words.at(4)), words.at(4), {});
  } else {
    enrolled(link).fetch({words.at(4), std::stoull(words.at(5))}, words.at(6), {});
  }
  std::cout << "safe" << std::endl;
  return 0;
}

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
  const espalier::Words words(argv + 1, argv + argc);
  try {
    return words.at(0) == "serve" ? espalier::serve(words) : espalier::transfer(words);
  } catch (const espalier::Error& error) {
    std::cout << error.what() << std::endl;
    return static_cast<int>(error.code());
  }
}
