// A byte string as a program against the aclnn API: objects, phase one and phase two of every
// operator, with right, stale, mixed up and invented handles, views of all kinds and addresses that
// are not there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "fuzz/input.h"

namespace belay::fuzz {

/// What phase one of some operator takes; each uses what it has parameters for.
struct AclnnArguments {
  static constexpr std::size_t kMaxTensors = 4;
  static constexpr std::size_t kMaxArrays = 4;

  std::array<aclTensor*, kMaxTensors> tensors{};
  std::array<aclIntArray*, kMaxArrays> arrays{};
  aclScalar* scalar = nullptr;
  std::int64_t dim = 0;
  std::int64_t mode = 0;
};

/// A tensor that is yet to be made.
struct TensorPlan {
  aclDataType dtype = ACL_FLOAT;
  std::vector<std::int64_t> dims;
  bool holds_indices = false;  // for a dimension of limit
  std::int64_t limit = 0;
};

/// Arguments that fit together, as far as the operator is concerned.
struct CallPlan {
  std::vector<TensorPlan> tensors;
  std::vector<std::vector<std::int64_t>> arrays;
  std::int64_t dim = 0;
  std::int64_t mode = 0;
};

struct AclnnOperator {
  CallPlan (*plan)(Input& input);
  aclnnStatus (*phase_one)(const AclnnArguments& arguments, std::uint64_t* workspace_size,
                           aclOpExecutor** executor);
  aclnnStatus (*phase_two)(void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                           aclrtStream stream);
};

inline constexpr std::size_t kAclnnOperators = 10;
const AclnnOperator& AclnnOperatorAt(std::size_t i);

class AclnnProgram {
 public:
  explicit AclnnProgram(Input& input) : input_(input) {}
  AclnnProgram(const AclnnProgram&) = delete;
  AclnnProgram& operator=(const AclnnProgram&) = delete;

  /// Runs to the end of the input and ends all that was made.
  void Run();

 private:
  static constexpr std::size_t kMaxSteps = 200;
  static constexpr std::size_t kArenaBytes = std::size_t{1} << 16;

  struct Executor {
    aclOpExecutor* handle;
    std::size_t operation;
    std::uint64_t workspace_size;
  };

  void Step();
  void StepTensor();
  void StepGetters();
  void StepValues();
  void StepLists();
  void StepExecutor();
  void StepCall();
  void StepPhaseTwo();

  [[nodiscard]] aclTensor* MakeTensor(const TensorPlan& plan);
  [[nodiscard]] aclIntArray* MakeArray(const std::vector<std::int64_t>& values);
  [[nodiscard]] void* TakeAddress();
  [[nodiscard]] std::int64_t TakeNumber();
  void Spoil(AclnnArguments& arguments);
  void RunPhaseTwo(const Executor& executor);
  void End();

  template <class Object>
  [[nodiscard]] Object* TakeObject(const std::vector<Object*>& objects);
  [[nodiscard]] std::vector<std::uint8_t> ReadArena() const;

  Input& input_;
  std::byte* arena_ = nullptr;
  void* freed_ = nullptr;
  aclrtStream stream_ = nullptr;
  std::vector<aclTensor*> tensors_;
  std::vector<aclIntArray*> arrays_;
  std::vector<aclScalar*> scalars_;
  std::vector<aclTensorList*> lists_;
  std::vector<Executor> executors_;
};

}  // namespace belay::fuzz
