/* What PTX instructions do, for the kernels that translate-ptx.py makes of nvcc's output.
 *
 * Registers hold bits; a function takes its operands as words of its type's size and gives one. Where the manual leaves a
 * result open (a division by zero, say), all bits are set. Subnormal numbers become zeros where .ftz says so.
 *   rounding   to nearest is the CPU's own; downward and towards zero are found from the exact error
 *   approx     ex2 and rcp of a device are off by some units of the last place: here they are right, or off as
 *              mt_host_set_inexact() asks for
 *   accesses   each is looked at first (MT_GPU_HOST_CHECKED), and now and then another thread takes its turn
 * Not covered: what ptxas makes of PTX, and the order in which the hardware's memory shows writes. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "host/mt-gpu-host-translated.h"

namespace ptx {

/* --- types: how the bits are to be understood --- */

template <typename Value, typename Word> struct Type {
  typedef Value value;
  typedef Word  word;
};

struct u8 : Type<uint8_t, uint8_t> {};
struct s8 : Type<int8_t, uint8_t> {};
struct b8 : Type<uint8_t, uint8_t> {};
struct u16 : Type<uint16_t, uint16_t> {};
struct s16 : Type<int16_t, uint16_t> {};
struct b16 : Type<uint16_t, uint16_t> {};
struct u32 : Type<uint32_t, uint32_t> {};
struct s32 : Type<int32_t, uint32_t> {};
struct b32 : Type<uint32_t, uint32_t> {};
struct f32 : Type<float, uint32_t> {};
struct u64 : Type<uint64_t, uint64_t> {};
struct s64 : Type<int64_t, uint64_t> {};
struct b64 : Type<uint64_t, uint64_t> {};
struct f64 : Type<double, uint64_t> {};
struct pred : Type<bool, bool> {};

template <typename T> using word = typename T::word;
template <typename T> using value = typename T::value;

enum : unsigned {
  rn = 1, rz = 2, rm = 4, rp = 8, rni = 16, rzi = 32, rmi = 64, rpi = 128, ftz = 256, sat = 512, approx = 1024,
};

template <typename T> constexpr bool is_float = std::is_floating_point_v<value<T>>;
template <typename T> constexpr unsigned n_bits = 8 * sizeof (word<T>);

template <typename To, typename From> static inline To
same_bits (From from)
{
  To to;

  static_assert (sizeof to == sizeof from, "the same bits");
  memcpy (&to, &from, sizeof to);
  return to;
}

template <typename T> static inline value<T>
read (word<T> bits)
{
  return same_bits<value<T>> (bits);
}

template <typename T> static inline word<T>
bits_of (value<T> it)
{
  return same_bits<word<T>> (it);
}

static inline float
flushed (float x)
{
  return fabsf (x) < 0x1p-126f ? copysignf (0.0f, x) : x;
}

/* An operand of a floating-point instruction, and its result. */
template <typename T, unsigned modes> static inline value<T>
take (word<T> bits)
{
  if constexpr (std::is_same_v<T, f32> && (modes & ftz) != 0)
    return flushed (read<T> (bits));
  else
    return read<T> (bits);
}

template <typename T, unsigned modes> static inline word<T>
give (value<T> result)
{
  if constexpr ((modes & sat) != 0)
    result = result > 0 ? result < 1 ? result : 1 : 0;       /* NaN is 0, too */
  if constexpr (std::is_same_v<T, f32> && (modes & ftz) != 0)
    result = flushed (result);
  return bits_of<T> (result);
}

/* As a register that is wider than the type takes it: signed types with their sign. */
template <typename T> static inline auto
widened (word<T> bits)
{
  if constexpr (std::is_signed_v<value<T>> && !is_float<T>)
    return (int64_t) read<T> (bits);
  else
    return bits;
}

/* --- where a thread is --- */

static inline const uint3 &tid () { return mt_host_thread; }
static inline const uint3 &ctaid () { return mt_host_block; }
static inline const dim3 &ntid () { return mt_host_block_dim; }
static inline const dim3 &nctaid () { return mt_host_grid_dim; }

/* --- memory --- */

enum Space { in_generic, in_global, in_shared };

static inline uint64_t
from_shared (char *shared, uint64_t at)
{
  return (uint64_t) (uintptr_t) shared + at;
}

