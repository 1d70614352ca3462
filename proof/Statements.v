(** What is proved. Each [Definition ... : Prop] here is a theorem of Theorems.v.

    Functions are those of Model.v. docs/WIRE_FORMAT.md gives the ranges of the parameters. *)

From Coq Require Import NArith QArith List Sorted.
From Deniable Require Import Model.
Import ListNotations.
Open Scope N_scope.

(** * Counting *)

(** All tapes of n bytes. *)
Fixpoint tapes (n : nat) : list tape :=
  match n with
  | O => [[]]
  | S n => flat_map (fun byte => map (cons byte) (tapes n)) (range 256)
  end.

(** On how many of them something holds. *)
Definition count (n : nat) (holds : tape -> bool) : N :=
  N.of_nat (length (filter holds (tapes n))).

(** Whether a sampler returns this result, whatever it leaves of the tape. *)
Definition gives {A : Type} (same : forall v w : A, {v = w} + {v <> w})
    (sampler : tape -> option (A * tape)) (v : A) (t : tape) : bool :=
  match sampler t with
  | Some (w, _) => if same w v then true else false
  | None => false
  end.

Definition same_list : forall v w : list N, {v = w} + {v <> w} := list_eq_dec N.eq_dec.

(** Whether a sampler returns nothing. *)
Definition fails {A : Type} (sampler : tape -> option (A * tape)) (t : tape) : bool :=
  match sampler t with Some _ => false | None => true end.

(** * Random integers *)

Definition bound (m : N) : Prop := 1 <= m <= 2 ^ 48.

(** Every integer below m comes of equally many tapes, and no other integer comes. *)
Definition below_is_uniform : Prop :=
  forall m, bound m ->
    (forall t v rest, below m t = Some (v, rest) -> v < m) /\
    (forall n v w, v < m -> w < m ->
       count n (gives N.eq_dec (below m) v) = count n (gives N.eq_dec (below m) w)).

(** It fails with a probability below 2^-128, unless the tape ends. *)
Definition below_rarely_fails : Prop :=
  forall m, bound m -> forall n, (6 * 128 <= n)%nat ->
    count n (fails (below m)) * 2 ^ 128 < 256 ^ N.of_nat n.

(** Several draws are uniform together: each list of integers below its bounds. *)
Definition below_each_is_uniform : Prop :=
  forall ms, Forall bound ms -> forall n vs ws,
    Forall2 N.lt vs ms -> Forall2 N.lt ws ms ->
    count n (gives same_list (below_each ms) vs) = count n (gives same_list (below_each ms) ws).

(** * Mechanism `subset` *)

(** An ascending list of [size] different numbers below k. *)
Definition is_set (k size : nat) (members : list N) : Prop :=
  length members = size /\ StronglySorted N.lt members /\
  Forall (fun y => y < N.of_nat k) members.

Definition legal_weights (a c total : N) : Prop := 1 <= c < a /\ total <= 2 ^ 48.

Definition legal_subset (k d : nat) (a c : N) : Prop :=
  (2 <= k <= 1000)%nat /\ (1 <= d <= k - 1)%nat /\
  legal_weights a c (N.of_nat d * a + N.of_nat (k - d) * c).

(** The channel is exact: a set comes of C times a tapes if it contains the answer, else of C times
    c, and C is the same for all answers and sets. Nothing but sets comes. *)
Definition subset_is_exact : Prop :=
  forall k d a c, legal_subset k d a c ->
    (forall x t set rest, x < N.of_nat k ->
       randomize (Subset k d a c) [x] t = Some (set, rest) -> is_set k d set) /\
    (forall n, exists C, ((6 * (d + 1) <= n)%nat -> 0 < C) /\
       forall x set, x < N.of_nat k -> is_set k d set ->
         count n (gives same_list (randomize (Subset k d a c) [x]) set)
         = C * (if is_in x set then a else c)).

(** * The choice of parts *)

(** Every choice of [asked] of the blocks comes of equally many tapes. *)
Definition equal_parts_are_uniform : Prop :=
  forall blocks asked, (1 <= asked <= blocks)%nat -> (blocks <= 200)%nat ->
    forall n drawn other, is_set blocks asked drawn -> is_set blocks asked other ->
      count n (gives same_list (draw_blocks (Equal asked) blocks) drawn)
      = count n (gives same_list (draw_blocks (Equal asked) blocks) other).

(** Block i comes of C times its `draw` tapes. *)
Definition unequal_parts_are_exact : Prop :=
  forall draws, (1 <= length draws <= 200)%nat ->
    Forall (fun draw => 1 <= draw <= 1000000) draws ->
    forall n, exists C, ((6 <= n)%nat -> 0 < C) /\
      forall i, (i < length draws)%nat ->
        count n (gives same_list (draw_blocks (Unequal draws) (length draws)) [N.of_nat i])
        = C * nth i draws 0.

(** * Budget *)

(** The sum of epsilon^i / i! for i from 0 to n. *)
Fixpoint power_over_factorial (epsilon : Q) (i : nat) : Q :=
  match i with
  | O => 1
  | S j => power_over_factorial epsilon j * epsilon / inject_Z (Z.of_nat i)
  end.

Fixpoint partial_sum (epsilon : Q) (n : nat) : Q :=
  match n with
  | O => 1
  | S j => partial_sum epsilon j + power_over_factorial epsilon n
  end.

(** q <= e^epsilon: e^epsilon is the limit of the partial sums, which only grow. *)
Definition at_most_exp (q epsilon : Q) : Prop := exists n, (q <= partial_sum epsilon n)%Q.

Definition rational (n d : N) : Q := inject_Z (Z.of_N n) / inject_Z (Z.of_N d).

(** What `weights.is_within` accepts is at most e^epsilon, for epsilon = n / d. *)
Definition within_is_sound : Prop :=
  forall pairs n d, Forall (fun pair => 1 <= snd pair) pairs -> 1 <= n -> 1 <= d ->
    is_within pairs n d = true ->
    at_most_exp (rational (product (map fst pairs)) (product (map snd pairs))) (rational n d).

(** That is e^epsilon: of epsilon = 1 it is e = 2.71828182... *)
Definition exp_of_one_is_e : Prop :=
  at_most_exp (271828182 # 100000000) 1 /\
  forall q, at_most_exp q 1 -> (q <= 271828183 # 100000000)%Q.
