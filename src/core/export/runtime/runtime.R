#!/usr/bin/env Rscript
# A rule model as a program without dependencies. It reads a CSV file with a header from standard input
# and writes one line of predictions per row to standard output.

@MODEL@

at_least <- function(x, threshold) !is.na(x) & x >= threshold
is_level <- function(x, level) !is.na(x) & x == level
is_other <- function(x, levels) !is.na(x) & !(x %in% levels)
is_missing <- function(x) is.na(x)

# Numbers that count as missing become NA.
known_number <- function(x, gaps) {
  x[!is.na(x) & x %in% gaps] <- NA
  x
}
known_text <- function(x, gaps) without_missing(x, gaps)

# Distances from the training mean; 0 if a number is missing.
from_mean <- function(x, mean, low, high) {
  x[!is.na(x) & x == -Inf] <- low
  x[!is.na(x) & x == Inf] <- high
  ifelse(is.na(x), 0, x - mean)
}

# Binary logarithms of 1 + the distance from the center, with the sign of the distance, minus their training mean; 0 if a
# number is missing.
log_from_mean <- function(x, mean, low, high, center) {
  x[!is.na(x) & x == -Inf] <- low
  x[!is.na(x) & x == Inf] <- high
  ifelse(is.na(x), 0, sign(x - center) * log1p(abs(x - center)) / log(2) - mean)
}

# Numbers limited to the range from low to high, minus their training mean; 0 if a number is missing.
clipped_from_mean <- function(x, mean, low, high) {
  ifelse(is.na(x), 0, pmin(pmax(x, low), high) - mean)
}

# cells: a list of vectors, one per column, in the order of NAMES: numbers (dates: days since
# 1970-01-01) or texts; NA if missing. Returns a data frame with what the program prints: the
# predicted number, or the predicted class and the probability of each class.
predict_rows <- function(cells, n) {
  s <- lapply(scores(cells), function(x) rep_len(x, n))
  if (!all(is.finite(unlist(s)))) stop("a score is too large for a number; check the values")
  if (TASK == "regression") return(list(s[[1]]))
  if (TASK == "binary") {
    p <- 1 / (1 + exp(-s[[1]]))
    return(list(CLASSES[ifelse(p > 0.5, 2, 1)], 1 - p, p))
  }
  top <- do.call(pmax, s)
  e <- lapply(s, function(x) exp(x - top))
  total <- Reduce(`+`, e)
  p <- lapply(e, function(x) x / total)
  best <- rep_len(1, n)
  most <- p[[1]]
  for (i in seq_along(p)[-1]) {
    best[p[[i]] > most] <- i
    most <- pmax(most, p[[i]])
  }
  c(list(CLASSES[best]), p)
}

# --- cells ---

NUMBER <- "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"
INFINITE <- "^[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?$"
DATE <- paste0("^([0-9]+)([-/.])([0-9]+)\\2([0-9]+)([T ]([0-9]{1,2}):([0-9]{2})(:([0-9]{2}))?([.]([0-9]*))?",
               "(Z|([+-])([0-9]{2}):?([0-9]{2})?)?)?$")