template <Space space> static inline char *
place (char *shared, uint64_t address, unsigned n, unsigned used, bool writes)
{
  char *at = space == in_shared ? shared + (uint32_t) address : (char *) (uintptr_t) address;

  mt_host_touch (at, n, used, writes);
  return at;
}

template <typename T> static inline auto
get (const char *at, unsigned index)
{
  word<T> bits;

  memcpy (&bits, at + index * sizeof bits, sizeof bits);
  return widened<T> (bits);
}

template <typename T> static inline void
put (char *at, unsigned index, word<T> bits)
{
  memcpy (at + index * sizeof bits, &bits, sizeof bits);
}

/* --- arithmetic --- */

/* @nearest is the sum @high + @low, exact, rounded to nearest; this rounds downward or towards zero. */
static inline float
redirected (float nearest, double high, double low, bool downward)
{
  bool above = (double) nearest > high || ((double) nearest == high && low < 0.0);
  bool below = (double) nearest < high || ((double) nearest == high && low > 0.0);

  if (!isfinite (nearest) || !isfinite (high))
    return nearest;
  if (downward)
    return above ? nextafterf (nearest, -INFINITY) : nearest;
  if (nearest > 0.0f ? above : nearest < 0.0f && below)
    return nextafterf (nearest, 0.0f);
  return nearest;
}

/* @a × @b + @c: a product of two floats is exact in double, and so is the error of a sum of doubles. */
template <unsigned modes> static inline float
fused (float a, float b, float c)
{
  float nearest = __builtin_fmaf (a, b, c);

  if constexpr ((modes & (rm | rz)) == 0)
    return nearest;

  double product = (double) a * (double) b, high = product + (double) c, part = high - product;
  double low = (product - (high - part)) + ((double) c - part);

  return redirected (nearest, high, low, (modes & rm) != 0);
}

template <typename T, unsigned modes> static inline word<T>
add_ (word<T> a, word<T> b)
{
  static_assert ((modes & rp) == 0, "not needed");
  if constexpr (!is_float<T>)
    return (word<T>) (a + b);
  else if constexpr ((modes & (rm | rz)) != 0)
    return give<T, modes> (fused<modes> (take<T, modes> (a), 1.0f, take<T, modes> (b)));
  else
    return give<T, modes> (take<T, modes> (a) + take<T, modes> (b));
}

template <typename T, unsigned modes> static inline word<T>
sub_ (word<T> a, word<T> b)
{
  static_assert ((modes & (rm | rz | rp)) == 0, "not needed");
  if constexpr (!is_float<T>)
    return (word<T>) (a - b);
  else
    return give<T, modes> (take<T, modes> (a) - take<T, modes> (b));
}

template <typename T, unsigned modes> static inline word<T>
mul_ (word<T> a, word<T> b)
{
  static_assert (is_float<T> && (modes & (rm | rz | rp)) == 0, "not needed");
  return give<T, modes> (take<T, modes> (a) * take<T, modes> (b));
}

template <typename T, unsigned modes> static inline word<T>
mul_lo_ (word<T> a, word<T> b)
{
  return (word<T>) ((uint64_t) a * (uint64_t) b);
}

template <typename T, unsigned modes> static inline word<T>
mul_hi_ (word<T> a, word<T> b)
{
  typedef std::conditional_t<std::is_signed_v<value<T>>, __int128, unsigned __int128> Product;

  return (word<T>) ((Product) read<T> (a) * (Product) read<T> (b) >> n_bits<T>);
}

template <typename T, unsigned modes> static inline uint64_t
mul_wide_ (word<T> a, word<T> b)
{
  static_assert (sizeof (word<T>) <= 4, "wider than a register");
  if constexpr (std::is_signed_v<value<T>>)
    return (uint64_t) ((int64_t) read<T> (a) * (int64_t) read<T> (b));
  else
    return (uint64_t) a * (uint64_t) b;
}

template <typename T, unsigned modes> static inline word<T>
mad_lo_ (word<T> a, word<T> b, word<T> c)
{
  return (word<T>) ((uint64_t) a * (uint64_t) b + c);
}

