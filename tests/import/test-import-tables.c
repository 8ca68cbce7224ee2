/* Sheets, tables of databases, and compressed files: the table is that of the CSV that says the same, or there is an
 * error that says what to do. */
#include "config.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-zip.h"
#include "import/mt-import-format.h"
#include "import/mt-import.h"

/* --- packages --- */

#define WORKBOOK \
  "<?xml version=\"1.0\"?><workbook xmlns:r=\"r\"><sheets><sheet name=\"Data\" sheetId=\"1\" r:id=\"rId1\"/>%s</sheets></workbook>"
#define RELATIONS \
  "<Relationships><Relationship Id=\"rId1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>" \
  "<Relationship Id=\"rId2\" Type=\"x/worksheet\" Target=\"/xl/worksheets/sheet2.xml\"/>" \
  "<Relationship Id=\"rId9\" Type=\"x/chartsheet\" Target=\"charts/1.xml\"/></Relationships>"
#define STYLES \
  "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"[$-409]d\\-mmm\\-yy;@\"/>" \
  "<numFmt numFmtId=\"165\" formatCode=\"0.0&quot; days&quot;\"/><numFmt numFmtId=\"166\" formatCode=\"[h]:mm\"/></numFmts>" \
  "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/>" \
  "<xf numFmtId=\"165\"/><xf numFmtId=\"166\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>"
#define SHARED \
  "<sst><si><t>name</t></si><si><t>when</t></si><si><r><t>a, </t></r><r><t>b</t></r><rPh><t>no</t></rPh></si>" \
  "<si><t>say &quot;x&quot;</t></si><si><t>two_x000D_\nlines</t></si></sst>"

static GBytes *
pack (const char * const *files)    /* name, text, name, text, …, NULL */
{
  g_autoptr (GString) out = g_string_new (NULL);
  MtZipFile zip[8];
  guint n = 0;

  for (; files[0] != NULL; files += 2)
    zip[n++] = (MtZipFile) { files[0], files[1], strlen (files[1]) };
  mt_zip_append (out, zip, n);
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

static GBytes *
make_xlsx (const char *sheet,       /* what is inside the worksheet element */
           const char *more_sheets)
{
  g_autofree char *workbook = g_strdup_printf (WORKBOOK, more_sheets != NULL ? more_sheets : "");
  g_autofree char *xml = g_strdup_printf ("<worksheet>%s</worksheet>", sheet);
  const char *files[] = {
    "xl/workbook.xml", workbook, "xl/_rels/workbook.xml.rels", RELATIONS, "xl/styles.xml", STYLES,
    "xl/sharedStrings.xml", SHARED, "xl/worksheets/sheet1.xml", xml,
    "xl/worksheets/sheet2.xml", "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>x</t></is></c></row>"
    "<row><c><v>1</v></c></row></sheetData></worksheet>", NULL
  };

  return pack (files);
}

static GBytes *
make_ods (const char *sheets)
{
  g_autofree char *xml = g_strdup_printf ("<office:document-content xmlns:office=\"o\"><office:body><office:spreadsheet>%s"
                                          "</office:spreadsheet></office:body></office:document-content>", sheets);
  const char *files[] = { "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", xml, NULL };

  return pack (files);
}

/* --- what becomes of them --- */

static MtImport *
import_of (GBytes      *bytes,
           const char  *sheet,
           GError     **error)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect, .n_threads = 1 };

  dialect->sheet = g_strdup (sheet);
  return mt_import_bytes (bytes, &options, NULL, error);
}

static void
assert_same_table (MtImport   *import,
                   const char *csv)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (csv, strlen (csv));
  g_autoptr (MtImport) expected = mt_import_bytes (bytes, NULL, NULL, NULL);
  MtTable *a = mt_import_get_table (import), *b = mt_import_get_table (expected);

  g_assert_nonnull (expected);
  g_assert_cmpuint (mt_table_get_n_columns (a), ==, mt_table_get_n_columns (b));
  g_assert_cmpuint (mt_table_get_n_rows (a), ==, mt_table_get_n_rows (b));
  for (guint c = 0; c < mt_table_get_n_columns (a); c++)
    {
      const MtColumn *x = mt_table_get_column (a, c), *y = mt_table_get_column (b, c);

      g_assert_cmpstr (mt_column_get_name (x), ==, mt_column_get_name (y));
      g_assert_cmpint (mt_column_get_type (x), ==, mt_column_get_type (y));
      for (gsize r = 0; r < mt_table_get_n_rows (a); r++)
        {
          g_autofree char *left = mt_column_dup_text (x, r);
          g_autofree char *right = mt_column_dup_text (y, r);

          g_assert_cmpstr (left, ==, right);
        }
    }
}