MONTH_DAYS <- c(31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
ORDERS <- list(c(1, 2, 3), c(3, 2, 1), c(3, 1, 2))   # y-m-d, d-m-y, m-d-y: the positions of year, month, and day

trim <- function(text) gsub("^[ \t]+|[ \t]+$", "", text, useBytes = TRUE)
marked <- function(text) { Encoding(text) <- "UTF-8"; text }

is_plain <- function(text) grepl(NUMBER, text) & !grepl("^[+-]?0[0-9]+$", text)   # 007 is a code, not a number

# Missing cells become NA. If 0 means missing, so does 0.0.
without_missing <- function(text, tokens) {
  bare <- marked(trim(text))
  numbers <- as.numeric(tokens[is_plain(tokens)])
  gone <- bare %in% tokens
  if (length(numbers) > 0) {
    is_number <- is_plain(bare)
    gone[is_number] <- gone[is_number] | as.numeric(bare[is_number]) %in% numbers
  }
  ifelse(gone, NA_character_, text)
}

# The numbers with their sign, without the unit that the training data had. unit: the unit, or "-" if only parentheses and
# a minus sign at the end are removed. front: the unit if it may come first.
without_unit <- function(text, unit, front) {
  vapply(text, function(bare) {
    if (is.na(bare) || grepl(NUMBER, bare)) return(bare)
    sign <- ""
    if (nchar(bare) > 2 && startsWith(bare, "(") && endsWith(bare, ")")) {
      sign <- "-"
      bare <- trim(substring(bare, 2, nchar(bare) - 1))
    }
    minus <- if (startsWith(bare, "-")) 1 else 0
    if (front != "" && startsWith(substring(bare, minus + 1), front)) {
      if (minus == 1) sign <- "-"
      bare <- substring(bare, minus + nchar(front) + 1)
    } else if (grepl("[0-9]-$", bare)) {
      sign <- "-"
      bare <- substring(bare, 1, nchar(bare) - 1)
    } else if (unit != "-" && endsWith(bare, unit)) {
      bare <- substring(bare, 1, nchar(bare) - nchar(unit))
    }
    bare <- trim(bare)
    if (!grepl(NUMBER, bare) || sign == "") bare
    else if (startsWith(bare, "-")) substring(bare, 2)
    else paste0("-", sub("^[+]", "", bare))
  }, "", USE.NAMES = FALSE)
}

read_numbers <- function(text, unit, front) {
  bare <- trim(text)
  bare[!is.na(bare) & grepl(INFINITE, bare)] <- NA
  if (unit != "") bare <- without_unit(marked(bare), unit, front)
  wrong <- which(!is.na(bare) & !grepl(NUMBER, bare))
  if (length(wrong) > 0) stop(sprintf("row %d: '%s' is not a number", wrong[1], text[wrong[1]]))
  value <- as.numeric(bare)
  value[is.infinite(value)] <- NA
  value
}

# Days since 1970-01-01; NA if the text is not a date in this order.
read_date <- function(text, order) {
  m <- regmatches(text, regexec(DATE, gsub("^ +| +$", "", text)))[[1]]
  if (length(m) == 0) return(NA_real_)
  parts <- m[c(2, 4, 5)]
  if (nchar(parts[order[1]]) != 4 || any(nchar(parts[-order[1]]) > 2)) return(NA_real_)
  ymd <- as.numeric(parts[order])
  year <- ymd[1]; month <- ymd[2]; day <- ymd[3]
  leap <- year %% 4 == 0 && (year %% 100 != 0 || year %% 400 == 0)
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > MONTH_DAYS[month] ||
      (month == 2 && day == 29 && !leap)) return(NA_real_)
  time <- suppressWarnings(as.numeric(m[c(7, 8, 10)]))
  time[is.na(time)] <- 0
  zone <- suppressWarnings(as.numeric(m[c(15, 16)]))
  zone[is.na(zone)] <- 0
  if (time[1] > 23 || time[2] > 59 || time[3] > 60 || zone[1] > 14 || zone[2] > 59) return(NA_real_)
  if (m[14] == "-") zone <- -zone
  fraction <- 0
  scale <- 0.1
  for (digit in as.numeric(strsplit(m[12], "")[[1]])) {
    fraction <- fraction + scale * digit
    scale <- scale / 10
  }
  y <- if (month <= 2) year - 1 else year
  days <- 365 * y + y %/% 4 - y %/% 100 + y %/% 400 +
    (153 * (month + if (month > 2) -3 else 9) + 2) %/% 5 + day - 1 - 719468
  days + ((time[1] - zone[1]) * 3600 + (time[2] - zone[2]) * 60 + time[3] + fraction) / 86400
}

# Uses the order of year, month, and day in which most cells are valid dates.
read_dates <- function(text) {
  best <- NULL
  for (order in ORDERS) {
    days <- vapply(text, function(t) if (is.na(t)) NA_real_ else read_date(t, order), 0, USE.NAMES = FALSE)
    if (is.null(best) || sum(!is.na(days)) > sum(!is.na(best))) best <- days
  }
  wrong <- which(!is.na(text) & is.na(best))
  if (length(wrong) > 0) stop(sprintf("row %d: '%s' is not a date", wrong[1], text[wrong[1]]))
  best
}

# --- files ---

# The fields of all records, without blank lines: the text of each, its record, and its place in that record.
read_records <- function(text, delimiter) {
  token <- paste0("\"(?:[^\"]++|\"\")*+\"|[", delimiter, "]|\r\n|\n|\r|[^", delimiter, "\n\r]++")
  tokens <- regmatches(text, gregexpr(token, text, perl = TRUE, useBytes = TRUE))[[1]]
  is_end <- tokens %in% c("\r\n", "\n", "\r")
  ends <- is_end | tokens == delimiter
  fields <- cumsum(ends)[!ends] + 1
  values <- tokens[!ends]
  quoted <- grepl("^\"(?:[^\"]++|\"\")*+\"$", values, perl = TRUE, useBytes = TRUE)
  wrong <- c(which(duplicated(fields)), which(!quoted & grepl("\"", values, fixed = TRUE, useBytes = TRUE)))
  if (length(wrong) > 0) {
    before <- seq_len(which(!ends)[min(wrong)])
    stop(sprintf("line %d: a quote is in the middle of a field, or never closed",
                 1 + sum(lengths(regmatches(tokens[before], gregexpr("\r\n|\n|\r", tokens[before], useBytes = TRUE))))),
         call. = FALSE)
  }
  values[quoted] <- gsub("\"\"", "\"", sub("^\"", "", sub("\"$", "", values[quoted], useBytes = TRUE), useBytes = TRUE),
                         fixed = TRUE, useBytes = TRUE)
  n <- sum(ends) + 1
  all <- character(n)
  all[fields] <- values
  is_quoted <- logical(n)
  is_quoted[fields] <- quoted
  record <- cumsum(c(0, is_end[ends])) + 1
  counts <- tabulate(record)
  first <- which(counts[record] > 1 | is_quoted | trim(all) != "")[1]
  blanks <- !is.na(first) && counts[record[first]] == 1      # in a table of one column, blanks are a cell
  keep <- counts[record] > 1 | is_quoted | (if (blanks) all else trim(all)) != ""
  list(values = marked(all[keep]), record = match(record[keep], unique(record[keep])), place = sequence(counts)[keep])
}

