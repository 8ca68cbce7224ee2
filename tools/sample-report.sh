#!/usr/bin/env bash
# tools/sample-report.sh: makes docs/sample-report.pdf, the audit report of the loan sample, from a build.
# BUILD=DIR names another build folder than build-check. The date is fixed, so the same program gives the same bytes.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-$top/build-check}
cli=$build/src/cli/minterm-cli
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export SOURCE_DATE_EPOCH=1795000000
cd "$work"
cp "$build/data/samples/loan-approval.csv" .
"$cli" train loan-approval.csv --target approved --baselines --ban age -o model.json > /dev/null
"$cli" verify model.json --data loan-approval.csv --engines sqlite3,python3,gcc
"$cli" export model.json --format pdf --data loan-approval.csv --by housing --by age \
  --text author="A. Example, credit risk" \
  --text purpose="Sort loan applications for review by a clerk. The clerk decides; the score sets the order." \
  --text out-of-scope="Automatic approval or rejection. Loans to companies." \
  --text choice="The recommended model. Larger ones are not better by more than one standard error." \
  --text limits="The data is synthetic (see docs/samples.md). There are few self-employed applicants." \
  --text oversight="A clerk reads every application and may overrule the score; overruled cases are reviewed monthly." \
  --text monitoring="Monthly: share of each rule, missing incomes, and the AUC of the decisions made so far." \
  --text changes="First version." \
  -o sample-report.pdf
cp sample-report.pdf "$top/docs/sample-report.pdf"
ls -l "$top/docs/sample-report.pdf" >&2
