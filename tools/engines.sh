#!/usr/bin/env bash
# Installs the engines for exports that are packages of Python and not of Debian, DuckDB's command and Spark, into a virtual
# environment, and prints the folder of their programs: PATH="$PATH:$(tools/engines.sh)" minterm-cli verify MODEL.json
#
# The environment is made once, in $XDG_CACHE_HOME/minterm-engines (500 MB; Spark also needs Java 8, 11, or 17). Nothing
# is installed outside it.
set -euo pipefail
home=${XDG_CACHE_HOME:-$HOME/.cache}/minterm-engines
wanted='duckdb-cli>=1.2,<3 pyspark>=3.5,<3.6'

if [ "$(cat "$home/made" 2>/dev/null)" != "$wanted" ]; then
  echo "Installing into $home: $wanted" >&2
  rm -rf "$home"
  python3 -m venv "$home" >&2
  "$home/bin/pip" install --quiet --disable-pip-version-check $wanted >&2
  mkdir "$home/programs"
  ln -s "$home/bin/duckdb" "$home/programs/duckdb"
  # Spark's own script looks for itself with the first python3 of PATH, which need not be the one that has it.
  spark=$("$home/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
  cat > "$home/programs/spark-submit" <<END
#!/bin/sh
export SPARK_HOME='$spark' PYSPARK_PYTHON='$home/bin/python' PYSPARK_DRIVER_PYTHON='$home/bin/python'
exec '$spark/bin/spark-submit' "\$@"
END
  chmod +x "$home/programs/spark-submit"
  echo "$wanted" > "$home/made"
fi
echo "$home/programs"
