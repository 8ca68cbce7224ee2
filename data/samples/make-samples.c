/* Makes the three sample files, each with a known truth (docs/samples.md repeats it).
 *
 *   make-samples LOAN.csv TRIAGE.csv ENERGY.csv
 *
 * The truth of each file is itself a small rule model: a constant, weights for a few
 * conditions that only count together, and noise. A comparison with a missing value is
 * false, as everywhere in Minterm. Every value is rounded as it is printed before the
 * truth looks at it, so the printed file tells everything. Columns that a truth does not
 * name have no effect of their own; some are correlated with columns that have one.
 *
 * LOAN (1,200 rows, target `approved`): log-odds of yes =
 *     -0.9
 *     +2.2  if monthly_income_eur ≥ 2800 and debt_share_pct < 40      (can afford it)
 *     -2.6  if late_payments_2y ≥ 2 and guarantor = no                (no guarantor)
 *     +1.4  if (purpose = home) = (term_months ≥ 60)                  (the term suits the purpose)
 *     -1.8  if employment = self-employed and years_in_job < 3        (too young a business)
 *     -1.0  if monthly_income_eur is missing
 *   The third is a crossover: neither the purpose nor the term has an effect by itself.
 *
 * TRIAGE (1,500 rows, target `urgency`): the chance of a level is proportional to exp of
 *     immediate  -2.2  +4.6 if oxygen_saturation_pct < 91 and respiratory_rate ≥ 24
 *                      +4.4 if consciousness ≠ alert and systolic_mmhg < 100
 *     urgent     -0.4  +3.0 if complaint = chest pain and age_years ≥ 50
 *                      +2.6 if temperature_c ≥ 38.5 and heart_rate ≥ 105
 *     standard    0.6  +1.6 if complaint = injury and pain_score ≥ 6
 *     routine     0.0  +2.6 if arrival = walk-in and pain_score < 4
 *
 * ENERGY (2,000 rows, target `energy_kwh`): kWh a day =
 *     80 + 0.12 · floor_area_m2
 *     +95  if heating = electric and outdoor_temp_c < 8
 *     +60  if day = workday and occupancy_pct ≥ 60
 *     +70  if building = shop and outdoor_temp_c ≥ 24
 *     -45  if solar_panels = yes and sunshine_hours ≥ 6
 *     -30  if night_setback = yes and insulation = good
 *     +30  if night_setback = yes and insulation = poor
 *     + noise of standard deviation 15
 *   The setback is a crossover: it saves in a tight house and costs in a leaky one. */
#include "config.h"
#include "base/mt-random.h"

#include <math.h>
#include <stdio.h>

/* Seeds are arbitrary but fixed: another seed is another file. */
enum {
  SEED_LOAN = 41,
  SEED_TRIAGE = 42,
  SEED_ENERGY = 43,
};

typedef struct {
  const char *name;
  double      weight;
} Choice;

static const char *
pick (MtRandom     *random,
      const Choice *choices,
      guint         n_choices)
{
  double total = 0, at;

  for (guint i = 0; i < n_choices; i++)
    total += choices[i].weight;
  at = mt_random_double (random) * total;
  for (guint i = 0; i + 1 < n_choices; i++)
    {
      at -= choices[i].weight;
      if (at < 0)
        return choices[i].name;
    }
  return choices[n_choices - 1].name;
}

#define PICK(random, choices) pick (random, choices, G_N_ELEMENTS (choices))

static gboolean
chance (MtRandom *random,
        double    p)
{
  return mt_random_double (random) < p;
}

/* Kept in a believable range and rounded to @per_unit steps a unit; dividing last gives
 * the very double that reading the printed decimal gives. */
static double
tidy (double value,
      double low,
      double high,
      double per_unit)
{
  return round (CLAMP (value, low, high) * per_unit) / per_unit;
}

static double
draw (MtRandom *random,
      double    mean,
      double    sd,
      double    low,
      double    high,
      double    per_unit)
{
  return tidy (mean + sd * mt_random_normal (random), low, high, per_unit);
}

/* Incomes, sums and areas are skewed: the exponential of a normal value. */
static double
draw_skewed (MtRandom *random,
             double    log_mean,
             double    log_sd,
             double    low,
             double    high,
             double    per_unit)
{
  return tidy (exp (log_mean + log_sd * mt_random_normal (random)), low, high, per_unit);
}

