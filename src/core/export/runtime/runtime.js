#!/usr/bin/env node
// A rule model as a program without dependencies. It reads a CSV file with a header from standard input
// and writes one line of predictions per row to standard output.
"use strict";

@MODEL@

function atLeast(x, threshold) { return x !== null && x >= threshold; }
function isLevel(x, level) { return x === level; }
function isOther(x, levels) { return x !== null && !levels.includes(x); }
function isMissing(x) { return x === null; }

// The number, or null if it counts as missing.
function knownNumber(x, gaps) { return gaps.includes(x) ? null : x; }
function knownText(x, gaps) { return x !== null && meansMissing(x, gaps, numbersAmong(gaps)) ? null : x; }

// The distance from the training mean; 0 if the number is missing.
function fromMean(x, mean, low, high) {
  if (x === null) return 0;
  if (x === -Infinity) x = low;
  if (x === Infinity) x = high;
  return x - mean;
}

// The binary logarithm of 1 + the distance from the center, with the sign of the distance, minus its training mean; 0 if
// the number is missing.
function logFromMean(x, mean, low, high, center) {
  if (x === null) return 0;
  if (x === -Infinity) x = low;
  if (x === Infinity) x = high;
  return Math.sign(x - center) * Math.log1p(Math.abs(x - center)) / Math.LN2 - mean;
}

// The number, limited to the range from low to high, minus its training mean; 0 if it is missing.
function clippedFromMean(x, mean, low, high) {
  return x === null ? 0 : Math.min(Math.max(x, low), high) - mean;
}

// cells: one value per column, in the order of NAMES: a number (dates: days since 1970-01-01), a
// string, or null if missing. Returns what the program prints: the predicted number, or the
// predicted class and the probability of each class.
function predict(cells) {
  const s = scores(cells);
  if (!s.every(Number.isFinite)) throw new Error("the score is too large for a number; check the values");
  if (TASK === "regression") return [s[0]];
  if (TASK === "binary") {
    const p = 1 / (1 + Math.exp(-s[0]));
    return [CLASSES[p > 0.5 ? 1 : 0], 1 - p, p];
  }
  const top = s.reduce((a, b) => Math.max(a, b));
  const e = s.map((x) => Math.exp(x - top));
  const sum = e.reduce((a, b) => a + b, 0);
  const p = e.map((x) => x / sum);
  return [CLASSES[p.indexOf(p.reduce((a, b) => Math.max(a, b)))], ...p];
}

// --- cells ---

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const INFINITE = /^[+-]?inf(inity)?$/i;
const DATE = new RegExp("^([0-9]+)([-/.])([0-9]+)\\2([0-9]+)(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?" +
                        "(?:\\.([0-9]*))?(?:Z|([+-])([0-9]{2}):?([0-9]{2})?)?)?$");
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const PADDED = /^[+-]?0[0-9]+$/;   // a code, not a number

function trim(text) { return text.replace(/^[ \t]+|[ \t]+$/g, ""); }

function isPlain(text) { return NUMBER.test(text) && !PADDED.test(text); }

function numbersAmong(tokens) { return tokens.filter(isPlain).map(Number); }

// If 0 means missing, so does 0.0.
function meansMissing(text, tokens, numbers) {
  text = trim(text);
  return tokens.includes(text) || (numbers.length > 0 && isPlain(text) && numbers.includes(Number(text)));
}

// The sign, and the number without the unit that the training data had. unit: the unit, or "-" if only parentheses
// and a minus sign at the end are removed. front: the unit if it may come first.
function withoutUnit(text, unit, front) {
  let sign = 1;
  if (unit === "-") unit = "";
  if (text.length > 2 && text.startsWith("(") && text.endsWith(")")) {
    sign = -1;
    text = trim(text.slice(1, -1));
  }
  const minus = text.startsWith("-") ? 1 : 0;
  if (front !== "" && text.startsWith(front, minus)) {
    if (minus) sign = -1;
    text = text.slice(minus + front.length);
  } else if (/[0-9]-$/.test(text)) {
    sign = -1;
    text = text.slice(0, -1);
  } else if (unit !== "" && text.endsWith(unit)) {
    text = text.slice(0, -unit.length);
  }
  return [sign, trim(text)];
}