static void
assert_table (GBytes     *bytes,
              const char *sheet,
              const char *csv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = import_of (bytes, sheet, &error);
  g_autofree char *sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);

  g_assert_no_error (error);
  assert_same_table (import, csv);
  g_assert_cmpstr (mt_import_get_sha256 (import), ==, sha256);
  g_assert_cmpuint (mt_import_get_n_bytes (import), ==, g_bytes_get_size (bytes));
}

static void
assert_refused (GBytes     *bytes,
                const char *sheet,
                const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = import_of (bytes, sheet, &error);

  g_assert_null (import);
  g_assert_nonnull (error);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” does not match “%s”", error->message, pattern);
}

static void
assert_xlsx_refused (const char *sheet,
                     const char *pattern)
{
  g_autoptr (GBytes) bytes = make_xlsx (sheet, NULL);

  assert_refused (bytes, NULL, pattern);
}

#ifdef HAVE_LIBARCHIVE
#define NEED_ZIP()
#else
#define NEED_ZIP() G_STMT_START { g_test_skip ("built without libarchive"); return; } G_STMT_END
#endif

/* A title, blank rows, shared and inline texts, dates, times, booleans, errors, empty cells, cells without places. */
static void
test_xlsx (void)
{
  static const char sheet[] =
    "<dimension ref=\"A1:B2\"/><sheetData>"
    "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Loans of 2020</t></is></c></row>"
    "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"B3\" t=\"s\"><v>1</v></c><c r=\"C3\" t=\"str\"><f>A()</f><v>n</v></c>"
    "<c r=\"D3\" t=\"str\"><v>ok</v></c><c r=\"E3\" t=\"str\"><v>long</v></c><c r=\"F3\" t=\"str\"><v>at</v></c></row>"
    "<row r=\"4\"><c r=\"A4\" t=\"s\"><v>2</v></c><c r=\"B4\" s=\"1\"><v>43831</v></c><c r=\"C4\" s=\"3\"><v>0.1</v></c>"
    "<c r=\"D4\" t=\"b\"><v>1</v></c><c r=\"E4\" s=\"4\"><v>1.5</v></c><c r=\"F4\" s=\"5\"><v>43831.5</v></c></row>"
    "<row r=\"5\"><c r=\"A5\" t=\"s\"><v>3</v></c><c r=\"B5\" s=\"2\"><v>59</v></c><c r=\"C5\"><v>1E-3</v></c>"
    "<c r=\"D5\" t=\"b\"><v>0</v></c><c r=\"E5\" s=\"4\"><v>0.25</v></c><c r=\"F5\" s=\"5\"><v>43832</v></c></row>"
    "<row><c t=\"s\"><v>4</v></c><c s=\"2\"/><c r=\"D6\" t=\"b\"><v>1</v></c><c t=\"e\"><v>#N/A</v></c></row>"
    "<row r=\"9\"><c r=\"A9\" t=\"s\"><v>2</v></c><c r=\"C9\"><v>-7</v></c></row>"
    "<row r=\"10\"/><row r=\"11\" ><c r=\"B11\" s=\"1\"/></row></sheetData><mergeCells><mergeCell ref=\"A1:F1\"/></mergeCells>";
  g_autoptr (GBytes) bytes = NULL;

  NEED_ZIP ();
  bytes = make_xlsx (sheet, NULL);
  assert_table (bytes, NULL,
                "Loans of 2020,,,,,\n\nname,when,n,ok,long,at\n"
                "\"a, b\",2020-01-01,0.1,TRUE,36:00:00,2020-01-01T12:00:00\n"
                "\"say \"\"x\"\"\",1900-02-28,0.001,FALSE,06:00:00,2020-01-02\n"
                "two lines,,,TRUE,#N/A,\n\n\n\"a, b\",,-7,,,\n");
}

