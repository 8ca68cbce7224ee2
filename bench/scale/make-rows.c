/* Prints a CSV of any length for the measurements of docs/scale.md, faster than a disk takes it.
 *
 *   cc -O2 -o make-rows bench/scale/make-rows.c
 *   ./make-rows ROWS COLUMNS [SEED [FIRST]] > rows.csv
 *
 * Of every five columns two hold whole numbers, two numbers with two decimals, and one a category. The target y is yes
 * where two pairs of conditions hold, with one answer in ten turned around. FIRST: the number of the first row, so that
 * several calls with the same SEED print the parts of one table; each has the line of names. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t
mix (uint64_t x)
{
  x += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static char *
put (char     *at,
     uint32_t  number)
{
  char digits[10];
  int n = 0;

  do
    digits[n++] = (char) ('0' + number % 10);
  while ((number /= 10) > 0);
  while (n > 0)
    *at++ = digits[--n];
  return at;
}

int
main (int    argc,
      char **argv)
{
  static const char * const words[] = { "ash", "birch", "cedar", "elm", "fir", "larch", "oak", "yew" };
  uint64_t n_rows = argc > 1 ? strtoull (argv[1], NULL, 10) : 0;
  unsigned n_columns = argc > 2 ? (unsigned) strtoul (argv[2], NULL, 10) : 0;
  uint64_t seed = argc > 3 ? strtoull (argv[3], NULL, 10) : 1, first = argc > 4 ? strtoull (argv[4], NULL, 10) : 0;
  char *line;

  if (n_rows == 0 || n_columns < 4 || n_columns > 10000 || (line = malloc (n_columns * 12 + 8)) == NULL)
    {
      fputs ("make-rows ROWS COLUMNS [SEED [FIRST]]: at least 4 columns\n", stderr);
      return 2;
    }
  for (unsigned c = 0; c < n_columns; c++)
    printf ("c%u,", c);
  puts ("y");
  for (uint64_t row = first; row < first + n_rows; row++)
    {
      char *at = line;
      uint32_t cells[4] = { 0, 0, 0, 0 };
      uint64_t noise = mix (seed ^ mix (row));
      int y;

      for (unsigned c = 0; c < n_columns; c++)
        {
          uint64_t r = mix (noise + c);
          uint32_t value = (uint32_t) (r >> 33) % 100000;

          if (c < 4)
            cells[c] = value;
          if (c % 5 == 4)
            for (const char *p = words[(r >> 40) & 7]; *p != '\0'; p++)
              *at++ = *p;
          else if (c % 5 >= 2)
            {
              at = put (at, value / 100);
              *at++ = '.';
              *at++ = (char) ('0' + value / 10 % 10);
              *at++ = (char) ('0' + value % 10);
            }
          else
            at = put (at, value);
          *at++ = ',';
        }
      y = (cells[0] >= 50000 && cells[1] < 40000) || (cells[2] >= 70000 && cells[3] >= 60000);
      if ((noise >> 20) % 10 == 0)
        y = !y;
      *at++ = y ? '1' : '0';
      *at++ = '\n';
      if (fwrite (line, 1, (size_t) (at - line), stdout) != (size_t) (at - line))
        return 1;
    }
  free (line);
  return fflush (stdout) == 0 ? 0 : 1;
}
