/* The order in which an epoch takes its rows, without a list: row number @i of the order is a function of the seed, the
 * epoch, and i alone. CPU and GPU make the same bits of it, a resumed training needs nothing kept, and any part of an
 * order can be had without the rest.
 *
 * Formula  a Feistel network of 8 rounds on the smallest even number of bits that holds n numbers; a result that is n or
 *          more goes in again, until it is below n. Both are permutations, so all of it is one.
 * Cost     at most four times through on average: some 100 operations on 32-bit words a row, and no memory
 *
 * No GLib here: the GPU's module includes this file. */
#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define MT_ORDER_INLINE __host__ __device__ __forceinline__
#else
#define MT_ORDER_INLINE static inline
#endif

#define MT_ORDER_ROUNDS 8

typedef struct {
  uint32_t n;                       /* rows */
  uint32_t half_bits;               /* of the two halves */
  uint32_t keys[MT_ORDER_ROUNDS];
} MtOrder;

/* splitmix64's step. */
MT_ORDER_INLINE uint64_t
mt_order_mix (uint64_t x)
{
  x += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

MT_ORDER_INLINE MtOrder
mt_order_of (uint64_t seed, uint32_t epoch, uint32_t n)
{
  MtOrder order = { n, 1, { 0 } };
  uint64_t state = mt_order_mix (seed) ^ mt_order_mix (~(uint64_t) epoch);

  while (order.half_bits < 16 && (UINT64_C (1) << (2 * order.half_bits)) < n)
    order.half_bits++;
  for (uint32_t round = 0; round < MT_ORDER_ROUNDS; round += 2)
    {
      state = mt_order_mix (state);
      order.keys[round] = (uint32_t) state;
      order.keys[round + 1] = (uint32_t) (state >> 32);
    }
  return order;
}

/* Where the @i-th row of the order is; i < n. */
MT_ORDER_INLINE uint32_t
mt_order_at (const MtOrder *order, uint32_t i)
{
  uint32_t mask = (UINT32_C (1) << order->half_bits) - 1;

  if (order->n < 2)
    return 0;
  do
    {
      uint32_t left = i >> order->half_bits, right = i & mask;

      for (uint32_t round = 0; round < MT_ORDER_ROUNDS; round++)
        {
          uint32_t x = (right ^ order->keys[round]) * UINT32_C (0x85ebca6b), next;

          x = (x ^ (x >> 15)) * UINT32_C (0xc2b2ae35);
          next = left ^ ((x ^ (x >> 13)) & mask);
          left = right;
          right = next;
        }
      i = left << order->half_bits | right;
    }
  while (i >= order->n);
  return i;
}