static gboolean
is (const char *a,
    const char *b)
{
  return g_str_equal (a, b);
}

static const char *
yes_no (gboolean value)
{
  return value ? "yes" : "no";
}

/* --- writing --- */

static void
put_text (GString    *csv,
          const char *text)
{
  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, ',');
  g_string_append (csv, text);
}

/* NaN is an empty cell; @decimals digits behind the point. */
static void
put_number (GString *csv,
            double   value,
            int      decimals)
{
  char format[8], buffer[G_ASCII_DTOSTR_BUF_SIZE] = "";

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  if (!isnan (value))
    g_ascii_formatd (buffer, sizeof buffer, format, value == 0 ? 0.0 : value);
  put_text (csv, buffer);
}

static void
end_row (GString *csv)
{
  g_string_append_c (csv, '\n');
}

/* --- loan approval --- */

typedef struct {
  double      age, income, years, amount, term, debt_share, late;
  const char *employment, *housing, *purpose;
  gboolean    guarantor;
} Loan;

static Loan
draw_loan (MtRandom *random)
{
  static const Choice employments[] = {
    { "employed", 42 }, { "self-employed", 30 }, { "public service", 14 }, { "retired", 9 }, { "student", 5 },
  };
  static const Choice housings[] = { { "rent", 48 }, { "owner", 34 }, { "with family", 18 } };
  static const Choice purposes[] = { { "home", 34 }, { "car", 30 }, { "education", 12 }, { "other", 24 } };
  static const double terms[] = { 12, 24, 36, 48, 60, 72, 84, 120 };
  Loan loan;

  loan.employment = PICK (random, employments);
  loan.housing = PICK (random, housings);
  loan.purpose = PICK (random, purposes);
  loan.age = is (loan.employment, "retired") ? draw (random, 69, 4, 62, 82, 1)
             : is (loan.employment, "student") ? draw (random, 23, 3, 18, 34, 1)
                                               : draw (random, 42, 11, 20, 66, 1);
  loan.years = is (loan.employment, "retired") || is (loan.employment, "student")
               ? NAN : draw (random, (loan.age - 18) * 0.25, 4, 0, loan.age - 18, 1);
  loan.income = draw_skewed (random, is (loan.employment, "student") ? 7.15 : 7.95, 0.42, 600, 14000, 0.1);
  loan.amount = draw_skewed (random, 9.3, 0.7, 1000, 90000, 0.002);
  loan.term = terms[mt_random_below (random, G_N_ELEMENTS (terms))];
  loan.debt_share = draw (random, 34, 14, 0, 85, 1);
  loan.late = chance (random, 0.55) ? 0 : 1 + (double) mt_random_below (random, 5);
  loan.guarantor = chance (random, 0.4);
  if (chance (random, is (loan.employment, "self-employed") ? 0.15 : 0.05))
    loan.income = NAN;
  if (chance (random, 0.04))
    loan.debt_share = NAN;
  return loan;
}

static double
loan_log_odds (const Loan *loan)
{
  double odds = -0.9;

  if (loan->income >= 2800 && loan->debt_share < 40)
    odds += 2.2;
  if (loan->late >= 2 && !loan->guarantor)
    odds -= 2.6;
  if (is (loan->purpose, "home") == (loan->term >= 60))
    odds += 1.4;
  if (is (loan->employment, "self-employed") && loan->years < 3)
    odds -= 1.8;
  if (isnan (loan->income))
    odds -= 1.0;
  return odds;
}

static char *
make_loan (void)
{
  GString *csv = g_string_new ("application_id,age,employment,years_in_job,monthly_income_eur,housing,purpose,"
                               "loan_amount_eur,term_months,debt_share_pct,late_payments_2y,guarantor,approved\n");
  MtRandom random;

  mt_random_init (&random, SEED_LOAN);
  for (guint i = 0; i < 1200; i++)
    {
      Loan loan = draw_loan (&random);
      gboolean approved = chance (&random, 1 / (1 + exp (-loan_log_odds (&loan))));

      g_string_append_printf (csv, "LA-%05u", 20417 + 3 * i);
      put_number (csv, loan.age, 0);
      put_text (csv, loan.employment);
      put_number (csv, loan.years, 0);
      put_number (csv, loan.income, 0);
      put_text (csv, loan.housing);
      put_text (csv, loan.purpose);
      put_number (csv, loan.amount, 0);
      put_number (csv, loan.term, 0);
      put_number (csv, loan.debt_share, 0);
      put_number (csv, loan.late, 0);
      put_text (csv, yes_no (loan.guarantor));
      put_text (csv, yes_no (approved));
      end_row (csv);
    }
  return g_string_free (csv, FALSE);
}