static void
test_xlsx_1904 (void)
{
  g_autoptr (GBytes) bytes = NULL;
  const char *files[] = {
    "xl/workbook.xml", "<x:workbook xmlns:x=\"x\"><x:workbookPr date1904=\"1\"/><x:sheets><x:sheet name=\"A\" r:id=\"rId1\"/>"
    "</x:sheets></x:workbook>", "xl/_rels/workbook.xml.rels", RELATIONS, "xl/styles.xml", STYLES, "xl/worksheets/sheet1.xml",
    "<x:worksheet><x:sheetData><x:row><x:c t=\"str\"><x:v>d</x:v></x:c><x:c t=\"str\"><x:v>n</x:v></x:c></x:row>"
    "<x:row><x:c s=\"1\"><x:v>0</x:v></x:c><x:c><x:v>1</x:v></x:c></x:row>"
    "<x:row><x:c s=\"1\"><x:v>42369</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>", NULL
  };

  NEED_ZIP ();
  bytes = pack (files);
  assert_table (bytes, NULL, "d,n\n1904-01-01,1\n2020-01-01,2\n");
}

static void
test_sheet_choice (void)
{
  static const char sheet[] = "<sheetData><row><c t=\"str\"><v>a</v></c></row><row><c><v>5</v></c></row></sheetData>";
  g_autoptr (GBytes) two = make_xlsx (sheet, "<sheet name=\"More\" r:id=\"rId2\"/><sheet name=\"Chart\" r:id=\"rId9\"/>");
  g_autoptr (GBytes) hidden = make_xlsx (sheet, "<sheet name=\"More\" state=\"hidden\" r:id=\"rId2\"/>");
  g_autoptr (MtImport) import = NULL;

  NEED_ZIP ();
  assert_refused (two, NULL, "The file has several sheets (“Data”, “More”): choose one");
  assert_refused (two, "data", "There is no sheet “data”; the sheets are “Data”, “More”");
  assert_table (two, "More", "x\n1\n");
  assert_table (two, "Data", "a\n5\n");
  assert_table (hidden, NULL, "a\n5\n");
  assert_table (hidden, "More", "x\n1\n");
  import = import_of (two, "More", NULL);
  g_assert_cmpstr (mt_import_get_dialect (import)->sheet, ==, "More");
  g_assert_cmpint (mt_import_get_dialect (import)->delimiter, ==, ',');
}

static void
test_merged (void)
{
#define ROWS "<sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>name</v></c><c r=\"B1\" t=\"str\"><v>Q1</v></c></row>" \
             "<row r=\"2\"><c r=\"B2\"><v>1</v></c><c r=\"C2\"><v>2</v></c></row></sheetData>"
  NEED_ZIP ();
  assert_xlsx_refused (ROWS "<mergeCells><mergeCell ref=\"B1:C1\"/></mergeCells>",
                       "Row 1 has merged cells B1:C1 among the column names: unmerge them*");
  assert_xlsx_refused (ROWS "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>",
                       "Row 2 has merged cells A2:A3, of which only the first has a value: unmerge them*");
#undef ROWS
}

