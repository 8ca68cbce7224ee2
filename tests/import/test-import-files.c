/* Files as people and programs write them, each made here, with what an import has to make
 * of it: the odd encodings, delimiters, quotes, numbers and dates that no specification
 * foresees. Nothing may pass in silence: what is not read as meant is refused or reported. */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "mt-core.h"

typedef struct {
  const char *name;
  const char *head;       /* the file, or its first lines … */
  const char *line;       /* … and then this one so often: @ is its number from 1, & the same modulo 2 */
  guint       n;
  const char *tail;
  const char *encoding;   /* of the bytes; NULL: UTF-8 */
  guint       rows, columns;
  const char *types;      /* a letter a column: number, category, boolean, date, text; NULL: do not look */
  const char *code;       /* a finding that must be there, or NULL … */
  guint64     line_number;
  const char *words;      /* … and says this; without code: the error says this */
  double      first;      /* the number in the first row of the first column; 0: do not look */
} File;

#define FIVE "age,income,colour,smoker,approved\n"
#define ROW  "@,@.5,c&,s&,&\n"

static const File files[] = {
  /* encodings */
  { "utf16be-bom", "\xef\xbb\xbf" FIVE, ROW, 40, "", "UTF-16BE", 40, 5, "nnbbb" },
  { "utf16le-bom", "\xef\xbb\xbf" FIVE, ROW, 40, "", "UTF-16LE", 40, 5, "nnbbb" },
  { "utf16be-no-bom", FIVE, ROW, 40, "", "UTF-16BE", 40, 5, "nnbbb", "encoding-assumed", 1, "detected as UTF-16BE" },
  { "utf16le-no-bom", FIVE, ROW, 40, "", "UTF-16LE", 40, 5, "nnbbb", "encoding-assumed", 1, "detected as UTF-16LE" },
  { "utf32-bom", "\xef\xbb\xbf" FIVE, ROW, 40, "", "UTF-32LE", 40, 5, "nnbbb" },
  { "utf8-bom-alone", "\xef\xbb\xbf", .words = "The file is empty" },
  { "utf8-bom-twice", "\xef\xbb\xbf\xef\xbb\xbf" FIVE, ROW, 40, "", NULL, 40, 5, "nnbbb" },
  { "utf8-bom-quote", "\xef\xbb\xbf\"a,x\",b\n", "@,&\n", 30, "", NULL, 30, 2, "nb" },
  { "windows-1252", "größe,preis\n", "@,€&\n", 30, "", "WINDOWS-1252", 30, 2, "nb", "encoding-assumed", 1, "0xF6" },
  { "windows-1251", "цвет,y\n", "красный,&\n", 30, "", "WINDOWS-1251", 30, 2, "cb", "encoding-assumed", 1, "WINDOWS-1252" },
  { "gb18030", "颜色,y\n", "红色蓝色,&\n", 30, "", "GB18030", .words = "looks like EUC" },
  { "overlong", "a,b\n1,x\n2,\xc0\xaf\n", .rows = 2, .columns = 2, .code = "encoding-assumed", .line_number = 3, .words = "0xC0" },
  { "surrogate", "a,b\n1,x\n2,\xed\xa0\x80\n", .rows = 2, .columns = 2, .code = "encoding-assumed", .line_number = 3,
    .words = "0xED" },
  { "beyond-unicode", "a,b\n1,x\n2,\xf4\x90\x80\x80\n", .words = "Line 3 (byte 0xF4) is not UTF-8" },
  { "emoji", "a,b\n", "@.5,😀&\n", 30, "", NULL, 30, 2, "nb" },
  { "line-separator", "a,b\n", "x\xe2\x80\xa8&,y\xc2\x85\n", 30, "", NULL, 30, 2, "bc" },

  /* line ends and blank lines */
  { "cr-only", "a,b\r", "@.5,&\r", 30, "", NULL, 30, 2, "nb" },
  { "crlf", "a,b\r\n", "@.5,&\r\n", 30, "", NULL, 30, 2, "nb" },
  { "cr-cr-lf", "a,b\r\r\n", "@.5,&\r\r\n", 30, "", NULL, 30, 2, "nb" },
  { "crlf-in-quotes", "a,b\r\n", "\"x\r\n&\",&\r\n", 30, "", NULL, 30, 2, "bb" },
  { "no-last-newline", FIVE, ROW, 30, "7,8.5,c0,s0,1", NULL, 31, 5, "nnbbb" },
  { "only-newlines", "\n\r\n\n", .words = "contains only blank lines" },
  { "only-blanks", "  \n \t \n", .words = "contains only blank lines" },
  { "blanks-between", FIVE "   \n", ROW "  \n", 30, "\n\n", NULL, 30, 5, "nnbbb" },
  { "one-column-gap", "x\n1\n\n3\n4\n", .rows = 3, .columns = 1, .types = "n" },
  { "one-column-quoted-gap", "x\n1\n\"\"\n3\n4\n", .rows = 4, .columns = 1, .types = "n" },

  /* shape */
  { "one-cell", "x", .words = "no data rows" },
  { "header-only-crlf", "a,b\r\n", .words = "no data rows" },
  { "all-empty", ",,\n,,\n,,\n", .rows = 2, .columns = 3, .code = "renamed-column", .line_number = 1, .words = "no name" },
  { "empty-names", "a,,c,\n", "@,&,x,y\n", 30, "", NULL, 30, 4, "nbcc", "renamed-column", 1, "“column 2”" },
  { "names-differ-in-case", "Age,age\n", "@.5,&\n", 30, "", NULL, 30, 2, "nb", "renamed-column", 1, "“age (2)”" },
  { "name-taken", "a,a,a (2)\n", "@.5,&,&\n", 30, "", NULL, 30, 3, "nbb", "renamed-column", 1, "“a (2)”" },
  { "trailing-delimiter", "a,b\n", "@.5,&,\n", 30, "", NULL, 30, 2, "nb", "ragged-extra", 2, "3 fields instead of 2" },
  { "trailing-delimiter-named", "a,b,\n", "@.5,&,\n", 30, "", NULL, 30, 3, "nbn", "renamed-column", 1, "“column 3”" },
  { "one-field-more", FIVE, ROW, 30, "1,2,3,4,5,6\n", .words = "Line 32 has 6 fields instead of 5" },
  { "names-lack-one", "a,b\n", "@,@.5,&\n", 30, "", .words = "Line 2 has 3 fields instead of 2" },
  { "second-table-wider", FIVE, ROW, 30, "\na,b,c,d,e,f\n1,2,3,4,5,6\n", .words = "Line 33 has 6 fields" },
  { "second-table-same", FIVE, ROW, 30, FIVE "1,2,3,4,5\n", NULL, 32, 5, NULL, "mixed-column", 32, "“age”" },
  { "units-under-names", "height,sex\ncm,-\n", "@.5,m&\n", 30, "", NULL, 31, 2, NULL, "mixed-column", 2, "“cm”" },
  { "footer", FIVE, ROW, 30, "Source: ACME\n", NULL, 31, 5, NULL, "ragged-short", 32, "1 field instead of 5" },
  { "total", FIVE, ROW, 30, "Total,9,,,\n", NULL, 31, 5, NULL, "mixed-column", 32, "“Total”" },
  { "comments-above", "# made by ACME, in 2020, by, me, and, you\n# more\n" FIVE, ROW, 30, "", NULL, 30, 5, "nnbbb",
    "preamble-skipped", 1, "2 records before the table were left out" },
  { "comment-inside", FIVE, ROW, 30, "# a comment\n1,2,3,4,5\n", NULL, 32, 5, NULL, "ragged-short", 32, "1 field" },
  { "name-with-hash", "#id,y\n", "@.5,&\n", 30, "", NULL, 30, 2, "nb" },
  { "years-as-names", "country,2019,2020\n", "c&,@,@.5\n", 30, "", NULL, 30, 3, "bnn" },
  { "numbers-no-names", "1998,3\n", "@.5,&\n", 30, "", NULL, 31, 2, NULL, "no-header", 1, "looks like data" },

  /* delimiters */
  { "sep-line", "sep=;\r\na;b\r\n", "@,5;&\r\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1.5 },
  { "sep-line-utf16", "\xef\xbb\xbfsep=\t\r\na\tb\r\n", "@,5\t&\r\n", 30, "", "UTF-16LE", 30, 2, "nb" },
  { "space", "a b c\n", "@.5 & x\n", 30, "", NULL, 30, 1, "t", "one-column", 1, "“ ”" },
  { "caret", "a^b^c\n", "@.5^&^x\n", 30, "", NULL, 30, 1, "t", "one-column", 1, "“^”" },
  { "colon", "a:b\n", "@.5:&\n", 30, "", NULL, 30, 1, "t", "one-column", 1, "“:”" },
  { "one-column-of-words", "name\n", "Ann B& C\n", 30, "", NULL, 30, 1, "b" },
  { "commas-in-semicolon-file", "a;b;y\n", "@;well, so, yes;&\n", 30, "", NULL, 30, 3, "ncb" },
  { "commas-in-tab-file", "a\tb\ty\n", "@\twell, so, yes\t&\n", 30, "", NULL, 30, 3, "ncb" },
  { "names-with-another-delimiter", "a,b,c\n", "@.5;&;x\n", 30, "", NULL, 30, 3, "nbc", "preamble-skipped", 1, "a,b,c" },

  /* quotes */
  { "single-quotes", "'a','b'\n", "'@.5','x,&'\n", 30, "", NULL, 30, 2, "nb" },
  { "apostrophes", "name,y\n", "O'Brien@,&\n", 30, "", NULL, 30, 2, "tb" },
  { "all-quoted", "\"a\",\"b\"\n", "\"@.5\",\"&\"\n", 30, "", NULL, 30, 2, "nb" },
  { "inches", "a,b\n", "@\",&\n", 30, "", .words = "Line 2: a quote is in the middle" },
  { "blank-before-quote", "a,b\n", "@, \"x\"\n", 30, "", .words = "Line 2: a quote is in the middle" },
  { "backslash-quote", "a,b\n", "@,\"say \\\"hi\\\"\"\n", 30, "", .words = "Line 2: a quote is in the middle" },
  { "open-at-end", FIVE, ROW, 30, "1,2,\"red", .words = "Line 32: a quote opens here but is never closed" },
  { "open-in-names", "\"a,b\n1,2\n3,4\n", .words = "Line 1: a quote opens here but is never closed" },

  /* numbers */
  { "minus-sign", "x,y\n", "−@.5,&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, -1.5 },
  { "no-break-blanks", "x,y\n", "\xc2\xa0@.5\xe2\x80\xaf,&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1.5 },
  { "thousands-comma", "x;y\n", "@,234,567.89;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234567.89 },
  { "thousands-point", "x;y\n", "@.234.567,89;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234567.89 },
  { "thousands-blank", "x;y\n", "@ 234,5;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234.5 },
  { "thousands-no-break", "x;y\n", "@\xc2\xa0" "234,5;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234.5 },
  { "thousands-apostrophe", "x;y\n", "@'234.5;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234.5 },
  { "thousands-swiss", "x;y\n", "@’234.5;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1234.5 },
  { "thousands-indian", "x;y\n", "@,23,456.5;&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 123456.5 },
  { "thousands-underscore", "x,y\n", "@_000,&\n", 30, "", NULL, 30, 2, "tb", "odd-separators", 2, "“1_000”" },
  { "thousands-odd", "x;y\n", "@,2,3;&\n", 30, "", NULL, 30, 2, "tb", "odd-separators", 2, "“1,2,3”" },
  { "comma-or-thousand", "x,y\n", "\"@,234\",&\n", 30, "", NULL, 30, 2, "nb", "ambiguous-number", 0, "choose the decimal", 1234 },
  { "point-or-thousand", "x;y\n", "@.234;&\n", 30, "", NULL, 30, 2, "nb", "ambiguous-number", 0, "choose the decimal", 1.234 },
  { "point-is-no-thousand", "x;y\n0.125;1\n", "@.234;&\n", 30, "", NULL, 31, 2, "nb", NULL, 0, NULL, .125 },
  { "ambiguous-and-infinite", "x,y\n", "\"@,234\",&\ninf,1\n", 30, "", NULL, 60, 2, "nb", "infinite-number", 3, "“inf”" },
  { "decimal-comma-quoted", "x,y\n", "\"@,5\",&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1.5 },
  { "decimal-comma-tab", "x\ty\n", "@,25\t&\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1.25 },
  { "decimals-two-ways", "x;y\n1.5;1\n2.5;0\n1,5;1\n2,5;0\n3,5;1\n3.5;0\n", .rows = 6, .columns = 2, .types = "cb",
    .code = "mixed-column", .line_number = 4, .words = "in two formats (line 4: “1,5”, line 2: “1.5”)" },
  { "percent", "x,y\n", "@ %,&\n", 30, "", NULL, 30, 2, "tb", "number-with-unit", 2, "“1 %”" },
  { "dollars", "x,y\n", "\"$@,200.50\",&\n", 30, "", NULL, 30, 2, "tb", "number-with-unit", 2, "“$1,200.50”" },
  { "euros", "x;y\n", "@.200,50 €;&\n", 30, "", NULL, 30, 2, "tb", "number-with-unit", 2, "“1.200,50 €”" },
  { "kilograms", "x,y\n", "@ kg,&\n", 30, "", NULL, 30, 2, "tb", "number-with-unit", 2, "“1 kg”" },
  { "accounts", "x,y\n2.5,1\n", "(@.50),&\n", 30, "", NULL, 31, 2, "tb", "number-with-unit", 3, "“(1.50)”" },
  { "leading-zeros", "zip,y\n", "0@,&\n", 30, "", NULL, 30, 2, "tb", "leading-zeros", 0, "kept as text" },
  { "beyond-double", "x,y\n", "@e400,&\n", 30, "", NULL, 30, 2, "nb", "infinite-number", 2, "“1e400”" },
  { "beyond-2^53", "x,y\n", "900719925474099@7,&\n", 30, "", NULL, 30, 2, "nb", "inexact-number", 0, "more digits" },
  { "infinities", "x,y\n1,0\n", "@,&\n-inf,0\nInfinity,1\n", 30, "", NULL, 91, 2, "nb", "infinite-number", 4, "“-inf”" },
  { "quoted-numbers", "x,y\n", "\"@.5\",\"&\"\n", 30, "", NULL, 30, 2, "nb", NULL, 0, NULL, 1.5 },
  { "hexadecimal", "x,y\n", "0x@F,&\n", 30, "", NULL, 30, 2, "tb" },
  { "nothing-is-missing", "x,y\n", "@.5,&\n-,0\n.,1\nNone,0\n", 30, "", NULL, 120, 2, "nb", "not-a-number", 3, "“.” (line 4)", 1.5 },
  { "sep-line-alone", "sep=;\n", .words = "contains only blank lines" },
  { "some-nothing-is-missing", "x,y\n", "@.5,&\n@,0\n-,0\n", 30, "", NULL, 90, 2, "nb", "not-a-number", 4, "“-” (line 4)", 1.5 },
  { "none-is-a-level", "x,y\n", "None,&\nbasement,&\nattic,&\n", 30, "", NULL, 90, 2, "cb" },

  /* dates */
  { "day-first", "d,y\n", "13/@/2020,&\n", 12, "", NULL, 12, 2, "db", "date-column", 0, "contains dates" },
  { "month-first", "d,y\n", "@/13/2020,&\n", 12, "", NULL, 12, 2, "db", "date-column", 0, "contains dates" },
  { "day-or-month", "d,y\n", "@/@/2020,&\n", 12, "", NULL, 12, 2, "cb", "ambiguous-date", 0, "day and month" },
  { "dotted", "d;y\n", "@.12.2020;&\n", 30, "", NULL, 30, 2, "db" },
  { "moments", "d,y\n", "2020-12-11T10:@:00+02:00,&\n", 9, "", NULL, 9, 2, NULL },

  /* what is no table */
  { "web-page", "\n<!DOCTYPE html>\n<html></html>\n", .words = "looks like a web page" },
  { "xml", "<?xml version=\"1.0\"?>\n<a/>\n", .words = "looks like an XML file" },
  { "json", "[{\"a\":1,\"b\":2},\n{\"a\":3,\"b\":4}]\n", .words = "Line 1: a quote is in the middle" },
  { "letter", "Dear reader,\nthis is a letter.\nIt has lines, commas, and so on.\n", .words = "Line 2 has 1 field instead of 2" },
};

static GBytes *
make_file (const File *file)
{
  g_autoptr (GString) text = g_string_new (file->head);
  g_autoptr (GError) error = NULL;
  char *bytes;
  gsize length;

  for (guint i = 0; i < file->n; i++)
    for (const char *p = file->line; *p != '\0'; p++)
      if (*p == '@')
        g_string_append_printf (text, "%u", i + 1);
      else if (*p == '&')
        g_string_append_printf (text, "%u", i % 2);
      else
        g_string_append_c (text, *p);
  g_string_append (text, file->tail != NULL ? file->tail : "");
  if (file->encoding == NULL)
    return g_string_free_to_bytes (g_steal_pointer (&text));
  bytes = g_convert (text->str, (gssize) text->len, file->encoding, "UTF-8", NULL, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (bytes, length);
}

static char *
describe (MtImport *import)
{
  MtTable *table = mt_import_get_table (import);
  GString *types = g_string_new (NULL);

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    g_string_append_c (types, mt_column_type_to_string (mt_column_get_type (mt_table_get_column (table, c)))[0]);
  return g_string_free (types, FALSE);
}

static const MtFinding *
find_finding (MtImport   *import,
              const char *code,
              const char *words)
{
  GPtrArray *findings = mt_import_get_findings (import);

  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *finding = findings->pdata[i];

      if (strcmp (finding->code, code) == 0 && strstr (finding->message, words) != NULL)
        return finding;
    }
  return NULL;
}

/* In pieces of any size the same comes of it. */
static void
test_file (gconstpointer data)
{
  const File *file = data;
  static const gsize chunks[] = { 0, 1, 7 };
  g_autoptr (GBytes) bytes = make_file (file);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      MtImportOptions options = { .chunk_size = chunks[i] };
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = mt_import_bytes (bytes, &options, NULL, &error);
      g_autofree char *types = NULL;

      if (file->rows == 0)
        {
          g_assert_null (import);
          g_assert_nonnull (error);
          if (strstr (error->message, file->words) == NULL)
            g_error ("“%s” does not say “%s”", error->message, file->words);
          continue;
        }
      g_assert_no_error (error);
      types = describe (import);
      g_assert_cmpuint (mt_table_get_n_rows (mt_import_get_table (import)), ==, file->rows);
      g_assert_cmpuint (strlen (types), ==, file->columns);
      if (file->types != NULL)
        g_assert_cmpstr (types, ==, file->types);
      if (file->code != NULL)
        {
          const MtFinding *finding = find_finding (import, file->code, file->words);

          if (finding == NULL)
            g_error ("no %s says “%s”", file->code, file->words);
          g_assert_cmpuint (finding->line, ==, file->line_number);
        }
      else
        for (guint f = 0; f < mt_import_get_findings (import)->len; f++)
          g_assert_cmpint (((MtFinding *) mt_import_get_findings (import)->pdata[f])->severity, !=, MT_SEVERITY_WARNING);
      if (file->first != 0)
        g_assert_cmpfloat (mt_column_get_number (mt_table_get_column (mt_import_get_table (import), 0), 0), ==, file->first);
    }
}

/* --- numbers with units, read as numbers on request --- */

static void
test_units_read (void)
{
  static const struct { const char *line; const char *tail; double first; gsize n_missing; } cases[] = {
    { "@ %;&\n", "-3%;1\n", 1, 0 },
    { "$@,200.50;&\n", "-$5;1\n$-6;0\n", 1200.5, 0 },
    { "@.200,50 €;&\n", "-1.200,50 €;1\n", 1200.5, 0 },
    { "US$ @;&\n", "", 1, 0 },
    { "CHF @;&\n", "7;1\n", 1, 0 },
    { "@ km/h;&\n", "", 1, 0 },
    { "@.5 °C;&\n", "NA;1\n", 1.5, 1 },
    { "(@.50);&\n", "3;1\n", -1.5, 0 },
    { "@.50-;&\n", "3;1\n", -1.5, 0 },
    { "@;&\n", "3 %;1\n", 1, 0 },          /* the sample's end shows the first unit */
    { "@ %;&\n", "3 $;1\n", NAN, 31 },     /* two units are none */
    { "@ %;&\n", "x;1\n", 1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint n_threads = 1; n_threads <= 2; n_threads++)
      {
        File file = { "units", "x;y\n", cases[i].line, 30, cases[i].tail };
        g_autoptr (GBytes) bytes = make_file (&file);
        g_autoptr (MtSchema) schema = mt_schema_new ();
        MtImportOptions options = { .schema = schema, .n_threads = n_threads, .chunk_size = 16 };
        g_autoptr (GError) error = NULL;
        g_autoptr (MtImport) import = NULL;
        const MtColumn *column;

        mt_schema_set_type (schema, "x", MT_TYPE_NUMBER);
        import = mt_import_bytes (bytes, &options, NULL, &error);
        g_assert_no_error (error);
        column = mt_table_get_column (mt_import_get_table (import), 0);
        g_assert_cmpint (mt_column_get_type (column), ==, MT_TYPE_NUMBER);
        g_assert_cmpuint (mt_column_get_n_missing (column), ==, cases[i].n_missing);
        if (!isnan (cases[i].first))
          g_assert_cmpfloat (mt_column_get_number (column, 0), ==, cases[i].first);
        g_assert_null (find_finding (import, "number-with-unit", ""));
      }
}

/* A unit far behind the sample: the column is read again, and the finding's offer works. */
static void
test_units_late (void)
{
  File file = { "units", "x,y\n", "@.25,&\n", 40000, "17 %,1\n" };
  g_autoptr (GBytes) bytes = make_file (&file);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  MtImportOptions options = { .schema = schema };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) guessed = mt_import_bytes (bytes, NULL, NULL, &error);
  g_autoptr (MtImport) asked = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (find_finding (guessed, "not-a-number", "“17 %” (line 40002)"));
  mt_schema_set_type (schema, "x", MT_TYPE_NUMBER);
  asked = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (find_finding (asked, "not-a-number", ""));
  g_assert_cmpfloat (mt_column_get_number (mt_table_get_column (mt_import_get_table (asked), 0), 40000), ==, 17);
}

/* What only looks like a quantity stays text without a word. */
static void
test_no_units (void)
{
  static const char * const texts[] = { "A@;&\n", "ID@;&\n", "x@ kg;&\n", "@averylongwordthatisnounit;&\n", "10.0.0.@;&\n",
                                        "+49 30 @@@@;&\n", "@-@;&\n", "kg;&\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      File file = { "no units", "x;y\n", texts[i], 30, "" };
      g_autoptr (GBytes) bytes = make_file (&file);
      g_autoptr (GError) error = NULL;
      g_autoptr (MtImport) import = mt_import_bytes (bytes, NULL, NULL, &error);

      g_assert_no_error (error);
      if (find_finding (import, "number-with-unit", "") != NULL)
        g_error ("%s", find_finding (import, "number-with-unit", "")->message);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/import-files/", files[i].name, NULL);

      g_test_add_data_func (path, &files[i], test_file);
    }
  g_test_add_func ("/import-files/units-read", test_units_read);
  g_test_add_func ("/import-files/units-late", test_units_late);
  g_test_add_func ("/import-files/no-units", test_no_units);
  return g_test_run ();
}
