#!/bin/sh
# Checks the proofs in a folder of its own, prints what each theorem assumes, and compiles the
# samplers that they are about to FOLDER/replay: sh proof/build.sh FOLDER
set -eu
mkdir -p "$1"
cp -n "$(dirname "$0")"/*.v "$(dirname "$0")"/*.ml "$1"
cd "$1"
for file in $(coqdep -sort -R . Deniable ./*.v); do
  coqc -q -R . Deniable "$file"
done
ocamlopt -w -a model.mli model.ml replay.ml -o replay