static void
test_xlsx_damaged (void)
{
  g_autoptr (GBytes) whole = make_xlsx ("<sheetData><row><c t=\"str\"><v>a</v></c></row></sheetData>", NULL);
  g_autoptr (GBytes) cut = g_bytes_new_from_bytes (whole, 0, g_bytes_get_size (whole) / 2);
  g_autoptr (GBytes) other = NULL;
  g_autoptr (GString) deep = g_string_new ("<sheetData>");

  NEED_ZIP ();
  for (guint i = 0; i < 70; i++)
    g_string_append (deep, "<x>");
  assert_xlsx_refused (deep->str, "*nests elements too deeply");
  assert_xlsx_refused ("<sheetData><row><c t=\"s\"><v>99</v></c></row></sheetData>", "Row 1: a cell refers to text that is not*");
  assert_xlsx_refused ("<sheetData><row><c t=\"s\"><v>-1</v></c></row></sheetData>", "Row 1: a cell refers to text that is not*");
  assert_xlsx_refused ("<sheetData><row><c><v>1;2</v></c></row></sheetData>", "Row 1: “1;2” is stored as a number but is not one");
  assert_xlsx_refused ("<sheetData><row r=\"2\"/><row r=\"1\"/></sheetData>", "The rows of the sheet are not in order*");
  assert_xlsx_refused ("<sheetData><row r=\"9999999999\"/></sheetData>", "The rows of the sheet are not in order*");
  assert_xlsx_refused ("<sheetData><row r=\"1\"><c r=\"XFE1\"><v>1</v></c></row></sheetData>", "Row 1: the cells of the sheet are not*");
  assert_xlsx_refused ("<sheetData><row r=\"1\"><c r=\"B1\"/><c r=\"A1\"><v>1</v></c></row></sheetData>",
                       "Row 1: the cells of the sheet are not in order*");
  assert_xlsx_refused ("<sheetData><row>", "xl/worksheets/sheet1.xml in the spreadsheet is damaged*");
  assert_xlsx_refused ("<sheetData/>", "The file is empty");
  assert_refused (cut, NULL, "The*");
  other = pack ((const char *[]) { "readme.txt", "hello", NULL });
  assert_refused (other, NULL, "The file is a ZIP archive but not a spreadsheet that Minterm can read: it has no xl/workbook.xml");
}

/* A long sheet flows: rows behind the first thousand are filled up to its width, and an error names its row. */
static void
test_long_sheet (void)
{
  g_autoptr (GString) sheet = g_string_new ("<sheetData><row><c t=\"str\"><v>a</v></c><c t=\"str\"><v>b</v></c></row>");
  g_autoptr (GString) csv = g_string_new ("a,b\n");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) wide = NULL;

  NEED_ZIP ();
  for (guint i = 0; i < 30000; i++)
    {
      g_string_append_printf (sheet, "<row><c><v>%u</v></c>", i);
      if (i % 3 == 0)
        g_string_append_printf (sheet, "<c><v>%u.5</v></c>", i);
      g_string_append (sheet, "</row>");
      g_string_append_printf (csv, i % 3 == 0 ? "%u,%u.5\n" : "%u,\n", i, i);
    }
  g_string_append (sheet, "</sheetData>");
  bytes = make_xlsx (sheet->str, NULL);
  assert_table (bytes, NULL, csv->str);
  g_string_truncate (sheet, sheet->len - strlen ("</sheetData>"));
  g_string_append (sheet, "<row r=\"30010\"><c><v>1</v></c><c/><c><v>3</v></c></row></sheetData>");
  wide = make_xlsx (sheet->str, NULL);
  assert_refused (wide, NULL, "*ine 30010 has 3 fields*");
}

static void
test_ods (void)
{
  static const char sheets[] =
    "<table:table table:name=\"Empty\"/><table:table table:name=\"S\"><table:table-column table:number-columns-repeated=\"16384\"/>"
    "<table:table-header-rows><table:table-row><table:table-cell office:value-type=\"string\"><text:p>n</text:p></table:table-cell>"
    "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>a note</text:p></office:annotation><text:p>t"
    "</text:p></table:table-cell><table:table-cell><text:p>d</text:p></table:table-cell><table:table-cell><text:p>b</text:p>"
    "</table:table-cell><table:table-cell office:value-type=\"string\"><text:p>time</text:p></table:table-cell>"
    "<table:table-cell table:number-columns-repeated=\"16379\"/></table:table-row></table:table-header-rows>"
    "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell office:value-type=\"float\" office:value=\"0.25\">"
    "<text:p>0,3</text:p></table:table-cell><table:table-cell office:value-type=\"string\"><text:p>a<text:s text:c=\"2\"/>b"
    "<text:span>c</text:span></text:p><text:p>d</text:p></table:table-cell><table:table-cell office:value-type=\"date\" "
    "office:date-value=\"2021-03-01\"><text:p>1.3.</text:p></table:table-cell><table:table-cell office:value-type=\"boolean\" "
    "office:boolean-value=\"true\"><text:p>WAHR</text:p></table:table-cell><table:table-cell office:value-type=\"time\" "
    "office:time-value=\"PT12H05M30S\"/></table:table-row>"
    "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>"
    "<table:table-row><table:table-cell table:number-columns-repeated=\"1\" office:value-type=\"percentage\" office:value=\"3\"/>"
    "<table:table-cell/><table:table-cell office:value-type=\"date\" office:date-value=\"2021-03-02T10:00:00\"/>"
    "<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"false\"/></table:table-row>"
    "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell/></table:table-row></table:table>";
  g_autoptr (GBytes) bytes = make_ods (sheets);
  g_autoptr (GBytes) merged = NULL;
  g_autoptr (GBytes) bomb = NULL;

  NEED_ZIP ();
  assert_refused (bytes, NULL, "The file has several sheets (“Empty”, “S”): choose one");
  assert_refused (bytes, "Empty", "The file is empty");
  assert_table (bytes, "S", "n,t,d,b,time\n0.25,a  bc d,2021-03-01,TRUE,12:05:30\n0.25,a  bc d,2021-03-01,TRUE,12:05:30\n\n\n\n"
                "3,,2021-03-02T10:00:00,FALSE,\n");
  merged = make_ods ("<table:table table:name=\"S\"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
                     "<table:table-cell table:number-columns-spanned=\"2\"><text:p>b</text:p></table:table-cell></table:table-row>"
                     "</table:table>");
  assert_refused (merged, NULL, "Row 1 has merged cells among the column names*");
  bomb = make_ods ("<table:table table:name=\"S\"><table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell "
                   "table:number-columns-repeated=\"16384\" office:value-type=\"float\" office:value=\"1\"/></table:table-row>"
                   "</table:table>");
  assert_refused (bomb, NULL, "Row * is repeated so often that the table would be too large");
}

