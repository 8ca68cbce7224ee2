#!/usr/bin/env node
// A rule model as a program without dependencies: reads a CSV with a header on standard input
// and writes one line of predictions for each row on standard output.
"use strict";

@MODEL@

function atLeast(x, threshold) { return x !== null && x >= threshold; }
function isLevel(x, level) { return x === level; }
function isOther(x, levels) { return x !== null && !levels.includes(x); }
function isMissing(x) { return x === null; }

// null for what counts as missing.
function knownNumber(x, gaps) { return gaps.includes(x) ? null : x; }
function knownText(x, gaps) { return x !== null && meansMissing(x, gaps, numbersAmong(gaps)) ? null : x; }

// How far a number is from the training mean; a missing one not at all.
function fromMean(x, mean, low, high) {
  if (x === null) return 0;
  if (x === -Infinity) x = low;
  if (x === Infinity) x = high;
  return x - mean;
}

// How far the binary logarithm of 1 + the distance from the center, with its sign, is from the training mean.
function logFromMean(x, mean, low, high, center) {
  if (x === null) return 0;
  if (x === -Infinity) x = low;
  if (x === Infinity) x = high;
  return Math.sign(x - center) * Math.log1p(Math.abs(x - center)) / Math.LN2 - mean;
}

// The same for a number that counts at least as low and at most as high.
function clippedFromMean(x, mean, low, high) {
  return x === null ? 0 : Math.min(Math.max(x, low), high) - mean;
}

// cells: a value a column, in the order of NAMES: a number (dates: days since 1970-01-01), a
// string, or null when missing. Gives what the program prints: the number predicted, or the class
// and the probability of each class.
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
const PADDED = /^[+-]?0[0-9]+$/;   // a code, no number

function trim(text) { return text.replace(/^[ \t]+|[ \t]+$/g, ""); }

function isPlain(text) { return NUMBER.test(text) && !PADDED.test(text); }

function numbersAmong(tokens) { return tokens.filter(isPlain).map(Number); }

// Where 0 means missing, so does 0.0.
function meansMissing(text, tokens, numbers) {
  text = trim(text);
  return tokens.includes(text) || (numbers.length > 0 && isPlain(text) && numbers.includes(Number(text)));
}

// A number, null for what a double cannot hold.
function readNumber(text) {
  text = trim(text);
  if (INFINITE.test(text)) return null;
  if (!NUMBER.test(text)) throw new Error("is not a number");
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

// Days since 1970-01-01. order: where year, month and day stand.
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

const ORDERS = [[0, 1, 2], [2, 1, 0], [2, 0, 1]];   // y-m-d, d-m-y, m-d-y: indices of year, month, day

// The order in which most cells are dates.
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

// texts: the cells, null for those that are missing.
function readColumn(kind, texts) {
  if (kind === "text") return texts;
  const order = kind === "date" ? dateOrder(texts.filter((text) => text !== null)) : null;
  return texts.map((text, row) => {
    try {
      return text === null ? null : kind === "date" ? readDate(text, order) : readNumber(text);
    } catch (wrong) {
      throw new Error(`row ${row + 1}: ${JSON.stringify(text)} ${wrong.message}`);
    }
  });
}

// --- files ---

// Records as lists of texts; lines that are blank are left out.
function parseCsv(text, delimiter) {
  const records = [], n = text.length;
  let record = [], start = 0;
  const ends = (at) => at >= n || text[at] === delimiter || text[at] === "\n" || text[at] === "\r";
  while (start < n) {
    let field = "", quoted = false, at = start;
    if (text[start] === '"') {
      quoted = true;
      at = start + 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error("a quote is never closed");
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
      if (!ends(at)) throw new Error("a quote is followed by more than a delimiter");
    } else {
      while (!ends(at)) at++;
      field = text.slice(start, at);
    }
    record.push(field);
    if (at < n && text[at] === delimiter) {
      start = at + 1;
      if (start < n) continue;
      record.push("");
    }
    if (record.length > 1 || quoted || trim(record[0]) !== "") records.push(record);
    record = [];
    start = at + 1;
  }
  return records;
}

// A column without a name is called by its number, a name that is taken gets a number.
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
  let lacking = null;
  for (const delimiter of [",", ";", "\t", "|"]) {
    const records = parseCsv(text, delimiter);
    const names = columnNames(records.length ? records[0] : []);
    const absent = NAMES.find((name) => !names.includes(name));
    if (absent !== undefined) {
      lacking = lacking === null ? absent : lacking;
      continue;
    }
    const rows = records.slice(1);
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
  throw new Error(`the data has no column ${JSON.stringify(lacking)}`);
}

// Text that a spreadsheet would take for a formula gets an apostrophe in front.
function writeCell(value) {
  if (typeof value === "number") return String(value);
  if (/^[=+\-@\t\r]/.test(value) && !NUMBER.test(value)) value = "'" + value;
  if (value === "" || /^ | $|[,"\n\r]/.test(value)) value = '"' + value.replace(/"/g, '""') + '"';
  return value;
}

function main() {
  const text = require("fs").readFileSync(0, "utf8").replace(/^\ufeff/, "");
  const [columns, nRows] = readTable(text);
  KINDS.forEach((kind, i) => {
    try {
      columns[i] = readColumn(kind, columns[i]);
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
