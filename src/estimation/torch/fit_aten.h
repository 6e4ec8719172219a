// SPDX-License-Identifier: Apache-2.0
// What fitting needs of libtorch beyond what training does.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "training/torch/aten.h"