/* --- triage --- */

typedef struct {
  double      age, heart_rate, systolic, respiratory, oxygen, temperature, pain;
  const char *arrival, *complaint, *consciousness;
} Patient;

static Patient
draw_patient (MtRandom *random)
{
  static const Choice arrivals[] = { { "walk-in", 55 }, { "ambulance", 27 }, { "referral", 18 } };
  static const Choice complaints[] = {
    { "chest pain", 22 }, { "breathing", 18 }, { "injury", 24 }, { "abdominal", 18 }, { "fever", 18 },
  };
  static const Choice states[] = {
    { "alert", 82 }, { "confused", 10 }, { "voice", 5 }, { "unresponsive", 3 },
  };
  Patient p;
  gboolean fever, breathless;

  p.arrival = PICK (random, arrivals);
  p.complaint = PICK (random, complaints);
  p.consciousness = PICK (random, states);
  fever = chance (random, is (p.complaint, "fever") ? 0.8 : 0.12);
  breathless = chance (random, is (p.complaint, "breathing") ? 0.55 : 0.1);
  p.age = draw (random, 48, 22, 1, 97, 1);
  p.temperature = draw (random, fever ? 38.9 : 36.9, 0.6, 35, 41.2, 10);
  p.heart_rate = draw (random, fever ? 108 : 86, 16, 42, 180, 1);
  p.systolic = draw (random, is (p.consciousness, "alert") ? 132 : 108, 20, 62, 215, 1);
  p.respiratory = draw (random, breathless ? 26 : 17, 4, 8, 44, 1);
  p.oxygen = draw (random, breathless ? 90.5 : 96.5, 2.6, 72, 100, 1);
  p.pain = draw (random, is (p.complaint, "injury") ? 6 : 3.5, 2.8, 0, 10, 1);
  if (chance (random, 0.07))
    p.temperature = NAN;
  if (chance (random, 0.03))
    p.systolic = NAN;
  if (!is (p.consciousness, "alert") && chance (random, 0.5))
    p.pain = NAN;   /* who cannot answer has no score */
  return p;
}

static void
triage_scores (const Patient *p,
               double         scores[4])
{
  scores[0] = -2.2;
  if (p->oxygen < 91 && p->respiratory >= 24)
    scores[0] += 4.6;
  if (!is (p->consciousness, "alert") && p->systolic < 100)
    scores[0] += 4.4;
  scores[1] = -0.4;
  if (is (p->complaint, "chest pain") && p->age >= 50)
    scores[1] += 3.0;
  if (p->temperature >= 38.5 && p->heart_rate >= 105)
    scores[1] += 2.6;
  scores[2] = 0.6;
  if (is (p->complaint, "injury") && p->pain >= 6)
    scores[2] += 1.6;
  scores[3] = 0.0;
  if (is (p->arrival, "walk-in") && p->pain < 4)
    scores[3] += 2.6;
}

static char *
make_triage (void)
{
  static const char * const names[] = { "immediate", "urgent", "standard", "routine" };
  GString *csv = g_string_new ("age_years,arrival,complaint,consciousness,heart_rate,systolic_mmhg,respiratory_rate,"
                               "oxygen_saturation_pct,temperature_c,pain_score,urgency\n");
  MtRandom random;

  mt_random_init (&random, SEED_TRIAGE);
  for (guint i = 0; i < 1500; i++)
    {
      Patient p = draw_patient (&random);
      Choice levels[4];
      double scores[4];

      triage_scores (&p, scores);
      for (guint c = 0; c < 4; c++)
        levels[c] = (Choice) { names[c], exp (scores[c]) };
      put_number (csv, p.age, 0);
      put_text (csv, p.arrival);
      put_text (csv, p.complaint);
      put_text (csv, p.consciousness);
      put_number (csv, p.heart_rate, 0);
      put_number (csv, p.systolic, 0);
      put_number (csv, p.respiratory, 0);
      put_number (csv, p.oxygen, 0);
      put_number (csv, p.temperature, 1);
      put_number (csv, p.pain, 0);
      put_text (csv, PICK (&random, levels));
      end_row (csv);
    }
  return g_string_free (csv, FALSE);
}

