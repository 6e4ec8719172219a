// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/streamed_average.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "core/error.h"
#include "core/parallel.h"
#include "io/model_file.h"
#include "io/scratch_file.h"
#include "orchestrator/stored_object.h"
#include "training/fedavg.h"
#include "wire/digest.h"

namespace espalier {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1}
                                      << 16U;  // of one thread: they stay in its cache
constexpr unsigned kMostThreads = 4;           // more would wait for memory
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20U;

// An update that is read piece by piece, and its share of the mean.
class Part {
 public:
  Part(const ObjectStore& store, const UpdateToCombine& update, double share)
      : source_(store, update.update, "the update of " + update.node.value),
        reader_(source_),
        share_(share) {
    for (const TensorEntry& entry : reader_.entries()) entries_.emplace(entry.name, &entry);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const Architecture& architecture() const { return reader_.architecture(); }
  bool has(const std::string& name) const { return entries_.contains(name); }

  // Its share of the tensor's values, from the one of that number on. `values` is room for them.
  // Thread-safe, as reading from the store is.
  void add_to(std::span<double> sums, const std::string& name, std::uint64_t first,
              std::span<float> values) {
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) return;
    reader_.read(*entry->second, first, values);
    add_share(sums, values, share_);
  }

 private:
  StoredObject source_;
  ModelReader reader_;
  std::map<std::string, const TensorEntry*> entries_;
  double share_;
};

using Parts = std::vector<std::unique_ptr<Part>>;

Parts parts_of(const ObjectStore& store, const std::vector<UpdateToCombine>& updates) {
  double total = 0;
  for (const UpdateToCombine& update : updates) total += update.weight;
  Parts parts;
  for (const UpdateToCombine& update : updates)
    parts.push_back(std::make_unique<Part>(store, update, update.weight / total));
  return parts;
}

// Means of one tensor after the other, some values at a time. Owned by one thread; borrows the
// parts. Each value is added up by one thread, in the order of the parts: however many threads
// there are, the mean is the same.
class Averaging {
 public:
  explicit Averaging(const Parts& parts) : parts_(parts), sums_(worker_count(kMostThreads, 0)) {}

  // Hands them on to `use`.
  template <class Use>
  void average(const TensorEntry& entry, const Use& use) {
    const std::uint64_t count = (entry.end - entry.begin) / sizeof(float);
    for (std::uint64_t first = 0; first < count; first += mean_.size()) {
      mean_.resize(std::min<std::uint64_t>(kValuesAtOnce * sums_.size(), count - first));
      average_some(entry, first);
      use(std::span<const float>(mean_));
    }
  }

 private:
  void average_some(const TensorEntry& entry, std::uint64_t first) {
    const std::size_t pieces = (mean_.size() + kValuesAtOnce - 1) / kValuesAtOnce;
    for_each_index(
        pieces, static_cast<unsigned>(sums_.size()), [&](unsigned worker, std::size_t piece) {
          const std::size_t begin = piece * kValuesAtOnce;
          const std::size_t size = std::min(kValuesAtOnce, mean_.size() - begin);
          average_piece(entry, first + begin, std::span(mean_).subspan(begin, size), sums_[worker]);
        });
  }

  void average_piece(const TensorEntry& entry, std::uint64_t first, std::span<float> mean,
                     std::vector<double>& sums) const {
    sums.assign(mean.size(), 0.0);
    for (const auto& part : parts_) part->add_to(sums, entry.name, first, mean);
    std::ranges::transform(sums, mean.begin(), [](double sum) { return static_cast<float>(sum); });
  }

  const Parts& parts_;
  std::vector<std::vector<double>> sums_;  // of each thread
  std::vector<float> mean_;
};

bool any_has(const Parts& parts, const std::string& name) {
  return std::ranges::any_of(parts, [&](const auto& part) { return part->has(name); });
}

template <class Use>
void read_pieces(ByteSource& source, const Use& use) {
  std::string piece;
  for (std::uint64_t at = 0; at < source.size(); at += piece.size()) {
    piece.resize(std::min<std::uint64_t>(kBytesAtOnce, source.size() - at));
    source.read(at, piece);
    use(std::string_view(piece));
  }
}

ObjectRef put_front_and_rest(ObjectStore& store, const std::string& front, ByteSource& rest) {
  Digest digest;
  digest.add(front);
  read_pieces(rest, [&](std::string_view piece) { digest.add(piece); });
  const ObjectRef object{digest.finish(), front.size() + rest.size()};
  ObjectWriter writer(store, object);
  writer.add(front);
  read_pieces(rest, [&](std::string_view piece) { writer.add(piece); });
  return object;
}

}  // namespace

std::string fault_of_update(const ObjectStore& store, const ObjectRef& update,
                            const Architecture& expected) {
  if (!store.has(update)) return "its update is not there";
  try {
    StoredObject source(store, update, "its update");
    ModelReader reader(source);
    if (reader.architecture() != expected) return "its update is of another architecture";
    std::string fault;
    reader.read_pieces([&](const std::string& name, std::span<const float> values) {
      if (fault.empty() && !all_finite(values))
        fault = "its update has values in " + name + " that are no finite numbers";
    });
    return fault;
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<std::string> faults_of_updates(const ObjectStore& store,
                                           const std::vector<ObjectRef>& updates,
                                           const Architecture& expected) {
  std::vector<std::string> faults(updates.size());
  for_each_index(updates.size(), worker_count(kMostThreads, 0), [&](unsigned, std::size_t i) {
    faults[i] = fault_of_update(store, updates[i], expected);
  });
  return faults;
}

ObjectRef put_average(ObjectStore& store, const std::vector<UpdateToCombine>& updates,
                      const std::filesystem::path& scratch) {
  ESPALIER_CHECK(!updates.empty());
  const Parts parts = parts_of(store, updates);
  TensorFileFront front =
      model_front(parts.front()->architecture(),
                  [&](const std::string& weight) { return any_has(parts, momentum_name(weight)); });
  ScratchFile mean(scratch);
  Averaging averaging(parts);
  for (const TensorEntry& entry : front.entries()) {
    front.begin(entry);
    averaging.average(entry, [&](std::span<const float> values) {
      front.add(values);
      mean.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    });
  }
  return put_front_and_rest(store, front.text(), mean);
}

}  // namespace espalier