/* Each nibble of the selector takes a byte of b and a, or, with its highest bit, eight times that byte's sign. */
template <typename T, unsigned modes> static inline uint32_t
prmt_ (uint32_t a, uint32_t b, uint32_t selector)
{
  uint64_t from = (uint64_t) b << 32 | a;
  uint32_t to = 0;

  for (unsigned i = 0; i < 4; i++)
    {
      uint32_t nibble = selector >> 4 * i & 15u, byte = (uint32_t) (from >> 8 * (nibble & 7u)) & 255u;

      to |= (nibble & 8u ? (byte & 128u ? 255u : 0u) : byte) << 8 * i;
    }
  return to;
}

/* Four products of bytes, signed or not by their words' types, added to c. */
template <typename A, typename B> static inline uint32_t
dp4a (uint32_t a, uint32_t b, uint32_t c)
{
  for (unsigned i = 0; i < 32; i += 8)
    {
      int32_t left = std::is_signed_v<value<A>> ? (int8_t) (a >> i) : (int32_t) (uint8_t) (a >> i);
      int32_t right = std::is_signed_v<value<B>> ? (int8_t) (b >> i) : (int32_t) (uint8_t) (b >> i);

      c += (uint32_t) (left * right);
    }
  return c;
}

template <typename T, unsigned modes> static inline uint64_t
mad_wide_ (word<T> a, word<T> b, uint64_t c)
{
  return mul_wide_<T, modes> (a, b) + c;
}

template <typename T, unsigned modes> static inline word<T>
fma_ (word<T> a, word<T> b, word<T> c)
{
  static_assert ((modes & rp) == 0 && (std::is_same_v<T, f32> || (modes & rn) != 0), "not needed");
  if constexpr (std::is_same_v<T, f32>)
    return give<T, modes> (fused<modes> (take<T, modes> (a), take<T, modes> (b), take<T, modes> (c)));
  else
    return bits_of<T> (__builtin_fma (read<T> (a), read<T> (b), read<T> (c)));
}

template <typename T, unsigned modes> static inline word<T>
div_ (word<T> a, word<T> b)
{
  if constexpr (is_float<T>)
    return give<T, modes> (take<T, modes> (a) / take<T, modes> (b));
  else if (b == 0 || (std::is_signed_v<value<T>> && b == (word<T>) -1 && a == (word<T>) ((word<T>) 1 << (n_bits<T> - 1))))
    return (word<T>) -1;
  else
    return bits_of<T> ((value<T>) (read<T> (a) / read<T> (b)));
}

template <typename T, unsigned modes> static inline word<T>
rem_ (word<T> a, word<T> b)
{
  if (b == 0 || (std::is_signed_v<value<T>> && b == (word<T>) -1))
    return b == 0 ? (word<T>) -1 : 0;
  return bits_of<T> ((value<T>) (read<T> (a) % read<T> (b)));
}

template <typename T, unsigned modes> static inline word<T>
neg_ (word<T> a)
{
  if constexpr (is_float<T>)
    return give<T, modes> (-take<T, modes> (a));
  else
    return (word<T>) (0 - a);
}

template <typename T, unsigned modes> static inline word<T>
abs_ (word<T> a)
{
  if constexpr (is_float<T>)
    return give<T, modes> (std::is_same_v<T, f32> ? (value<T>) fabsf ((float) take<T, modes> (a)) : fabs (take<T, modes> (a)));
  else
    return read<T> (a) < 0 ? (word<T>) (0 - a) : a;
}

/* Of a number and NaN, the number; -0 is less than 0. */
template <typename T, unsigned modes> static inline word<T>
lesser (word<T> a, word<T> b, bool greater)
{
  if constexpr (!is_float<T>)
    return (read<T> (a) < read<T> (b)) != greater ? a : b;
  else
    {
      value<T> x = take<T, modes> (a), y = take<T, modes> (b);
      bool first = x != y ? (x < y) != greater : signbit (x) != greater;

      if (x != x || y != y)
        return x == x ? give<T, modes> (x) : y == y ? give<T, modes> (y)
                                                : sizeof (a) == 4 ? (word<T>) 0x7fffffff : (word<T>) 0x7fffffffffffffff;
      return give<T, modes> (first ? x : y);
    }
}

