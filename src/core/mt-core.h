/* The one header that app and cli include. */
#pragma once

#include "mt-cube.h"
#include "mt-encoded.h"
#include "mt-encoder.h"
#include "mt-error.h"
#include "mt-finding.h"
#include "mt-findings.h"
#include "mt-import.h"
#include "mt-parallel.h"
#include "mt-random.h"
#include "mt-rules.h"
#include "mt-schema.h"
#include "mt-split.h"
#include "mt-table.h"