/* --- databases --- */

static char *
make_database (const char *sql)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("test-import-XXXXXX.data", &path, NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  return path;
}

static MtImport *
import_place (const char  *path,
              const char  *table,
              const char  *query,
              GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  MtImportOptions options = { .dialect = dialect, .n_threads = 1 };

  dialect->table = g_strdup (table);
  dialect->query = g_strdup (query);
  return mt_import_file (file, &options, NULL, error);
}

static void
assert_place_refused (const char *path,
                      const char *table,
                      const char *query,
                      const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = import_place (path, table, query, &error);

  g_assert_null (import);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” does not match “%s”", error->message, pattern);
}

static void
test_sqlite (void)
{
  g_autofree char *path = make_database (
    "CREATE TABLE \"my \"\"loans\" (id INTEGER, amount REAL, name TEXT);"
    "INSERT INTO \"my \"\"loans\" VALUES (1, 0.1, 'a, b'), (2, NULL, 'say \"x\"'), (9007199254740993, 1e300, 'two\nlines');"
    "CREATE VIEW low AS SELECT id, amount FROM \"my \"\"loans\" WHERE id < 3;"
    "CREATE TABLE odd (id INTEGER, blob BLOB); INSERT INTO odd VALUES (1, x'00ff');");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (MtImport) loans = NULL;
  g_autoptr (MtImport) low = NULL;
  g_autoptr (MtImport) query = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *sha256 = NULL;
  MtImportFormat format;
  gsize length;

  names = mt_import_list_parts (file, &format, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (format, ==, MT_FORMAT_SQLITE);
  g_assert_cmpstrv (names, ((const char *[]) { "my \"loans", "low", "odd", NULL }));

  loans = import_place (path, "my \"loans", NULL, &error);
  g_assert_no_error (error);
  assert_same_table (loans, "id,amount,name\n1,0.1,\"a, b\"\n2,,\"say \"\"x\"\"\"\n9007199254740993,1e300,two lines\n");
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  sha256 = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) contents, length);
  g_assert_cmpstr (mt_import_get_sha256 (loans), ==, sha256);
  g_assert_cmpuint (mt_import_get_n_bytes (loans), ==, length);
  g_assert_cmpstr (mt_import_get_dialect (loans)->table, ==, "my \"loans");

  low = import_place (path, "low", NULL, &error);
  assert_same_table (low, "id,amount\n1,0.1\n2,\n");
  query = import_place (path, NULL, "SELECT name, 2 * id AS twice FROM \"my \"\"loans\" ORDER BY id LIMIT 2;", &error);
  g_assert_no_error (error);
  assert_same_table (query, "name,twice\n\"a, b\",2\n\"say \"\"x\"\"\",4\n");
  g_assert_null (mt_import_get_dialect (query)->table);

  assert_place_refused (path, NULL, NULL, "The file has several tables (“my \"loans”, “low”, “odd”): choose one, or give a query");
  assert_place_refused (path, "nope", NULL, "There is no table “nope”; the tables are *");
  assert_place_refused (path, "odd", NULL, "“blob” holds binary data in row 1: use a query that leaves out this column");
  assert_place_refused (path, "odd", "SELECT 1", "Choose a table or give a query, not both");
  assert_place_refused (path, NULL, "SELECT", "SQLite cannot read the file: *");
  assert_place_refused (path, NULL, "SELECT 1; SELECT 2", "A query must be a single SELECT statement that returns columns");
  assert_place_refused (path, NULL, "", "A query must be a single SELECT statement that returns columns");
  for (guint i = 0; i < 4; i++)
    {
      static const char * const writes[] = { "DELETE FROM odd", "ATTACH 'other.db' AS o", "PRAGMA user_version = 3",
                                             "CREATE TABLE x (y)" };

      assert_place_refused (path, NULL, writes[i], "A query may only read the database: begin it with SELECT");
    }
  /* Rows in another order at the second reading would mix columns of different rows. */
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
test_text_has_no_parts (void)
{
  g_autofree char *path = make_database ("CREATE TABLE t (a);");
  g_autoptr (GBytes) csv = g_bytes_new_static ("a,b\n1,2\n", 8);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  assert_refused (csv, "Data", "A text file has only one table, so do not choose a sheet*");
  stream = G_INPUT_STREAM (g_file_read (file, NULL, NULL));
  g_assert_null (mt_import_stream (stream, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "SQLite can be read only from a file, not from a pipe: save the data to a file first");
  g_unlink (path);
}

/* The program does the work; without it the sentence says so. */
static void
test_duckdb (void)
{
  g_autofree char *program = g_find_program_in_path ("duckdb");
  g_autofree char *directory = g_dir_make_tmp ("test-import-XXXXXX", NULL);
  g_autofree char *database = g_build_filename (directory, "t.db", NULL);
  g_autofree char *parquet = g_build_filename (directory, "it's *.parquet", NULL);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (parquet, "PAR1\x15\x04\x15", 7, NULL));
  g_setenv ("PATH", directory, TRUE);
  assert_place_refused (parquet, NULL, NULL, "To read Parquet files, install the program duckdb*");
  g_setenv ("PATH", path, TRUE);
  if (program == NULL)
    g_test_skip ("duckdb is not installed");
  else
    {
      const char *make[] = { program, database, "-c", "CREATE TABLE a AS SELECT 1 AS x, 'p, q' AS t, DATE '2024-01-31' AS d UNION ALL "
                             "SELECT 2, NULL, NULL; CREATE TABLE b AS SELECT 1 AS y; COPY a TO 'out.parquet'", NULL };
      g_autoptr (MtImport) table = NULL;
      g_autoptr (MtImport) query = NULL;
      g_autoptr (MtImport) file = NULL;
      g_autofree char *out = g_build_filename (directory, "out.parquet", NULL);

      g_assert_true (g_spawn_sync (directory, (char **) make, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, NULL, NULL));
      g_assert_cmpint (g_rename (out, parquet), ==, 0);
      table = import_place (database, "a", NULL, &error);
      g_assert_no_error (error);
      assert_same_table (table, "x,t,d\n1,\"p, q\",2024-01-31\n2,,\n");
      query = import_place (database, NULL, "SELECT y + 1 AS z FROM b", &error);
      g_assert_no_error (error);
      assert_same_table (query, "z\n2\n");
      file = import_place (parquet, NULL, NULL, &error);
      g_assert_no_error (error);
      assert_same_table (file, "x,t,d\n1,\"p, q\",2024-01-31\n2,,\n");
      assert_place_refused (database, NULL, NULL, "The file has several tables (“a”, “b”): choose one, or give a query");
      assert_place_refused (database, NULL, "SELECT nothing FROM b", "duckdb cannot read the file: *");
      assert_place_refused (database, NULL, "SELECT * FROM read_csv('/etc/passwd')", "duckdb cannot read the file: *");
      g_unlink (database);
    }
  g_unlink (parquet);
  g_rmdir (directory);
}

