/* Kernels that were translated from nvcc's PTX: which there are, what they cost, and whether they do what g++'s do. */
#define MT_GPU_HOST_TRANSLATED
#include "mt-gpu-host-translated.h"
#include "mt-gpu-host-private.h"

#include <stdio.h>
#include <string.h>

#include <vector>

/* Whole numbers read as floats are smaller than this, unless they are larger than eight million. */
#define LEAST_FLOAT 1e-30
/* Both round, and a sum's order differs by how the compilers arrange it; a kernel's root is found to 4e-7. */
#define RELATIVE_DIFFERENCE 2e-5
#define ABSOLUTE_DIFFERENCE 1e-6

bool mt_host_runs_compiled;

static MtHostTranslated *kernels;

bool
mt_host_enter_translated (MtHostTranslated *translated)
{
  MtHostTranslated **at = &kernels;

  while (*at != NULL && strcmp ((*at)->name, translated->name) != 0)
    at = &(*at)->next;
  translated->next = *at != NULL ? (*at)->next : NULL;
  *at = translated;
  return true;
}

const MtHostTranslated *
mt_host_find_translated (const char *name, unsigned n_parameters, const uint8_t *sizes)
{
  char message[256];

  for (const MtHostTranslated *it = kernels; it != NULL; it = it->next)
    if (strcmp (it->name, name) == 0 && it->run != NULL && it->n_parameters == n_parameters &&
        memcmp (it->sizes, sizes, n_parameters) == 0)
      return it;
  snprintf (message, sizeof message, "there is no %s with %u such parameters in the PTX", name, n_parameters);
  mt_host_fault (message);
  return NULL;
}

void
mt_host_run_translated (const MtHostTranslated *kernel, const uint64_t *parameters)
{
  kernel->run (parameters);
}

void
mt_host_unknown_instruction (const char *name, int line)
{
  char message[256];

  snprintf (message, sizeof message, "%s, line %d of the PTX: %s is not known to the translator",
            mt_host_where.kernel, line, name);
  mt_host_fault (message);
  mt_host_leave ();
}

/* --- costs --- */

int
mt_host_take_costs (const char *kernel, MtHostKernelCosts *costs)
{
  *costs = MtHostKernelCosts {};
  for (const MtHostTranslated *it = kernels; it != NULL; it = it->next)
    if (strcmp (it->name, kernel) == 0)
      {
        costs->n_threads = it->n_blocks > 0 ? it->counts[0] : 0;
        for (unsigned i = 0; i < it->n_blocks; i++)
          {
            costs->n_instructions += it->counts[i] * it->costs[i].n_instructions;
            costs->n_fp64 += it->counts[i] * it->costs[i].n_fp64;
            costs->n_read += it->counts[i] * it->costs[i].n_read;
            costs->n_written += it->counts[i] * it->costs[i].n_written;
            it->counts[i] = 0;
          }
        return 1;
      }
  return 0;
}

const char *
mt_host_get_kernel (unsigned i)
{
  const MtHostTranslated *it = kernels;

  while (it != NULL && i-- > 0)
    it = it->next;
  return it != NULL ? it->name : NULL;
}

/* --- comparing --- */

static bool
is_near (double a, double b, double least)
{
  double larger = fabs (a) > fabs (b) ? fabs (a) : fabs (b);

  if (a == b || (a != a && b != b))
    return true;
  if ((a != 0 && fabs (a) < least) || (b != 0 && fabs (b) < least))
    return false;
  return fabs (a - b) <= RELATIVE_DIFFERENCE * larger + ABSOLUTE_DIFFERENCE;
}

template <typename T> static double
value_at (const char *memory)
{
  T value;

  memcpy (&value, memory, sizeof value);
  return (double) value;
}

/* The float that sorts like the word. */
static double
key_at (const char *memory)
{
  uint32_t key, bits;
  float value;

  memcpy (&key, memory, sizeof key);
  bits = key >> 31 ? key & 0x7fffffffu : ~key;
  memcpy (&value, &bits, sizeof value);
  return (double) value;
}

