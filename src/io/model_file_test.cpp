// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <cstring>
#include <fstream>
#include <limits>
#include <sys/stat.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "support/networks/random_network.h"

namespace espalier {
namespace {

using nlohmann::json;

// image 1×2×2 → flatten → classifier of 2: weight [2, 4] and bias [2], with momentum.
Network tiny() {
  NetworkBuilder net("tiny", {1, 2, 2});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 2});
  return support::random_network(std::move(net).build(), 1);
}

struct File {
  json header;
  std::string data;
};

File taken_apart(const std::string& bytes) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  return {json::parse(bytes.substr(8, length)), bytes.substr(8 + length)};
}

std::string put_together(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string model_fault(const std::string& bytes) {
  try {
    model_from_bytes(bytes, "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

// The model_fault once `change` has been at the parts of the tiny model.
template <class Change>
std::string fault_with(const Change& change) {
  File file = taken_apart(model_bytes(tiny()));
  change(file);
  return model_fault(put_together(file.header.dump(), file.data));
}

class ModelFile : public testing::Test {
 protected:
  ModelFile() { std::filesystem::create_directory(folder_); }
  ~ModelFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("espalier-model-file-test-" + std::to_string(::getpid()));
};

TEST_F(ModelFile, SurvivesTheRoundTripInMemory) {
  for (const CatalogueNetwork& catalogued : all_networks()) {
    const Network network = support::random_network(catalogued.build({.width = 0.1}), 5);
    EXPECT_EQ(model_from_bytes(model_bytes(network), "m"), network) << catalogued.name;
  }
}

TEST_F(ModelFile, SurvivesTheRoundTripOnDisk) {
  const Network network = support::random_network(build_network("resnet18", {.width = 0.1}), 5);
  save_model(network, path("a.safetensors"));
  EXPECT_EQ(load_model(path("a.safetensors")), network);
}

TEST_F(ModelFile, KeepsValuesThatAreNoNumbers) {
  Network network = tiny();
  network.weights["classifier.bias"].values = {std::numeric_limits<float>::quiet_NaN(), -0.0F};
  const std::string bytes = model_bytes(network);
  EXPECT_EQ(model_bytes(model_from_bytes(bytes, "m")), bytes);
}

TEST_F(ModelFile, MomentumMayBeAbsent) {
  Network network = tiny();
  network.momentum.clear();
  EXPECT_EQ(model_from_bytes(model_bytes(network), "m"), network);
}

TEST_F(ModelFile, HasTheSafetensorsLayout) {
  const Network network = tiny();
  const std::string bytes = model_bytes(network);
  const auto [header, data] = taken_apart(bytes);
  EXPECT_EQ((bytes.size() - data.size()) % 8, 0U);
  EXPECT_EQ(header["classifier.bias"],
            json::parse(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"));
  EXPECT_EQ(header["classifier.weight"],
            json::parse(R"({"dtype":"F32","shape":[2,4],"data_offsets":[8,40]})"));
  EXPECT_EQ(header["momentum/classifier.bias"]["data_offsets"], json::parse("[40,48]"));
  EXPECT_EQ(data.size(), 80U);
  for (const auto& [key, value] : header["__metadata__"].items()) EXPECT_TRUE(value.is_string());
  float first = 0;
  std::memcpy(&first, data.data() + 8, 4);
  EXPECT_EQ(first, network.weights.at("classifier.weight").values[0]);
}

TEST_F(ModelFile, EveryTruncationIsNoticed) {
  const std::string bytes = model_bytes(tiny());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(model_fault(bytes.substr(0, size)), "") << size;
  }
  EXPECT_EQ(model_fault(bytes + "x"), "m: the tensors need 80 bytes, but there are 81");
}

// Whatever bit flips: either an error, or it was in the padding and nothing changed.
TEST_F(ModelFile, EveryFlippedBitIsNoticed) {
  const Network network = tiny();
  const std::string sound = model_bytes(network);
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string bytes = sound;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    try {
      EXPECT_EQ(model_from_bytes(bytes, "m"), network) << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput) << bit;
    }
  }
}

TEST_F(ModelFile, AFlippedBitInTheWeightsIsADamagedFile) {
  std::string bytes = model_bytes(tiny());
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_EQ(model_fault(bytes), "m: damaged: its checksum is wrong");
}

TEST_F(ModelFile, HugeSizesAreRefusedBeforeAnythingIsAllocated) {
  std::string bytes = model_bytes(tiny());
  bytes.replace(0, 8, 8, '\xff');
  EXPECT_EQ(model_fault(bytes), "m: not a model: a header of 18446744073709551615 bytes");
  EXPECT_EQ(fault_with([](File& file) {
              file.header["classifier.weight"]["shape"] = {int64_t{1} << 40, int64_t{1} << 40};
            }),
            "m: classifier.weight.shape is too large");
  EXPECT_EQ(fault_with([](File& file) {
              file.header["classifier.weight"] = {{"dtype", "F32"},
                                                  {"shape", {int64_t{1} << 40}},
                                                  {"data_offsets", {8, 8 + (int64_t{1} << 42)}}};
            }),
            "m: momentum/classifier.bias begins at byte 40 instead of 4398046511112");
}

TEST_F(ModelFile, HolesOverlapsAndDisorderAreRefused) {
  const auto with_offsets = [](int64_t begin, int64_t end) {
    return fault_with([=](File& file) {
      file.header["classifier.weight"]["data_offsets"] = {begin, end};
    });
  };
  EXPECT_EQ(with_offsets(4, 36), "m: classifier.weight begins at byte 4 instead of 8");
  EXPECT_EQ(with_offsets(12, 44), "m: classifier.weight begins at byte 12 instead of 8");
  EXPECT_EQ(with_offsets(8, 44), "m: classifier.weight.data_offsets does not fit the shape");
  EXPECT_EQ(with_offsets(40, 8), "m: classifier.weight.data_offsets is not [begin, end]");
  EXPECT_EQ(with_offsets(-8, 24), "m: classifier.weight.data_offsets[0] is negative");
}

TEST_F(ModelFile, HeadersAreReadStrictly) {
  EXPECT_EQ(fault_with([](File& file) { file.header["classifier.bias"]["dtype"] = "F16"; }),
            "m: classifier.bias.dtype is not F32");
  EXPECT_EQ(fault_with([](File& file) { file.header["classifier.bias"]["x"] = 1; }),
            "m: classifier.bias has an unknown key 'x'");
  EXPECT_EQ(fault_with([](File& file) { file.header.erase("__metadata__"); }),
            "m: has no '__metadata__'");
  EXPECT_EQ(fault_with([](File& file) { file.header["__metadata__"]["format"] = "pt"; }),
            "m: __metadata__.format is not 'espalier-network-1'");
  EXPECT_EQ(fault_with([](File& file) { file.header["__metadata__"].erase("crc32"); }),
            "m: __metadata__ has no 'crc32'");
  EXPECT_EQ(fault_with([](File& file) { file.header["__metadata__"]["crc32"] = "12345"; }),
            "m: __metadata__.crc32 is not eight hexadecimal digits");
  File file = taken_apart(model_bytes(tiny()));
  std::string twice = file.header.dump();
  twice.insert(1, R"("classifier.bias":{},)");
  EXPECT_EQ(model_fault(put_together(twice, file.data)),
            "m: the key 'classifier.bias' appears twice");
}

TEST_F(ModelFile, OtherProgramsMayAddMetadata) {
  EXPECT_EQ(fault_with([](File& file) { file.header["__metadata__"]["author"] = "me"; }), "");
}

// A file with the weights of `network`, said to be of `architecture`.
std::string fault_of_mixture(Network network, const Network& other) {
  File file = taken_apart(model_bytes(network));
  const File stranger = taken_apart(model_bytes(other));
  file.header["__metadata__"]["architecture"] = stranger.header["__metadata__"]["architecture"];
  return model_fault(put_together(file.header.dump(), file.data));
}

TEST_F(ModelFile, WeightsOfAnotherNetworkAreRefused) {
  NetworkBuilder net("tiny", {1, 2, 2});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 1});
  const Network smaller = support::random_network(std::move(net).build(), 1);
  EXPECT_EQ(fault_of_mixture(tiny(), smaller), "m: 80 bytes of tensors, more than the network has");
  EXPECT_EQ(fault_of_mixture(smaller, tiny()), "m: damaged: its checksum is wrong");
}

TEST_F(ModelFile, NetworksThatAreNotSoundAreNotWritten) {
  Network network = tiny();
  network.weights["classifier.bias"].values.push_back(1);
  EXPECT_THROW(model_bytes(network), Error);
  EXPECT_THROW(save_model(network, path("b")), Error);
  EXPECT_TRUE(std::filesystem::is_empty(path("")));
}

TEST_F(ModelFile, SavingReplacesTheOldFileAndLeavesNothingElse) {
  Network network = tiny();
  save_model(network, path("a"));
  network.weights["classifier.bias"].values[0] += 1;
  save_model(network, path("a"));
  EXPECT_EQ(load_model(path("a")), network);
  const std::filesystem::directory_iterator files(path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(ModelFile, WhatCannotBeWrittenIsAFailedRun) {
  try {
    save_model(tiny(), path("no/such/folder"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(std::string(error.what()).find("cannot write: No such file"), std::string::npos);
  }
  std::filesystem::create_directory(path("folder"));
  EXPECT_THROW(save_model(tiny(), path("folder")), Error);
  const std::filesystem::directory_iterator files(path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

std::string load_fault(const std::filesystem::path& path) {
  try {
    load_model(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST_F(ModelFile, WhatIsNoFileIsRefused) {
  EXPECT_EQ(load_fault(path("none")), path("none").string() + ": no such file");
  EXPECT_EQ(load_fault(path("")), path("").string() + ": not a regular file");
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(load_fault(path("fifo")), path("fifo").string() + ": not a regular file");
  std::ofstream(path("empty")).close();
  EXPECT_EQ(load_fault(path("empty")), path("empty").string() + ": too short for a model");
}

TEST_F(ModelFile, AHugeSparseFileCostsNoMemory) {
  std::ofstream(path("sparse")) << model_bytes(tiny());
  std::filesystem::resize_file(path("sparse"), uintmax_t{1} << 40);
  EXPECT_NE(load_fault(path("sparse")).find("the tensors need 80 bytes"), std::string::npos);
}

}  // namespace
}  // namespace espalier