/* --- zstd --- */

#ifdef HAVE_LIBZSTD

/* A frame of blocks as they are: @block as it is, or, where @repeat is not 0, that byte @n_repeats times 128 KiB. */
static GBytes *
make_zstd (const char *block,
           char        repeat,
           guint       n_repeats)
{
  g_autoptr (GString) out = g_string_new_len ("\x28\xb5\x2f\xfd\x00\x38", 6);
  gsize length = strlen (block);

  for (guint i = 0; i <= n_repeats; i++)
    {
      gsize size = i == 0 ? length : 128 * 1024;
      guint32 head = (i == n_repeats ? 1u : 0u) | (i == 0 ? 0u : 2u) | (guint32) size << 3;

      for (guint b = 0; b < 3; b++)
        g_string_append_c (out, (char) (head >> (8 * b) & 0xff));
      if (i == 0)
        g_string_append_len (out, block, (gssize) length);
      else
        g_string_append_c (out, repeat);
    }
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

static void
test_zstd (void)
{
  g_autoptr (GBytes) bytes = make_zstd ("a,b\n1,x\n2,y\n", 0, 0);
  g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) - 3);
  g_autoptr (GBytes) bomb = make_zstd ("a,b\n1,2\n", '\n', 2400);
  g_autofree char *twice = g_malloc (2 * g_bytes_get_size (bytes));
  g_autoptr (GBytes) frames = NULL;

  assert_table (bytes, NULL, "a,b\n1,x\n2,y\n");
  memcpy (twice, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  memcpy (twice + g_bytes_get_size (bytes), g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  frames = g_bytes_new (twice, 2 * g_bytes_get_size (bytes));
  assert_table (frames, NULL, "a,b\n1,x\n2,y\na,b\n1,x\n2,y\n");
  assert_refused (cut, NULL, "The zstd data is damaged or truncated: *");
  twice[6] = 7;    /* a kind of block that does not exist */
  g_bytes_unref (frames);
  frames = g_bytes_new (twice, g_bytes_get_size (bytes));
  assert_refused (frames, NULL, "The zstd data is damaged or truncated: *");
  assert_refused (bomb, NULL, "The file unpacks to more than 500 times its size*");
}

#endif

/* Words of a CSV are no magic numbers. */
static void
test_format (void)
{
  static const struct { const char *head; gsize length; MtImportFormat format; } files[] = {
    { "PAR1,PAR2\n", 10, MT_FORMAT_TEXT }, { "PAR1\x15\x04", 6, MT_FORMAT_PARQUET }, { "PAR1", 4, MT_FORMAT_TEXT },
    { "a,b,c,d,DUCK,e,f,g,h", 20, MT_FORMAT_TEXT }, { "12345678DUCK@\0\0\0\0\0\0\0", 20, MT_FORMAT_DUCKDB },
    { "SQLite format 3\n", 16, MT_FORMAT_TEXT }, { "SQLite format 3", 16, MT_FORMAT_SQLITE }, { "PK\3\4", 4, MT_FORMAT_XLSX },
    { "", 0, MT_FORMAT_TEXT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_assert_cmpint (mt_import_format_of (files[i].head, files[i].length), ==, files[i].format);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import-tables/format", test_format);
  g_test_add_func ("/import-tables/xlsx", test_xlsx);
  g_test_add_func ("/import-tables/xlsx-1904", test_xlsx_1904);
  g_test_add_func ("/import-tables/sheet-choice", test_sheet_choice);
  g_test_add_func ("/import-tables/merged", test_merged);
  g_test_add_func ("/import-tables/xlsx-damaged", test_xlsx_damaged);
  g_test_add_func ("/import-tables/long-sheet", test_long_sheet);
  g_test_add_func ("/import-tables/ods", test_ods);
  g_test_add_func ("/import-tables/sqlite", test_sqlite);
  g_test_add_func ("/import-tables/text-has-no-parts", test_text_has_no_parts);
  g_test_add_func ("/import-tables/duckdb", test_duckdb);
#ifdef HAVE_LIBZSTD
  g_test_add_func ("/import-tables/zstd", test_zstd);
#endif
  return g_test_run ();
}