template <typename T, unsigned modes> static inline word<T>
min_ (word<T> a, word<T> b)
{
  return lesser<T, modes> (a, b, false);
}

template <typename T, unsigned modes> static inline word<T>
max_ (word<T> a, word<T> b)
{
  return lesser<T, modes> (a, b, true);
}

template <typename T, unsigned modes> static inline word<T>
rcp_ (word<T> a)
{
  if constexpr ((modes & approx) == 0)
    return give<T, modes> ((value<T>) 1 / take<T, modes> (a));
  else if constexpr (std::is_same_v<T, f32>)
    return give<T, modes> (mt_host_near (1.0f / take<T, modes> (a)));
  else
    return bits_of<T> (1.0 / read<T> (a)) & UINT64_C (0xffffffff00000000);      /* of the device's, the upper half */
}

template <typename T, unsigned modes> static inline word<T>
sqrt_ (word<T> a)
{
  return give<T, modes> ((value<T>) sqrt (take<T, modes> (a)));
}

template <typename T, unsigned modes> static inline word<T>
ex2_ (word<T> a)
{
  static_assert (std::is_same_v<T, f32>, "not needed");
  return give<T, modes> (mt_host_near ((float) exp2 ((double) take<T, modes> (a))));
}

/* --- bits --- */

template <typename T, unsigned modes> static inline word<T>
and_ (word<T> a, word<T> b)
{
  return a & b;
}

template <typename T, unsigned modes> static inline word<T>
or_ (word<T> a, word<T> b)
{
  return a | b;
}

template <typename T, unsigned modes> static inline word<T>
xor_ (word<T> a, word<T> b)
{
  return a ^ b;
}

template <typename T, unsigned modes> static inline word<T>
not_ (word<T> a)
{
  if constexpr (std::is_same_v<T, pred>)
    return !a;
  else
    return (word<T>) ~a;
}

template <typename T, unsigned modes> static inline word<T>
shl_ (word<T> a, uint32_t by)
{
  return by < n_bits<T> ? (word<T>) ((uint64_t) a << by) : 0;
}

template <typename T, unsigned modes> static inline word<T>
shr_ (word<T> a, uint32_t by)
{
  if (by >= n_bits<T>)
    by = n_bits<T> - 1, a = std::is_signed_v<value<T>> ? a : 0;
  return bits_of<T> ((value<T>) (read<T> (a) >> by));
}

/* @a's lowest @n bits in place of those of @b from @first on. */
template <typename T, unsigned modes> static inline word<T>
bfi_ (word<T> a, word<T> b, uint32_t first, uint32_t n)
{
  uint64_t mask;

  first &= 255;
  n &= 255;
  if (first >= n_bits<T>)
    return b;
  mask = (n < 64 ? (UINT64_C (1) << n) - 1 : ~UINT64_C (0)) << first;
  return (word<T>) ((b & ~mask) | ((uint64_t) a << first & mask));
}

template <typename T, unsigned modes> static inline uint32_t
clz_ (word<T> a)
{
  return a == 0 ? n_bits<T> : (uint32_t) __builtin_clzll (a) - (64 - n_bits<T>);
}

template <typename T, unsigned modes> static inline uint32_t
popc_ (word<T> a)
{
  return (uint32_t) __builtin_popcountll (a);
}

/* Where the highest bit is that differs from the sign, or how far it is from the left end. */
template <typename T, unsigned modes> static inline uint32_t
bfind_ (word<T> a)
{
  word<T> it = std::is_signed_v<value<T>> && read<T> (a) < 0 ? (word<T>) ~a : a;

  return it == 0 ? UINT32_MAX : n_bits<T> - 1 - clz_<T, 0> (it);
}

template <typename T, unsigned modes> static inline uint32_t
bfind_shiftamt_ (word<T> a)
{
  uint32_t at = bfind_<T, 0> (a);

  return at == UINT32_MAX ? at : n_bits<T> - 1 - at;
}

template <typename T, unsigned modes> static inline word<T>
brev_ (word<T> a)
{
  word<T> out = 0;

  for (unsigned i = 0; i < n_bits<T>; i++)
    out |= (word<T>) ((a >> i & 1) << (n_bits<T> - 1 - i));
  return out;
}

