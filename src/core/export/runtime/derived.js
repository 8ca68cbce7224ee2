// f of the numbers; null if one of them, or the result, is missing or not finite.
function finiteOf(f, ...numbers) {
  if (!numbers.every(Number.isFinite)) return null;
  const result = f(...numbers);
  return Number.isFinite(result) ? result : null;
}
function plus(a, b) { return finiteOf((x, y) => x + y, a, b); }
function minus(a, b) { return finiteOf((x, y) => x - y, a, b); }
function times(a, b) { return finiteOf((x, y) => x * y, a, b); }
function dividedBy(a, b) { return finiteOf((x, y) => x / y, a, b); }
function negative(a) { return finiteOf((x) => -x, a); }
function logOf(a) { return finiteOf((x) => x > 0 ? Math.log(x) : NaN, a); }
function absOf(a) { return finiteOf(Math.abs, a); }

// Year, month, and day of days since 1970-01-01; null outside the years 1 to 9999.
function dateParts(days) {
  if (days === null || !(days >= -719162 && days < 2932897)) return [null, null, null];
  const whole = Math.floor(days) + 719468, era = Math.floor(whole / 146097), ofEra = whole - era * 146097;
  const year = Math.floor((ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36524) - Math.floor(ofEra / 146096)) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153), month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return [year + 400 * era + (month <= 2 ? 1 : 0), month, ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1];
}
function yearOf(days) { return dateParts(days)[0]; }
function monthOf(days) { return dateParts(days)[1]; }
function dayOf(days) { return dateParts(days)[2]; }
function weekdayOf(days, levels) {
  return dateParts(days)[0] === null ? null : levels[(((Math.floor(days) + 3) % 7) + 7) % 7];
}
function contains(text, part, levels) { return text === null ? null : levels[text.includes(part) ? 1 : 0]; }
function binOf(x, edges, levels) { return Number.isFinite(x) ? levels[edges.filter((edge) => x >= edge).length] : null; }

