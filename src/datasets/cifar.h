// SPDX-License-Identifier: Apache-2.0
// The binary layout of CIFAR-10 and CIFAR-100: records of label bytes and 3×32×32 pixels, with
// nothing before, between or after them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "datasets/dataset.h"
#include "datasets/file_bytes.h"

namespace espalier {

constexpr std::size_t kCifarPixels = 3 * 32 * 32;

enum class CifarKind {
  Cifar10,         // one label byte
  Cifar100,        // two: the coarse label, then the fine one, which counts
  Cifar100Coarse,  // the same files; the coarse label counts
};

// One file. Throws Error{BadInput} naming `file` unless it is a whole number of records with labels
// in range.
Images parse_cifar(ByteView bytes, CifarKind kind, std::string_view file);

// data_batch_1.bin … data_batch_5.bin and test_batch.bin; batches.meta.txt may name the classes.
Dataset read_cifar10(const std::filesystem::path& folder);

// train.bin and test.bin; fine_label_names.txt or coarse_label_names.txt may name the classes.
// REQUIRES: one of the two kinds of CIFAR-100.
Dataset read_cifar100(const std::filesystem::path& folder, CifarKind kind = CifarKind::Cifar100);

}  // namespace espalier
