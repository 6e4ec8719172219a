// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/byte_source.h"
#include "io/durable_file.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyAtOnce = std::size_t{1} << 20U;
constexpr int kKept = 2;
constexpr std::string_view kBegin = "epoch-";
constexpr std::string_view kEnd = ".safetensors";

// The epochs of "epoch-0007.safetensors"; −1 for other names.
int epochs_of(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return -1;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(kEnd.size());
  int epochs = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), epochs);
  return error == std::errc{} && end == name.data() + name.size() ? epochs : -1;
}

bool is_in(const fs::path& path, const ObjectRef& network) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown) || fs::file_size(path, unknown) != network.size)
    return false;
  return object_in(path) == network;
}

}  // namespace

fs::path Checkpoints::file(int epochs) const {
  return folder_ / fmt::format("{}{:04}{}", kBegin, epochs, kEnd);
}

void Checkpoints::copy(const ObjectStore& store, const ObjectRef& network,
                       const fs::path& to) const {
  DurableFile file(to);
  Digest digest;
  for (std::uint64_t offset = 0; offset < network.size;) {
    const std::string piece = store.read(network, offset, kCopyAtOnce);
    if (piece.empty()) throw Error(ErrorCode::RunFailed, "an object of the run ends too early");
    file.write(piece);
    digest.add(piece);
    offset += piece.size();
    if (hook_) hook_();
  }
  if (digest.finish() != network.sha256)
    throw Error(ErrorCode::RunFailed, "an object of the run is damaged");
  file.commit();
  if (hook_) hook_();
}

void Checkpoints::keep(const ObjectStore& store, int epochs, const ObjectRef& network,
                       bool is_best) {
  if (!has(epochs, network)) copy(store, network, file(epochs));
  if (is_best && !is_in(best(), network)) copy(store, network, best());
  drop_older(epochs);
}

void Checkpoints::drop_older(int epochs) const {
  std::error_code failure;
  std::vector<fs::path> old;
  for (fs::directory_iterator i(folder_, failure), end; !failure && i != end;
       i.increment(failure)) {
    const std::string name = i->path().filename().string();
    const int made = epochs_of(name);
    // Half written ones are those of processes that were killed.
    if ((made >= 0 && made <= epochs - kKept) || name.ends_with(".tmp")) old.push_back(i->path());
  }
  for (const fs::path& path : old) fs::remove(path, failure);
}

bool Checkpoints::has(int epochs, const ObjectRef& network) const {
  return is_in(file(epochs), network);
}

void Checkpoints::restore(ObjectStore& store, int epochs, const ObjectRef& network) const {
  FileSource source(file(epochs));
  std::uint64_t received = store.received(network);
  while (received < network.size) {
    std::string piece(std::min<std::uint64_t>(kCopyAtOnce, network.size - received), '\0');
    source.read(received, piece);
    const std::uint64_t now = store.append(network, received, piece);
    if (now <= received) throw Error(ErrorCode::RunFailed, "a network could not be restored");
    received = now;
  }
}

}  // namespace espalier
