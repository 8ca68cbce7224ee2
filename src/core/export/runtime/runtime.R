#!/usr/bin/env Rscript
# A rule model as a program without dependencies: reads a CSV with a header on standard input
# and writes one line of predictions for each row on standard output.

@MODEL@

at_least <- function(x, threshold) !is.na(x) & x >= threshold
is_level <- function(x, level) !is.na(x) & x == level
is_other <- function(x, levels) !is.na(x) & !(x %in% levels)
is_missing <- function(x) is.na(x)

# NA for what counts as missing.
known_number <- function(x, gaps) {
  x[!is.na(x) & x %in% gaps] <- NA
  x
}
known_text <- function(x, gaps) without_missing(x, gaps)

# How far numbers are from the training mean; missing ones not at all.
from_mean <- function(x, mean, low, high) {
  x[!is.na(x) & x == -Inf] <- low
  x[!is.na(x) & x == Inf] <- high
  ifelse(is.na(x), 0, x - mean)
}

# How far the binary logarithms of 1 + the distances from the center, with their signs, are from the training mean.
log_from_mean <- function(x, mean, low, high, center) {
  x[!is.na(x) & x == -Inf] <- low
  x[!is.na(x) & x == Inf] <- high
  ifelse(is.na(x), 0, sign(x - center) * log1p(abs(x - center)) / log(2) - mean)
}

# The same for numbers that count at least as low and at most as high.
clipped_from_mean <- function(x, mean, low, high) {
  ifelse(is.na(x), 0, pmin(pmax(x, low), high) - mean)
}

# cells: a list of vectors, one a column, in the order of NAMES: numbers (dates: days since
# 1970-01-01) or texts, NA when missing. Gives a data frame of what the program prints: the number
# predicted, or the class and the probability of each class.
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
ORDERS <- list(c(1, 2, 3), c(3, 2, 1), c(3, 1, 2))   # y-m-d, d-m-y, m-d-y: where year, month and day stand

trim <- function(text) gsub("^[ \t]+|[ \t]+$", "", text, useBytes = TRUE)
marked <- function(text) { Encoding(text) <- "UTF-8"; text }

is_plain <- function(text) grepl(NUMBER, text) & !grepl("^[+-]?0[0-9]+$", text)   # 007 is a code, no number

# Missing cells become NA; where 0 means missing, so does 0.0.
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

read_numbers <- function(text) {
  bare <- trim(text)
  bare[!is.na(bare) & grepl(INFINITE, bare)] <- NA
  wrong <- which(!is.na(bare) & !grepl(NUMBER, bare))
  if (length(wrong) > 0) stop(sprintf("row %d: '%s' is not a number", wrong[1], text[wrong[1]]))
  value <- as.numeric(bare)
  value[is.infinite(value)] <- NA
  value
}

# Days since 1970-01-01, NA where the text is no date in this order.
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

# In the order in which most cells are dates.
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

read_records <- function(lines, delimiter) {
  counts <- count.fields(textConnection(lines, encoding = "bytes"), sep = delimiter, quote = "\"",
                         blank.lines.skip = TRUE, comment.char = "")
  table <- read.table(text = lines, sep = delimiter, quote = "\"", header = FALSE, colClasses = "character",
                      na.strings = character(0), strip.white = FALSE, blank.lines.skip = TRUE, comment.char = "",
                      fill = TRUE, col.names = seq_len(max(counts, 1, na.rm = TRUE)), check.names = FALSE,
                      encoding = "UTF-8")
  list(table = table, width = counts[!is.na(counts)][1])   # a line that ends inside a quote has no count
}

# A column without a name is called by its number, a name that is taken gets a number.
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

# The columns of the model, as texts or NA, and the number of rows.
read_table <- function(lines) {
  if (length(lines) > 0) lines[1] <- sub("^\xef\xbb\xbf", "", lines[1], useBytes = TRUE)
  lines <- marked(lines[!grepl("^[ \t\r]*$", lines, useBytes = TRUE) | cumsum(grepl("\"", lines, useBytes = TRUE)) > 0])
  if (sum(lengths(regmatches(lines, gregexpr("\"", lines, fixed = TRUE)))) %% 2 == 1)
    stop("a quote is never closed", call. = FALSE)
  lacking <- NULL
  for (delimiter in c(",", ";", "\t", "|")) {
    read <- tryCatch(suppressWarnings(read_records(lines, delimiter)), error = function(e) NULL)
    records <- read$table
    if (is.null(records) || nrow(records) == 0) next
    header <- marked(unlist(records[1, seq_len(read$width)], use.names = FALSE))
    names <- marked(column_names(header))
    absent <- NAMES[!(NAMES %in% names)]
    if (length(absent) > 0) {
      if (is.null(lacking)) lacking <- absent[1]
      next
    }
    for (i in seq_along(records)[-seq_len(read$width)])
      if (any(trim(records[[i]]) != ""))
        stop(sprintf("row %d has %d fields where %d are expected", which(trim(records[[i]]) != "")[1] - 1, i, read$width))
    columns <- lapply(NAMES, function(name) without_missing(marked(records[[match(name, names)]][-1]),
                                                            c(MISSING, MISSING_VALUES[MISSING_IN == name])))
    return(list(columns = columns, n = nrow(records) - 1))
  }
  if (is.null(lacking)) lacking <- NAMES[1]
  stop(sprintf("the data has no column '%s'", lacking))
}

# Text that a spreadsheet would take for a formula gets an apostrophe in front.
write_cells <- function(value) {
  if (is.numeric(value)) return(sprintf("%.17g", value))
  formula <- grepl("^[=+@\t\r-]", value) & !grepl(NUMBER, value)
  value[formula] <- paste0("'", value[formula])
  quoted <- value == "" | grepl("^ | $|[,\"\n\r]", value)
  value[quoted] <- paste0("\"", gsub("\"", "\"\"", value[quoted]), "\"")
  value
}

main <- function() {
  input <- file("stdin", "rb")
  table <- read_table(readLines(input, warn = FALSE, encoding = "bytes", skipNul = TRUE))
  close(input)
  cells <- list()
  for (i in seq_along(NAMES)) {
    texts <- table$columns[[i]]
    cells[[i]] <- tryCatch(
      if (KINDS[i] == "text") texts else if (KINDS[i] == "date") read_dates(texts) else read_numbers(texts),
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
