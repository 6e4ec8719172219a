// SPDX-License-Identifier: Apache-2.0
#include "net/calls.h"

#include <array>
#include <string_view>

#include "messages/codec.h"
#include "net/bytes.h"
#include "net/methods.h"

namespace espalier {
namespace {

class EnrolCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    const Hello hello = decode_hello(to_string(message));
    send_and_end(encode(reception().desk.enrol(visitor(hello.incarnation), hello)));
  }
};

class HeartbeatCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    const Pulse pulse = decode_pulse(to_string(message));
    send_and_end(encode(Nod{reception().desk.heartbeat(visitor(pulse.incarnation), pulse.at)}));
  }
};

// Answers that come later are given only to those who may still be here.
class PullCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    const PullRequest request = decode_pull_request(to_string(message));
    const auto answer = [this, self = shared_from_this()](const Pulled& pulled) {
      guarded([&] {
        reception().door.require_open(caller());
        send_and_end(encode(pulled));
      });
    };
    reception().desk.pull(visitor(request.incarnation), request.wait, answer);
  }
};

class ReportCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    const ResultMessage told = decode_result(to_string(message));
    const auto answer = [this, self = shared_from_this()](Receipt receipt) {
      guarded([&] { send_and_end(encode(receipt)); });
    };
    reception().desk.report(visitor(told.incarnation), told.result, answer);
  }
};

template <class OneCall>
std::shared_ptr<Call> make(const std::shared_ptr<Reception>& reception, const Caller& caller) {
  return std::make_shared<OneCall>(reception, caller);
}

struct Method {
  std::string_view name;
  std::shared_ptr<Call> (*make)(const std::shared_ptr<Reception>& reception, const Caller& caller);
};

constexpr std::array kMethods{
    Method{kEnrolMethod, make<EnrolCall>},
    Method{kHeartbeatMethod, make<HeartbeatCall>},
    Method{kPullMethod, make<PullCall>},
    Method{kReportMethod, make<ReportCall>},
};

}  // namespace

std::shared_ptr<Call> make_call(const std::string& method,
                                const std::shared_ptr<Reception>& reception, const Caller& caller) {
  for (const Method& one : kMethods)
    if (one.name == method) return one.make(reception, caller);
  return nullptr;
}

}  // namespace espalier
