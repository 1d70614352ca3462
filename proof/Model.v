(** The samplers of docs/WIRE_FORMAT.md, as functions that run.

    Names are those of that page: k, d, a and c of "Mechanism `subset`", u and m of "Random
    integers", and so on. OCaml code is made of this file, which replays tests/vectors. *)

From Coq Require Import NArith List.
Import ListNotations.
Open Scope N_scope.

(** * Random integers *)

(** Bytes that are read, each below 256. *)
Definition tape := list N.

(** The next [count] bytes as a big-endian integer, after those that gave [u]. *)
Fixpoint read (count : nat) (u : N) (t : tape) : option (N * tape) :=
  match count, t with
  | O, _ => Some (u, t)
  | S count, byte :: t => read count (256 * u + byte) t
  | S _, [] => None
  end.

Definition draw_range : N := 2 ^ 48.
Definition most_tries : nat := 128.

(** [below m] with so many tries. None: all were rejected, or there are no bytes left. *)
Fixpoint below_within (tries : nat) (m : N) (t : tape) : option (N * tape) :=
  match tries with
  | O => None
  | S tries =>
      match read 6 0 t with
      | None => None
      | Some (u, t) =>
          if u <? draw_range - draw_range mod m then Some (u mod m, t) else below_within tries m t
      end
  end.

Definition below : N -> tape -> option (N * tape) := below_within most_tries.

(** [below] for each of these bounds, in their order. *)
Fixpoint below_each (bounds : list N) (t : tape) : option (list N * tape) :=
  match bounds with
  | [] => Some ([], t)
  | m :: bounds =>
      match below m t with
      | None => None
      | Some (v, t) =>
          match below_each bounds t with
          | None => None
          | Some (vs, t) => Some (v :: vs, t)
          end
      end
  end.

(** * Lists *)

(** 0 to n - 1. *)
Definition range (n : nat) : list N := map N.of_nat (seq 0 n).

Fixpoint insert (x : N) (l : list N) : list N :=
  match l with
  | [] => [x]
  | y :: l => if x <=? y then x :: y :: l else y :: insert x l
  end.

(** The ascending list of the same members. *)
Definition ascending (l : list N) : list N := fold_right insert [] l.

Definition is_in (x : N) (l : list N) : bool := existsb (N.eqb x) l.

(** [l] with [x] in the place of the [place]-th. *)
Fixpoint put (place : nat) (x : N) (l : list N) : list N :=
  match l, place with
  | [], _ => []
  | _ :: l, O => x :: l
  | y :: l, S place => y :: put place x l
  end.

(** * Samples *)

(** n, n - 1, ...: the bounds of the [count] offsets of a sample from n. *)
Fixpoint falling (n count : nat) : list N :=
  match count with
  | O => []
  | S count => N.of_nat n :: falling (n - 1) count
  end.

(** What is first after the swap of the first and the [offset]-th place, and what is behind it. *)
Definition swap (offset : nat) (pool : list N) : N * list N :=
  match pool, offset with
  | [], _ => (0, [])
  | first :: rest, O => (first, rest)
  | first :: rest, S offset => (nth offset rest 0, put offset first rest)
  end.

(** The first places of the pool, one for each offset: place i is swapped with the one so far
    behind it. Places before i never move again, so [pool] is what stands from i on. *)
Fixpoint sample (pool : list N) (offsets : list N) : list N :=
  match offsets with
  | [] => []
  | offset :: offsets =>
      let (x, rest) := swap (N.to_nat offset) pool in x :: sample rest offsets
  end.

(** * Mechanisms *)

Inductive mechanism : Set :=
  | Subset (k d : nat) (a c : N)
  | SampledBits (k m s : nat) (a c : N)
  | Piecewise (k : nat) (no_answer : bool) (G w : nat) (a c : N).

(** An index is a list of one member, a set is an ascending list. *)
Definition answer := list N.

(** The value as a list; the pairs of [SampledBits] are written one behind the other. *)
Definition value := list N.

Definition total_weight (M : mechanism) : N :=
  match M with
  | Subset k d a c => N.of_nat d * a + N.of_nat (k - d) * c
  | SampledBits k m s a c => a + c
  | Piecewise k no_answer G w a c =>
      N.of_nat w * a + N.of_nat G * c + (if no_answer then N.of_nat w * c else 0)
  end.

(** The bounds of all draws of one value: they do not depend on the answer. *)
Definition bounds (M : mechanism) : list N :=
  match M with
  | Subset k d a c => total_weight M :: falling (k - 1) d
  | SampledBits k m s a c => falling k s ++ repeat (total_weight M) s
  | Piecewise k no_answer G w a c => [N.of_nat (k - 1); total_weight M]
  end.

(** 0 to k - 1 in ascending order, without x. *)
Definition without (x : N) (k : nat) : list N := filter (fun y => negb (y =? x)) (range k).

Definition output_subset (k d : nat) (a : N) (x : N) (draws : list N) : value :=
  match draws with
  | [] => []
  | first :: offsets =>
      let included := first <? N.of_nat d * a in
      let drawn := sample (without x k) offsets in
      ascending (if included then removelast drawn ++ [x] else drawn)
  end.

(** For each drawn option in turn, the option and its bit. *)
Fixpoint bits (a : N) (x : answer) (drawn draws : list N) : value :=
  match drawn, draws with
  | option :: drawn, u :: draws =>
      let kept := u <? a in
      option :: (if Bool.eqb kept (is_in option x) then 1 else 0) :: bits a x drawn draws
  | _, _ => []
  end.

Definition output_piecewise (k : nat) (G w a c : N) (x r u : N) : N :=
  let n := G + w in
  let is_none := x =? N.of_nat k in
  let last := N.of_nat (k - 1) in
  let start := if is_none then n
               else x * G / last + (if r <? (x * G) mod last then 1 else 0) in
  if u <? start * c then u / c
  else if is_none then n
  else if u <? start * c + w * a then start + (u - start * c) / a
  else N.min n (start + w + (u - start * c - w * a) / c).

Definition output (M : mechanism) (x : answer) (draws : list N) : value :=
  match M with
  | Subset k d a c => output_subset k d a (hd 0 x) draws
  | SampledBits k m s a c =>
      bits a x (ascending (sample (range k) (firstn s draws))) (skipn s draws)
  | Piecewise k no_answer G w a c =>
      [output_piecewise k (N.of_nat G) (N.of_nat w) a c (hd 0 x) (nth 0 draws 0) (nth 1 draws 0)]
  end.

Definition randomize (M : mechanism) (x : answer) (t : tape) : option (value * tape) :=
  match below_each (bounds M) t with
  | None => None
  | Some (draws, t) => Some (output M x draws, t)
  end.

(** ** `privset`, whose later bounds depend on its first draw *)

Definition product (l : list N) : N := fold_right N.mul 1 l.

(** C(n, t). *)
Definition binomial (n t : nat) : N := product (falling n t) / product (falling t t).

(** W(0), W(1), ... *)
Definition meeting_weights (k m l : nat) (a c : N) : list N :=
  map (fun t => binomial m t * binomial k (l - t) * (match t with O => c | S _ => a end))
      (seq 0 (S (Nat.min m l))).

(** The first index with which the sum of the weights so far is above u. *)
Fixpoint first_above (weights : list N) (u : N) : N :=
  match weights with
  | [] => 0
  | weight :: weights => if u <? weight then 0 else 1 + first_above weights (u - weight)
  end.

(** The answer, filled up to m members with k, k + 1 and so on. *)
Definition padded (k m : nat) (x : answer) : list N :=
  x ++ map (N.add (N.of_nat k)) (range (m - length x)).

(** The rest of 0 to k + m - 1. *)
Definition others (k m : nat) (x : answer) : list N :=
  filter (fun y => negb (is_in y (padded k m x))) (range (k + m)).

Definition privset_bounds (k m l t : nat) : list N := falling m t ++ falling k (l - t).

Definition pick (l : list N) (places : list N) : list N :=
  map (fun i => nth (N.to_nat i) l 0) places.

Definition privset_output (k m t : nat) (x : answer) (draws : list N) : value :=
  ascending (pick (padded k m x) (sample (range m) (firstn t draws))
             ++ pick (others k m x) (sample (range k) (skipn t draws))).

Definition privset (k m l : nat) (a c : N) (x : answer) (t : tape) : option (value * tape) :=
  match below (fold_right N.add 0 (meeting_weights k m l a c)) t with
  | None => None
  | Some (u, t) =>
      let count := N.to_nat (first_above (meeting_weights k m l a c) u) in
      match below_each (privset_bounds k m l count) t with
      | None => None
      | Some (draws, t) => Some (privset_output k m count x draws, t)
      end
  end.

(** * Reports *)

(** Which blocks a device asks: all, so many that are equally likely, or one by its [draw]. *)
Inductive parts : Set :=
  | All
  | Equal (asked : nat)
  | Unequal (draws : list N).

Definition part_bounds (p : parts) (n : nat) : list N :=
  match p with
  | All => []
  | Equal asked => falling n asked
  | Unequal draws => [fold_right N.add 0 draws]
  end.

(** The indexes of the blocks that are drawn, of n. *)
Definition part_output (p : parts) (n : nat) (draws : list N) : list N :=
  match p with
  | All => range n
  | Equal asked => ascending (sample (range n) draws)
  | Unequal weights => [first_above weights (hd 0 draws)]
  end.

Definition draw_blocks (p : parts) (n : nat) (t : tape) : option (list N * tape) :=
  match below_each (part_bounds p n) t with
  | None => None
  | Some (draws, t) => Some (part_output p n draws, t)
  end.

(** One value for each of these blocks, in their order. *)
Fixpoint values (blocks : list (mechanism * answer)) (t : tape) : option (list value * tape) :=
  match blocks with
  | [] => Some ([], t)
  | (M, x) :: blocks =>
      match randomize M x t with
      | None => None
      | Some (v, t) =>
          match values blocks t with
          | None => None
          | Some (vs, t) => Some (v :: vs, t)
          end
      end
  end.

Definition some_block : mechanism * answer := (Subset 2 1 2 1, [0]).

Definition chosen {A : Type} (blocks : list A) (drawn : list N) (other : A) : list A :=
  map (fun i => nth (N.to_nat i) blocks other) drawn.

(** The drawn blocks, the report's id and the values. *)
Definition report (p : parts) (blocks : list (mechanism * answer)) (t : tape)
  : option (list N * N * list value * tape) :=
  match draw_blocks p (length blocks) t with
  | None => None
  | Some (drawn, t) =>
      match read 16 0 t with
      | None => None
      | Some (id, t) =>
          match values (chosen blocks drawn some_block) t with
          | None => None
          | Some (vs, t) => Some (drawn, id, vs, t)
          end
      end
  end.

(** * Budget *)

(** [total] and all terms that follow [term], the [i]-th, for epsilon = n / d; at most [fuel]. *)
Fixpoint terms (fuel : nat) (n d i term total : N) : N :=
  match fuel with
  | O => total
  | S fuel =>
      if term =? 0 then total
      else terms fuel n d (i + 1) (term * n / (d * (i + 1))) (total + term)
  end.

(** More terms than there are above 0, for an epsilon of at most 10. *)
Definition most_terms : nat := 256.

(** E(epsilon). *)
Definition exponential_floor (n d : N) : N := terms most_terms n d 0 (2 ^ 256) 0.

Definition highs (pairs : list (N * N)) : N := product (map fst pairs).
Definition lows (pairs : list (N * N)) : N := product (map snd pairs).

(** Whether blocks of these pairs [high, low] together spend at most epsilon = n / d. *)
Definition is_within (pairs : list (N * N)) (n d : N) : bool :=
  highs pairs * 2 ^ 256 <=? exponential_floor n d * lows pairs.

(** The pairs of weights that one value counts as. *)
Definition spends (M : mechanism) : list (N * N) :=
  match M with
  | Subset _ _ a c | Piecewise _ _ _ _ a c => [(a, c)]
  | SampledBits _ m s a c => repeat (a, c) (Nat.min s (2 * m))
  end.

(** Whether the first ratio is at most the second. *)
Definition at_most (M other : mechanism) : bool :=
  highs (spends M) * lows (spends other) <=? highs (spends other) * lows (spends M).

Fixpoint insert_block (M : mechanism) (blocks : list mechanism) : list mechanism :=
  match blocks with
  | [] => [M]
  | other :: blocks =>
      if at_most M other then M :: other :: blocks else other :: insert_block M blocks
  end.

(** So many blocks with the largest ratios. *)
Definition worst (asked : nat) (blocks : list mechanism) : list mechanism :=
  skipn (length blocks - asked) (fold_right insert_block [] blocks).
