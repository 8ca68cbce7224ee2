# Numbers; NA if they are missing or not finite.
finite <- function(x) {
  x[!is.finite(x)] <- NA
  x
}
plus <- function(a, b) finite(finite(a) + finite(b))
minus <- function(a, b) finite(finite(a) - finite(b))
times <- function(a, b) finite(finite(a) * finite(b))
divided_by <- function(a, b) finite(finite(a) / finite(b))
negative <- function(x) -finite(x)
log_of <- function(x) {
  x[!is.na(x) & x <= 0] <- NA
  finite(log(finite(x)))
}
abs_of <- function(x) abs(finite(x))

# Years, months, or days of days since 1970-01-01; NA outside the years 1 to 9999.
date_part <- function(days, part) {
  days[!is.na(days) & !(days >= -719162 & days < 2932897)] <- NA
  whole <- floor(days) + 719468
  era <- whole %/% 146097
  day <- whole %% 146097
  year <- (day - day %/% 1460 + day %/% 36524 - day %/% 146096) %/% 365
  day <- day - (365 * year + year %/% 4 - year %/% 100)
  month <- (5 * day + 2) %/% 153
  day <- day - (153 * month + 2) %/% 5 + 1
  month <- ifelse(month < 10, month + 3, month - 9)
  switch(part, year = year + 400 * era + ifelse(month <= 2, 1, 0), month = month, day = day)
}
year_of <- function(days) date_part(days, "year")
month_of <- function(days) date_part(days, "month")
day_of <- function(days) date_part(days, "day")
weekday_of <- function(days, levels) {
  days[is.na(date_part(days, "year"))] <- NA
  levels[(floor(days) + 3) %% 7 + 1]
}
contains <- function(text, part, levels) {
  ifelse(is.na(text), NA_character_, levels[1 + grepl(part, text, fixed = TRUE, useBytes = TRUE)])
}
bin_of <- function(x, edges, levels) levels[findInterval(finite(x), edges) + 1]