// A number, or null if it is too large for a double.
function readNumber(text, unit, front) {
  let sign = 1;
  text = trim(text);
  if (INFINITE.test(text)) return null;
  if (unit !== "" && !NUMBER.test(text)) [sign, text] = withoutUnit(text, unit, front);
  if (!NUMBER.test(text)) throw new Error("is not a number");
  const value = sign * Number(text);
  return Number.isFinite(value) ? value : null;
}

// Days since 1970-01-01. order: the positions of year, month, and day.
function readDate(text, order) {
  const m = DATE.exec(text.replace(/^ +| +$/g, ""));
  const parts = m ? [m[1], m[3], m[4]] : [];
  if (!m || parts.some((part, i) => (i === order[0] ? part.length !== 4 : part.length > 2)))
    throw new Error("is not a date");
  const [year, month, day] = order.map((i) => Number(parts[i]));
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > MONTH_DAYS[month - 1] ||
      (month === 2 && day === 29 && !leap))
    throw new Error("is not a date");
  const [hour, minute, second] = [m[5], m[6], m[7]].map((x) => Number(x || 0));
  let zone = [Number(m[10] || 0), Number(m[11] || 0)];
  if (hour > 23 || minute > 59 || second > 60 || zone[0] > 14 || zone[1] > 59) throw new Error("is not a date");
  let fraction = 0, scale = 0.1;
  for (const digit of m[8] || "") {
    fraction += scale * Number(digit);
    scale /= 10;
  }
  if (m[9] === "-") zone = [-zone[0], -zone[1]];
  const y = month <= 2 ? year - 1 : year;
  const days = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) +
    Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1 - 719468;
  return days + ((hour - zone[0]) * 3600 + (minute - zone[1]) * 60 + second + fraction) / 86400;
}

const ORDERS = [[0, 1, 2], [2, 1, 0], [2, 0, 1]];   // y-m-d, d-m-y, m-d-y: the positions of year, month, and day

// The order of year, month, and day in which most cells are valid dates.
function dateOrder(texts) {
  let best = ORDERS[0], most = -1;
  for (const order of ORDERS) {
    let n = 0;
    for (const text of texts) {
      try { readDate(text, order); n++; } catch { /* not in this order */ }
    }
    if (n > most) [best, most] = [order, n];
  }
  return best;
}

// texts: the cells; null if missing.
function readColumn(kind, texts, unit, front) {
  if (kind === "text") return texts;
  const order = kind === "date" ? dateOrder(texts.filter((text) => text !== null)) : null;
  return texts.map((text, row) => {
    try {
      return text === null ? null : kind === "date" ? readDate(text, order) : readNumber(text, unit, front);
    } catch (wrong) {
      throw new Error(`row ${row + 1}: ${JSON.stringify(text)} ${wrong.message}`);
    }
  });
}

// --- files ---

// The line of the file that has this character, for messages.
function lineAt(text, at) { return 1 + (text.slice(0, at).match(/\r\n|\n|\r/g) || []).length; }

// Records as lists of texts, without blank lines. most: the largest number of records to read.
function parseCsv(text, delimiter, most) {
  const records = [], n = text.length;
  let record = [], start = 0;
  const ends = (at) => at >= n || text[at] === delimiter || text[at] === "\n" || text[at] === "\r";
  while (start < n && records.length < most) {
    let field = "", quoted = false, at = start;
    if (text[start] === '"') {
      quoted = true;
      at = start + 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error(`line ${lineAt(text, start)}: a quote is never closed`);
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    } else {
      while (!ends(at)) at++;
      field = text.slice(start, at);
    }
    if (!ends(at) || (!quoted && field.includes('"')))
      throw new Error(`line ${lineAt(text, start)}: a quote is in the middle of a field`);
    record.push(field);
    if (at < n && text[at] === delimiter) {
      start = at + 1;
      if (start < n) continue;
      record.push("");
    }
    const blanks = records.length > 0 && records[0].length === 1;   // in a table of one column, blanks are a cell
    if (record.length > 1 || quoted || (blanks ? record[0] : trim(record[0])) !== "") records.push(record);
    record = [];
    start = at + 1;
  }
  return records;
}

