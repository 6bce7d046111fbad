/**
 * @file
 * Types of the collective communication API that other headers name.
 */
#ifndef HCCL_TYPES_H_
#define HCCL_TYPES_H_

/**
 * Handle of a communicator. Belay creates none; the type is here for programs that name it.
 * Source: ATB API, communication parameters.
 */
typedef void* HcclComm;

#endif  // HCCL_TYPES_H_