# A column without a name is named by its number. A repeated name gets a number at its end.
column_names <- function(header) {
  names <- character(0)
  for (i in seq_along(header)) {
    base <- if (trim(header[i]) == "") sprintf("column %d", i) else header[i]
    name <- base
    n <- 2
    while (tolower(name) %in% tolower(names)) {
      name <- sprintf("%s (%d)", base, n)
      n <- n + 1
    }
    names <- c(names, name)
  }
  names
}

# The columns of the model as texts or NA, and the number of rows.
read_table <- function(text) {
  lacking <- NULL
  wrong <- NULL
  for (delimiter in c(",", ";", "\t", "|")) {
    read <- tryCatch(read_records(text, delimiter), error = function(e) e)
    if (inherits(read, "error")) {
      if (is.null(wrong)) wrong <- read
      next
    }
    header <- read$values[read$record == 1]
    width <- length(header)
    names <- marked(column_names(header))
    absent <- NAMES[!(NAMES %in% names)]
    if (length(absent) > 0) {
      if (is.null(lacking)) lacking <- absent[1]
      next
    }
    for (name in NAMES)
      if (sum(header == name) > 1)
        stop(sprintf("two columns are called '%s'; rename or remove one of them", name), call. = FALSE)
    n <- max(read$record) - 1
    if (n == 0) stop("there are no data rows after the header", call. = FALSE)
    counts <- tabulate(read$record)
    short <- which(counts < width) - 1
    if (length(short) * 20 > n)
      stop(sprintf("row %d has %d fields where %d are expected; %d of %d rows are too short", short[1],
                   counts[short[1] + 1], width, length(short), n), call. = FALSE)
    extra <- which(read$place > width & trim(read$values) != "")
    if (length(extra) > 0)
      stop(sprintf("row %d has %d fields where %d are expected", read$record[extra[1]] - 1,
                   counts[read$record[extra[1]]], width), call. = FALSE)
    columns <- lapply(NAMES, function(name) {
      here <- read$place == match(name, names) & read$record > 1
      cells <- character(n)
      cells[read$record[here] - 1] <- read$values[here]
      without_missing(marked(cells), c(MISSING, MISSING_VALUES[MISSING_IN == name]))
    })
    return(list(columns = columns, n = n))
  }
  if (!is.null(wrong)) stop(wrong)
  if (is.null(lacking)) lacking <- NAMES[1]
  stop(sprintf("the data has no column '%s'", lacking), call. = FALSE)
}

read_text <- function() {
  input <- file("stdin", "rb")
  bytes <- raw(0)
  while (length(part <- readBin(input, "raw", 1e6)) > 0) bytes <- c(bytes, part)
  close(input)
  if (any(bytes == 0))
    stop(sprintf("line %d has a NUL byte, which is not text",
                 1 + sum(bytes[seq_len(match(as.raw(0), bytes))] == as.raw(10))), call. = FALSE)
  if (length(bytes) >= 3 && all(bytes[1:3] == as.raw(c(0xef, 0xbb, 0xbf)))) bytes <- bytes[-(1:3)]
  text <- rawToChar(bytes)
  if (!validUTF8(text)) stop("the data is not UTF-8", call. = FALSE)
  text
}

# Puts an apostrophe before text that a spreadsheet would run as a formula.
write_cells <- function(value) {
  if (is.numeric(value)) return(sprintf("%.17g", value))
  formula <- grepl("^[=+@\t\r-]", value) & !grepl(NUMBER, value)
  value[formula] <- paste0("'", value[formula])
  quoted <- value == "" | grepl("^ | $|[,\"\n\r]", value)
  value[quoted] <- paste0("\"", gsub("\"", "\"\"", value[quoted]), "\"")
  value
}

main <- function() {
  table <- read_table(read_text())
  cells <- list()
  for (i in seq_along(NAMES)) {
    texts <- table$columns[[i]]
    cells[[i]] <- tryCatch(
      if (KINDS[i] == "text") texts else if (KINDS[i] == "date") read_dates(texts) else
        read_numbers(texts, UNITS[i], FRONT_UNITS[i]),
      error = function(e) stop(sprintf("column '%s', %s", NAMES[i], conditionMessage(e)), call. = FALSE))
  }
  header <- paste(c("prediction", if (length(CLASSES) > 0) write_cells(paste0("p_", CLASSES))), collapse = ",")
  out <- header
  if (table$n > 0) {
    answers <- lapply(predict_rows(cells, table$n), write_cells)
    out <- c(header, do.call(paste, c(answers, sep = ",")))
  }
  writeLines(enc2utf8(out), stdout(), useBytes = TRUE)
}

if (sys.nframe() == 0)
  tryCatch(main(), error = function(e) {
    message(conditionMessage(e))
    quit(status = 1)
  })