// A column without a name is named by its number. A repeated name gets a number at its end.
function columnNames(header) {
  const taken = new Set();
  return header.map((wanted, i) => {
    const base = trim(wanted) ? wanted : `column ${i + 1}`;
    let name = base;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base} (${n})`;
    taken.add(name.toLowerCase());
    return name;
  });
}

// The columns of the model, as lists of strings or null, and the number of rows.
function readTable(text) {
  let wrong = null, lacking = null;
  if (text.includes("\0")) throw new Error(`line ${lineAt(text, text.indexOf("\0"))} has a NUL byte, which is not text`);
  for (const delimiter of [",", ";", "\t", "|"]) {
    let header = [];
    try {
      header = parseCsv(text, delimiter, 1)[0] || [];
    } catch (quote) {
      wrong = wrong || quote;
      continue;
    }
    const names = columnNames(header);
    const absent = NAMES.find((name) => !names.includes(name));
    if (absent !== undefined) {
      lacking = lacking === null ? absent : lacking;
      continue;
    }
    for (const name of NAMES)
      if (header.indexOf(name) !== header.lastIndexOf(name))
        throw new Error(`two columns are called ${JSON.stringify(name)}; rename or remove one of them`);
    const rows = parseCsv(text, delimiter, Infinity).slice(1);
    if (rows.length === 0) throw new Error("there are no data rows after the header");
    const short = rows.filter((record) => record.length < names.length);
    if (short.length * 20 > rows.length)
      throw new Error(`row ${rows.indexOf(short[0]) + 1} has ${short[0].length} fields where ${names.length} are ` +
                      `expected; ${short.length} of ${rows.length} rows are too short`);
    rows.forEach((record, row) => {
      if (record.slice(names.length).some((cell) => trim(cell) !== ""))
        throw new Error(`row ${row + 1} has ${record.length} fields where ${names.length} are expected`);
    });
    const columns = NAMES.map((name) => {
      const i = names.indexOf(name);
      const tokens = MISSING.concat(MISSING_VALUES.filter((_, k) => MISSING_IN[k] === name));
      const numbers = numbersAmong(tokens);
      return rows.map((record) => {
        const cell = i < record.length ? record[i] : "";
        return meansMissing(cell, tokens, numbers) ? null : cell;
      });
    });
    return [columns, rows.length];
  }
  throw wrong || new Error(`the data has no column ${JSON.stringify(lacking)}`);
}

// Puts an apostrophe before text that a spreadsheet would run as a formula.
function writeCell(value) {
  if (typeof value === "number") return String(value);
  if (/^[=+\-@\t\r]/.test(value) && !NUMBER.test(value)) value = "'" + value;
  if (value === "" || /^ | $|[,"\n\r]/.test(value)) value = '"' + value.replace(/"/g, '""') + '"';
  return value;
}

function main() {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(require("fs").readFileSync(0));
  const [columns, nRows] = readTable(text);
  KINDS.forEach((kind, i) => {
    try {
      columns[i] = readColumn(kind, columns[i], UNITS[i], FRONT_UNITS[i]);
    } catch (wrong) {
      throw new Error(`column ${JSON.stringify(NAMES[i])}, ${wrong.message}`);
    }
  });
  const lines = [["prediction", ...CLASSES.map((name) => "p_" + name)]];
  for (let row = 0; row < nRows; row++) lines.push(predict(columns.map((column) => column[row])));
  const out = Buffer.from(lines.map((line) => line.map(writeCell).join(",") + "\n").join(""));
  for (let at = 0; at < out.length;) {
    try {
      at += require("fs").writeSync(1, out, at);
    } catch (wrong) {
      if (wrong.code !== "EAGAIN") throw wrong;
    }
  }
}

if (require.main === module) {
  try {
    main();
  } catch (wrong) {
    console.error(`${process.argv[1]}: ${wrong.message}`);
    process.exitCode = 1;
  }
} else {
  module.exports = { NAMES, KINDS, CLASSES, scores, predict };
}