/* --- energy use --- */

typedef struct {
  double      area, temperature, humidity, wind, sunshine, occupancy;
  const char *building, *heating, *insulation;
  gboolean    workday, solar, setback;
} Day;

static Day
draw_day (MtRandom *random)
{
  static const Choice buildings[] = { { "office", 38 }, { "shop", 34 }, { "school", 28 } };
  static const Choice heatings[] = { { "electric", 36 }, { "district", 34 }, { "gas", 30 } };
  static const Choice insulations[] = { { "good", 40 }, { "fair", 28 }, { "poor", 32 } };
  Day day;

  day.building = PICK (random, buildings);
  day.heating = PICK (random, heatings);
  day.insulation = PICK (random, insulations);
  day.workday = chance (random, 5.0 / 7);
  day.solar = chance (random, 0.45);
  day.setback = chance (random, 0.5);
  day.area = draw_skewed (random, 6.2, 0.45, 120, 1800, 0.2);
  /* Two humps, a winter and a summer. */
  day.temperature = chance (random, 0.5) ? draw (random, 4, 5, -14, 20, 10) : draw (random, 21, 5, 6, 37, 10);
  day.sunshine = draw (random, day.temperature > 14 ? 7.5 : 3.5, 2.8, 0, 15, 10);
  day.humidity = draw (random, 68 - day.sunshine * 2, 11, 18, 100, 1);
  day.wind = draw (random, 3.8, 2, 0, 14, 10);
  day.occupancy = draw (random, day.workday ? 66 : 24, 19, 0, 100, 1);
  if (chance (random, 0.04))
    day.sunshine = NAN;
  if (chance (random, 0.03))
    day.occupancy = NAN;
  return day;
}

static double
energy_kwh (const Day *day)
{
  double kwh = 80 + 0.12 * day->area;

  if (is (day->heating, "electric") && day->temperature < 8)
    kwh += 95;
  if (day->workday && day->occupancy >= 60)
    kwh += 60;
  if (is (day->building, "shop") && day->temperature >= 24)
    kwh += 70;
  if (day->solar && day->sunshine >= 6)
    kwh -= 45;
  if (day->setback && is (day->insulation, "good"))
    kwh -= 30;
  if (day->setback && is (day->insulation, "poor"))
    kwh += 30;
  return kwh;
}

static char *
make_energy (void)
{
  GString *csv = g_string_new ("building,floor_area_m2,heating,insulation,solar_panels,night_setback,day,occupancy_pct,"
                               "outdoor_temp_c,humidity_pct,wind_m_s,sunshine_hours,energy_kwh\n");
  MtRandom random;

  mt_random_init (&random, SEED_ENERGY);
  for (guint i = 0; i < 2000; i++)
    {
      Day day = draw_day (&random);
      double kwh = tidy (energy_kwh (&day) + 15 * mt_random_normal (&random), 0, 9999, 10);

      put_text (csv, day.building);
      put_number (csv, day.area, 0);
      put_text (csv, day.heating);
      put_text (csv, day.insulation);
      put_text (csv, yes_no (day.solar));
      put_text (csv, yes_no (day.setback));
      put_text (csv, day.workday ? "workday" : "weekend");
      put_number (csv, day.occupancy, 0);
      put_number (csv, day.temperature, 1);
      put_number (csv, day.humidity, 0);
      put_number (csv, day.wind, 1);
      put_number (csv, day.sunshine, 1);
      put_number (csv, kwh, 1);
      end_row (csv);
    }
  return g_string_free (csv, FALSE);
}

int
main (int    argc,
      char **argv)
{
  char *(*makers[]) (void) = { make_loan, make_triage, make_energy };

  if (argc != 1 + (int) G_N_ELEMENTS (makers))
    {
      fprintf (stderr, "Usage: make-samples LOAN.csv TRIAGE.csv ENERGY.csv\n");
      return 2;
    }
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    {
      g_autofree char *csv = makers[i] ();
      g_autoptr (GError) error = NULL;

      if (!g_file_set_contents (argv[1 + i], csv, -1, &error))
        {
          fprintf (stderr, "make-samples: %s\n", error->message);
          return 1;
        }
    }
  return 0;
}
