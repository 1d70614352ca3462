(** OCaml code of Model.v, which replay.ml runs. Nothing of Coq's arithmetic is replaced. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Deniable Require Import Model.

Extraction Language OCaml.
Extraction "model.ml" below randomize privset report draw_blocks exponential_floor is_within spends worst.
