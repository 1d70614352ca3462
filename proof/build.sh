#!/bin/sh
# Checks the proofs in a folder of its own: sh proof/build.sh FOLDER
set -eu
mkdir -p "$1"
cp "$(dirname "$0")"/*.v "$1"
cd "$1"
for file in $(coqdep -sort -R . Deniable ./*.v); do
  coqc -q -R . Deniable "$file"
done
# The small checker of compiled proofs, which also lists all axioms.
coqchk -silent -o -R . Deniable Deniable.Theorems
