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

(** * Mechanism `privset` *)

Definition legal_privset (k m l : nat) (a c : N) : Prop :=
  (2 <= k <= 1000)%nat /\ (1 <= m <= k)%nat /\ (1 <= l <= k - 1)%nat /\
  legal_weights a c (fold_right N.add 0 (meeting_weights k m l a c)).

(** High if a set meets the answer with its dummies, else low. *)
Definition privset_weight (k m : nat) (a c : N) (x : answer) (set : value) : N :=
  if existsb (fun y => is_in y (padded k m x)) set then a else c.

(** A set has the chance weight / total, of which failures take a share below 2^-128 for each draw:
    how many draws of which bounds there are depends on what is drawn first. Nothing else takes from
    it, so the ratio of two answers' chances of a set is high / low, but for that share. *)
Definition privset_is_nearly_exact : Prop :=
  forall k m l a c, legal_privset k m l a c ->
    forall n, (6 * 128 * (l + 1) <= n)%nat ->
      forall size x set, (size <= m)%nat -> is_set k size x -> is_set (k + m) l set ->
        let total := fold_right N.add 0 (meeting_weights k m l a c) in
        let found := count n (gives same_list (privset k m l a c x) set) in
        let exactly := privset_weight k m a c x set * 256 ^ N.of_nat n in
        found * total <= exactly /\
        exactly * (2 ^ 128 - 1) ^ N.of_nat (l + 1) <= found * total * (2 ^ 128) ^ N.of_nat (l + 1).

(** * The choice of parts *)

(** Every choice of [asked] of the blocks comes of equally many tapes. *)
Definition equal_parts_are_uniform : Prop :=
  forall blocks asked, (1 <= asked <= blocks)%nat -> (blocks <= 200)%nat ->
    forall n, exists C, ((6 * asked <= n)%nat -> 0 < C) /\
      forall drawn, is_set blocks asked drawn ->
        count n (gives same_list (draw_blocks (Equal asked) blocks) drawn) = C.

(** Block i comes of C times its `draw` tapes. *)
Definition unequal_parts_are_exact : Prop :=
  forall draws, (1 <= length draws <= 200)%nat ->
    Forall (fun draw => 1 <= draw <= 1000000) draws ->
    forall n, exists C, ((6 <= n)%nat -> 0 < C) /\
      forall i, (i < length draws)%nat ->
        count n (gives same_list (draw_blocks (Unequal draws) (length draws)) [N.of_nat i])
        = C * nth i draws 0.

(** * Reports *)

(** The ranges of the parameters. *)
Definition legal (M : mechanism) : Prop :=
  match M with
  | Subset k d a c => legal_subset k d a c
  | SampledBits k m s a c =>
      (2 <= k <= 1000)%nat /\ (1 <= m <= k)%nat /\ (1 <= s <= Nat.min k 10)%nat /\
      legal_weights a c (total_weight M)
  | Piecewise k no_answer G w a c =>
      (2 <= k <= 5000)%nat /\ (1 <= G <= k - 1)%nat /\ (1 <= w <= G)%nat /\
      legal_weights a c (total_weight M)
  end.

(** The answers of the domain. *)
Definition is_answer (M : mechanism) (x : answer) : Prop :=
  match M with
  | Subset k _ _ _ => exists i, x = [i] /\ i < N.of_nat k
  | SampledBits k m _ _ _ => exists size, (size <= m)%nat /\ is_set k size x
  | Piecewise k no_answer _ _ _ _ =>
      exists i, x = [i] /\ (i < N.of_nat k \/ no_answer = true /\ i = N.of_nat k)
  end.

Definition legal_parts (p : parts) (blocks : nat) : Prop :=
  match p with
  | All => True
  | Equal asked => (1 <= asked <= blocks)%nat /\ (blocks <= 200)%nat
  | Unequal draws =>
      length draws = blocks /\ (1 <= blocks <= 200)%nat /\
      Forall (fun draw => 1 <= draw <= 1000000) draws
  end.

(** The pairs of all blocks that are drawn. *)
Definition spent (blocks : list mechanism) (drawn : list N) : list (N * N) :=
  flat_map spends (chosen blocks drawn (fst some_block)).

Definition same_report : forall v w : list N * N * list value, {v = w} + {v <> w}.
Proof. repeat decide equality. Defined.

(** On how many tapes these answers result in this report. *)
Definition count_report (n : nat) (p : parts) (blocks : list mechanism) (answers : list answer)
    (drawn : list N) (id : N) (vs : list value) : N :=
  count n (gives same_report (report p (combine blocks answers)) (drawn, id, vs)).

(** The ratio of two respondents' chances of a report is at most the product of high / low of its
    blocks, whatever both answer to all questions. [answers] are what blocks are given: paths and
    sets by their numbers, so it does not matter how the device computed them. *)
Definition report_is_within_weights : Prop :=
  forall p blocks, Forall legal blocks -> legal_parts p (length blocks) ->
    forall x y, Forall2 is_answer blocks x -> Forall2 is_answer blocks y ->
      forall n drawn id vs,
        lows (spent blocks drawn) * count_report n p blocks x drawn id vs
        <= highs (spent blocks drawn) * count_report n p blocks y drawn id vs.

(** The weight of a set under an answer. *)
Definition subset_weight (M : mechanism) (x : answer) (set : value) : N :=
  match M with
  | Subset _ _ a c => if is_in (hd 0 x) set then a else c
  | _ => 0
  end.

(** Whether a value is a set that this block can report. *)
Definition is_subset_value (M : mechanism) (set : value) : Prop :=
  match M with Subset k d _ _ => is_set k d set | _ => False end.

(** Blocks of `subset` are independent: the tapes are C times the product of the weights, whatever
    the id, the answers and the sets are. *)
Definition subset_blocks_multiply : Prop :=
  forall p blocks, Forall legal blocks -> legal_parts p (length blocks) ->
    forall n drawn, exists C,
      forall x id sets,
        Forall2 is_answer blocks x -> id < 2 ^ 128 ->
        Forall2 is_subset_value (chosen blocks drawn (fst some_block)) sets ->
        count_report n p blocks x drawn id sets
        = C * product (map (fun '((M, x), set) => subset_weight M x set)
                         (combine (chosen (combine blocks x) drawn some_block) sets)).

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
    at_most_exp (rational (highs pairs) (lows pairs)) (rational n d).

(** Both together: a report whose blocks pass the check with epsilon = n / d is at most e^epsilon
    times as likely under one list of answers as under another. *)
Definition report_is_within_epsilon : Prop :=
  forall p blocks, Forall legal blocks -> legal_parts p (length blocks) ->
    forall x y, Forall2 is_answer blocks x -> Forall2 is_answer blocks y ->
      forall n d, 1 <= n -> 1 <= d -> forall drawn, is_within (spent blocks drawn) n d = true ->
        exists ratio, at_most_exp ratio (rational n d) /\ forall bytes id vs,
          (rational (count_report bytes p blocks x drawn id vs) 1
           <= ratio * rational (count_report bytes p blocks y drawn id vs) 1)%Q.

(** How many blocks are asked. *)
Definition asked (p : parts) (blocks : nat) : nat :=
  match p with All => blocks | Equal asked => asked | Unequal _ => 1 end.

(** What a device checks is enough: if the blocks with the largest ratios are within epsilon = n / d,
    the reports of all blocks that can be drawn are. *)
Definition survey_is_within_epsilon : Prop :=
  forall p blocks, Forall legal blocks -> legal_parts p (length blocks) ->
    forall n d, 1 <= n -> 1 <= d ->
      is_within (flat_map spends (worst (asked p (length blocks)) blocks)) n d = true ->
      forall drawn, is_set (length blocks) (asked p (length blocks)) drawn ->
        is_within (spent blocks drawn) n d = true.

(** That is e^epsilon: of epsilon = 1 it is e = 2.71828182... *)
Definition exp_of_one_is_e : Prop :=
  at_most_exp (271828182 # 100000000) 1 /\
  forall q, at_most_exp q 1 -> (q <= 271828183 # 100000000)%Q.