/* Two floats of which the second is what the first has no digits for. */
static bool
is_pair (const char *memory)
{
  return fabs (value_at<float> (memory + 4)) <= 1e-7 * fabs (value_at<float> (memory));
}

/* Up to eight bytes that differ. Where it is not told what they are, they may be anything that is near. */
static bool
is_alike (const char *a, const char *b, size_t n, char kind)
{
  if (kind == 'f')
    return is_near (value_at<float> (a), value_at<float> (b), 0) &&
           (n < 8 || is_near (value_at<float> (a + 4), value_at<float> (b + 4), 0));
  if (kind == 'k')
    return is_near (key_at (a), key_at (b), 0) && (n < 8 || is_near (key_at (a + 4), key_at (b + 4), 0));
  if (kind == 'i' || n < 8)
    return false;
  if ((kind == '2' || (is_pair (a) && is_pair (b))) &&
      is_near (value_at<float> (a) + (double) value_at<float> (a + 4),
               value_at<float> (b) + (double) value_at<float> (b + 4), kind == '2' ? 0 : LEAST_FLOAT))
    return true;
  if (kind == '2')
    return false;
  if (is_near (value_at<double> (a), value_at<double> (b), kind == 'd' ? 0 : LEAST_FLOAT))
    return true;
  if (kind == 'd')
    return false;
  for (size_t half = 0; half < 8; half += 4)
    if (memcmp (a + half, b + half, 4) != 0 &&
        !is_near (value_at<float> (a + half), value_at<float> (b + half), LEAST_FLOAT))
      return false;
  return true;
}

typedef std::vector<std::vector<char>> Contents;

static Contents
read_parts (const std::vector<MtHostPart> &parts)
{
  Contents all;

  for (const MtHostPart &part : parts)
    all.emplace_back (part.memory, part.memory + part.n);
  return all;
}

static void
write_parts (const std::vector<MtHostPart> &parts, const Contents &from)
{
  for (size_t i = 0; i < parts.size (); i++)
    memcpy ((char *) parts[i].memory, from[i].data (), parts[i].n);
}

static void
complain (const MtHostKernel &kernel, size_t part, size_t at, const char *nvcc, const char *compiled, char kind)
{
  char message[256];

  if (kind == 'f' || kind == 'd')
    snprintf (message, sizeof message, "%s: nvcc's code gives %g, g++'s gives %g at byte %zu of part %zu", kernel.name,
              kind == 'f' ? value_at<float> (nvcc) : value_at<double> (nvcc),
              kind == 'f' ? value_at<float> (compiled) : value_at<double> (compiled), at, part);
  else
    snprintf (message, sizeof message, "%s: nvcc's code and g++'s differ at byte %zu of part %zu", kernel.name, at, part);
  mt_host_fault (message);
}

static void
run_compared (dim3 grid, dim3 block, size_t n_shared, const MtHostKernel &kernel)
{
  const std::vector<MtHostPart> parts = mt_host_get_parts ();
  Contents before = read_parts (parts), compiled;

  mt_host_runs_compiled = true;
  mt_host_run_kernel (grid, block, n_shared, kernel);
  mt_host_runs_compiled = false;
  compiled = read_parts (parts);
  write_parts (parts, before);
  mt_host_run_kernel (grid, block, n_shared, kernel);
  for (size_t i = 0; i < parts.size () && mt_host_get_fault () == NULL; i++)
    for (size_t at = 0; at < parts[i].n && memcmp (parts[i].memory, compiled[i].data (), parts[i].n) != 0; at += 8)
      {
        size_t n = parts[i].n - at < 8 ? parts[i].n - at : 8;
        const char *a = parts[i].memory + at, *b = compiled[i].data () + at;

        if (memcmp (a, b, n) != 0 && !is_alike (a, b, n, parts[i].kind))
          {
            complain (kernel, i, at, a, b, parts[i].kind);
            break;
          }
      }
}

void
mt_host_compare_kernels (int compare)
{
  mt_host_run_instead = compare ? run_compared : NULL;
}