template <typename T, unsigned modes> static inline word<T>
selp_ (word<T> a, word<T> b, bool first)
{
  return first ? a : b;
}

/* --- comparisons and conversions --- */

enum Comparison {
  is_eq, is_ne, is_lt, is_le, is_gt, is_ge, is_lo, is_ls, is_hi, is_hs,
  is_equ, is_neu, is_ltu, is_leu, is_gtu, is_geu, is_num, is_nan,
};

template <Comparison how, typename T, unsigned modes> static inline bool
setp (word<T> a, word<T> b)
{
  value<T> x = take<T, modes> (a), y = take<T, modes> (b);
  bool apart = x != x || y != y;

  switch (how)
    {
    case is_eq: return x == y;
    case is_ne: return !apart && x != y;
    case is_lt: case is_lo: return x < y;
    case is_le: case is_ls: return x <= y;
    case is_gt: case is_hi: return x > y;
    case is_ge: case is_hs: return x >= y;
    case is_equ: return apart || x == y;
    case is_neu: return apart || x != y;
    case is_ltu: return apart || x < y;
    case is_leu: return apart || x <= y;
    case is_gtu: return apart || x > y;
    case is_geu: return apart || x >= y;
    case is_num: return !apart;
    case is_nan: return apart;
    }
}

template <unsigned modes, typename F> static inline F
to_whole (F x)
{
  return (modes & rzi) != 0 ? trunc (x) : (modes & rmi) != 0 ? floor (x) : (modes & rpi) != 0 ? ceil (x) : nearbyint (x);
}

/* What lies beyond a whole type becomes its nearest end, and NaN 0. */
template <typename To, typename F> static inline value<To>
clamped (F x)
{
  const F least = std::is_signed_v<value<To>> ? -ldexp ((F) 1, n_bits<To> - 1) : 0;
  const F beyond = ldexp ((F) 1, std::is_signed_v<value<To>> ? n_bits<To> - 1 : n_bits<To>);
  const value<To> last = std::is_signed_v<value<To>> ? (value<To>) ((word<To>) -1 >> 1) : (value<To>) -1;

  return x != x ? 0 : x < least ? (value<To>) least : x >= beyond ? last : (value<To>) x;
}

template <typename To, typename From, unsigned modes> static inline auto
cvt (word<From> a)
{
  if constexpr (is_float<From> && is_float<To>)
    {
      value<From> x = take<From, modes> (a);

      static_assert ((modes & (rm | rz | rp)) == 0, "not needed");
      if constexpr ((modes & (rni | rzi | rmi | rpi)) != 0)
        x = to_whole<modes> (x);
      return give<To, modes> ((value<To>) x);
    }
  else if constexpr (is_float<From>)
    return widened<To> (bits_of<To> (clamped<To> (to_whole<modes> (take<From, modes> (a)))));
  else if constexpr (is_float<To>)
    {
      static_assert ((modes & (rm | rz | rp)) == 0, "not needed");
      return give<To, modes> ((value<To>) read<From> (a));
    }
  else
    {
      static_assert ((modes & sat) == 0, "not needed");
      return widened<To> (bits_of<To> ((value<To>) read<From> (a)));
    }
}

/* --- exchanges within a warp --- */

enum Way { up, down, bfly, idx };

template <Way way> static inline uint32_t
shfl (uint32_t value, uint32_t lane_word, uint32_t bounds, uint32_t mask, bool *inside, int line)
{
  uint32_t lane = mt_host_lane (), by = lane_word & 31, segment = bounds >> 8 & 31, last = bounds & 31;
  uint32_t low = lane & segment, high = low | (last & ~segment);
  int64_t from = way == up ? (int64_t) lane - by : way == down ? (int64_t) lane + by
               : way == bfly ? (int64_t) (lane ^ by) : (int64_t) (low | (by & ~segment));

  *inside = way == up ? from >= (int64_t) high : from <= (int64_t) high;
  return (uint32_t) mt_host_exchange (mask, value, *inside ? (unsigned) from : lane, NULL, line);
}

static inline uint32_t
ballot (bool is, uint32_t mask, int line)
{
  return mt_host_ballot (mask, is, line);
}

static inline void
unknown (const char *name, int line)
{
  mt_host_unknown_instruction (name, line);
}

}
