(** The choice of parts, and reports of several blocks. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted Bool.
From Deniable Require Import Model Statements Counting Uniform Sampling SubsetLaw.
Import ListNotations.
Open Scope N_scope.

(** * Parts *)

Lemma count_draw_blocks p blocks drawn n : Forall bound (part_bounds p blocks) ->
  count n (gives same_list (draw_blocks p blocks) drawn)
  = draws_weight (part_bounds p blocks) n
    * sum (box (part_bounds p blocks))
        (fun draws => one (if same_list (part_output p blocks draws) drawn then true else false)).
Proof.
  intros H. rewrite count_gives, <- sum_each_const by assumption.
  apply sum_ext; intros t. unfold draw_blocks.
  destruct (below_each _ t) as [[draws r]|]; reflexivity.
Qed.

Theorem equal_parts_are_uniform_holds : equal_parts_are_uniform.
Proof.
  intros blocks asked Ha Hb n. exists (draws_weight (falling blocks asked) n * factorial asked). split.
  - intros Hn. assert (0 < draws_weight (falling blocks asked) n).
    { apply draws_weight_positive; [apply falling_bound; lia | now rewrite falling_length]. }
    unfold factorial. pose proof (Factorial.lt_O_fact asked). nia.
  - intros drawn S. rewrite count_draw_blocks by (apply falling_bound; lia).
    cbn [part_bounds]. f_equal. destruct (is_set_incl _ _ _ S) as (D & I & L).
    rewrite <- (sample_ways [] asked (range blocks) drawn);
      [| apply NoDup_range | intros y [] | assumption..].
    rewrite range_length. apply sum_ext; intros os. rewrite !app_nil_r.
    destruct S as (_ & S & _). now apply matches_sorted.
Qed.

Lemma draws_total draws : Forall (fun draw => 1 <= draw <= 1000000) draws ->
  N.of_nat (length draws) <= fold_right N.add 0 draws <= 1000000 * N.of_nat (length draws).
Proof. induction 1; cbn [fold_right length]; lia. Qed.

Lemma unequal_bound draws : (1 <= length draws <= 200)%nat ->
  Forall (fun draw => 1 <= draw <= 1000000) draws ->
  Forall bound (part_bounds (Unequal draws) (length draws)).
Proof.
  intros L H. apply draws_total in H. repeat constructor; [lia|].
  change (2 ^ 48) with 281474976710656. lia.
Qed.

Lemma first_above_ways draws : forall i, (i < length draws)%nat ->
  sum (upto (fold_right N.add 0 draws)) (fun u => if first_above draws u =? N.of_nat i then 1 else 0)
  = nth i draws 0.
Proof.
  induction draws as [|w draws IH]; cbn [length]; intros i Hi; [lia|].
  cbn [fold_right first_above]. rewrite sum_upto_add.
  rewrite (sum_ext_in _ (upto w) _ (fun _ => if 0 =? N.of_nat i then 1 else 0)).
  2: { intros u Hu. apply in_upto in Hu. now rewrite (proj2 (N.ltb_lt _ _) Hu). }
  rewrite (sum_ext _ (upto (fold_right N.add 0 draws)) _
    (fun u => if 1 + first_above draws u =? N.of_nat i then 1 else 0)).
  2: { intros u. destruct (N.ltb_spec (w + u) w); [lia|]. now replace (w + u - w) with u by lia. }
  rewrite sum_upto_const. destruct i; cbn [nth].
  - rewrite sum_zero; [change (0 =? N.of_nat 0) with true; cbv iota; lia|].
    intros u _. now rewrite (proj2 (N.eqb_neq _ _)) by lia.
  - rewrite <- IH by lia. rewrite (proj2 (N.eqb_neq 0 _)) by lia. rewrite N.mul_0_r, N.add_0_l.
    apply sum_ext; intros u. destruct (N.eqb_spec (first_above draws u) (N.of_nat i)).
    + now rewrite (proj2 (N.eqb_eq _ _)) by lia.
    + now rewrite (proj2 (N.eqb_neq _ _)) by lia.
Qed.

Theorem unequal_parts_are_exact_holds : unequal_parts_are_exact.
Proof.
  intros draws L H n. pose proof (unequal_bound draws L H) as B.
  exists (draws_weight (part_bounds (Unequal draws) (length draws)) n). split.
  - intros Hn. apply draws_weight_positive; [assumption|]. cbn. lia.
  - intros i Hi. rewrite count_draw_blocks by assumption. f_equal.
    rewrite <- first_above_ways by assumption. cbn [part_bounds]. rewrite sum_box_cons.
    apply sum_ext; intros u. cbn [box]. sums. cbn [part_output hd]. rewrite N.add_0_r.
    destruct (N.eqb_spec (first_above draws u) (N.of_nat i)) as [->|F];
      destruct (same_list _ _); try congruence; reflexivity.
Qed.

Lemma part_bounds_bound p blocks : legal_parts p blocks -> Forall bound (part_bounds p blocks).
Proof.
  destruct p; cbn [legal_parts].
  - constructor.
  - intros [A B]. apply falling_bound. lia.
  - intros (<- & L & H). now apply unequal_bound.
Qed.

(** * Several values *)

Fixpoint all_ways (blocks : list (mechanism * answer)) (vs : list value) : N :=
  match blocks, vs with
  | [], [] => 1
  | (M, x) :: blocks, v :: vs => ways M x v * all_ways blocks vs
  | _, _ => 0
  end.

Fixpoint values_outcomes (Ms : list mechanism) (n : nat) : outcomes :=
  match Ms with
  | [] => [(1, n)]
  | M :: Ms => flat_map (fun c => map (fun d => (fst c * fst d, snd d)) (values_outcomes Ms (snd c)))
                 (each_outcomes (bounds M) n)
  end.

Definition same_values : forall v w : list value, {v = w} + {v <> w} := list_eq_dec same_list.

Lemma sum_values blocks : Forall (fun b => Forall bound (bounds (fst b))) blocks -> forall n vs,
  sum (tapes n) (fun t => match values blocks t with
                          | Some (ws, _) => one (if same_values ws vs then true else false)
                          | None => 0 end)
  = after (values_outcomes (map fst blocks) n) (fun n => 256 ^ N.of_nat n) * all_ways blocks vs.
Proof.
  induction 1 as [|[M x] blocks HM Hb IH]; intros n vs.
  - cbn [values map values_outcomes all_ways]. unfold after. sums. cbn [fst snd].
    rewrite sum_const, tapes_length. destruct vs; destruct (same_values [] _); try congruence; cbn [one]; lia.
  - cbn [values map values_outcomes fst]. rewrite after_flat_map.
    destruct vs as [|v vs].
    { cbn [all_ways]. rewrite N.mul_0_r. apply sum_zero. intros t _.
      destruct (randomize M x t) as [[w r]|]; [|reflexivity].
      destruct (values blocks r) as [[ws r']|]; [|reflexivity].
      destruct (same_values (w :: ws) []); [discriminate | reflexivity]. }
    rewrite (sum_ext _ _ _ (fun t => match below_each (bounds M) t with
      | Some (draws, r) => one (if same_list (output M x draws) v then true else false)
          * match values blocks r with
            | Some (ws, _) => one (if same_values ws vs then true else false)
            | None => 0 end
      | None => 0 end)).
    2: { intros t. unfold randomize. destruct (below_each (bounds M) t) as [[draws r]|]; [|reflexivity].
         destruct (values blocks r) as [[ws r']|]; [|now rewrite N.mul_0_r].
         destruct (same_values (output M x draws :: ws) (v :: vs)),
           (same_list (output M x draws) v), (same_values ws vs); try congruence; reflexivity. }
    cbn [fst] in HM.
    rewrite (sum_each (bounds M) HM n (fun draws r =>
      one (if same_list (output M x draws) v then true else false)
          * match values blocks r with
            | Some (ws, _) => one (if same_values ws vs then true else false)
            | None => 0 end)).
    cbn [all_ways]. rewrite N.mul_comm, <- after_scale. apply after_ext; intros k.
    rewrite (sum_ext _ _ _ (fun draws => one (if same_list (output M x draws) v then true else false)
      * (after (values_outcomes (map fst blocks) k) (fun n => 256 ^ N.of_nat n) * all_ways blocks vs)))
      by (intros draws; now rewrite sum_scale, IH).
    rewrite sum_scale_r. fold (ways M x v). lia.
Qed.

(** * Reports *)

Section Report.

Variables (p : parts) (blocks : list (mechanism * answer)).
Hypothesis parts_bound : Forall bound (part_bounds p (length blocks)).
Variable drawn : list N.
Notation asked := (chosen blocks drawn some_block).
Hypothesis blocks_bound : Forall (fun b => Forall bound (bounds (fst b))) asked.

(** How many tapes of n bytes there are behind the draw of blocks, for each list of draws. *)
Definition after_parts (n : nat) : N :=
  if (n <? 16)%nat then 0
  else after (values_outcomes (map fst asked) (n - 16)) (fun n => 256 ^ N.of_nat n).

Definition report_weight (n : nat) : N :=
  after (each_outcomes (part_bounds p (length blocks)) n) after_parts
  * sum (box (part_bounds p (length blocks)))
      (fun draws => one (if same_list (part_output p (length blocks) draws) drawn then true else false)).

Lemma count_gives_report n id vs :
  count n (gives same_report (report p blocks) (drawn, id, vs))
  = report_weight n * ((if id <? 2 ^ 128 then 1 else 0) * all_ways asked vs).
Proof.
  rewrite count_gives.
  pose (rest := fun t => match read 16 0 t with
     | Some (u, r) => (if u =? id then 1 else 0) * match values asked r with
        | Some (ws, _) => one (if same_values ws vs then true else false) | None => 0 end
     | None => 0 end).
  rewrite (sum_ext _ _ _ (fun t => match below_each (part_bounds p (length blocks)) t with
    | Some (draws, r) =>
        one (if same_list (part_output p (length blocks) draws) drawn then true else false) * rest r
    | None => 0 end)).
  2: { intros t. unfold report, draw_blocks, rest.
    destruct (below_each _ t) as [[draws r]|]; [|reflexivity].
    destruct (same_list (part_output p (length blocks) draws) drawn) as [->|E]; cbn [one].
    - rewrite N.mul_1_l. destruct (read 16 0 r) as [[u r']|]; [|reflexivity].
      destruct (values asked r') as [[ws r'']|]; [|now rewrite N.mul_0_r].
      destruct (same_report (drawn, u, ws) (drawn, id, vs)), (N.eqb_spec u id), (same_values ws vs);
        try congruence; reflexivity.
    - destruct (read 16 0 r) as [[u r']|]; [|reflexivity].
      destruct (values _ r') as [[ws r'']|]; [|reflexivity].
      destruct (same_report _ _); [congruence | reflexivity]. }
  rewrite (sum_each _ parts_bound n (fun draws r =>
    one (if same_list (part_output p (length blocks) draws) drawn then true else false) * rest r)).
  assert (R : forall k, sum (tapes k) rest
    = after_parts k * ((if id <? 2 ^ 128 then 1 else 0) * all_ways asked vs)).
  { intros k. unfold rest, after_parts.
    rewrite (sum_read 16 k 0 (fun u r => (if u =? id then 1 else 0) * match values asked r with
        | Some (ws, _) => one (if same_values ws vs then true else false) | None => 0 end)).
    destruct (k <? 16)%nat; [lia|]. rewrite N.mul_0_l.
    set (W := after _ _).
    rewrite (sum_ext _ _ _ (fun u => (if u =? id then 1 else 0) * (W * all_ways asked vs))).
    2: { intros u. rewrite N.add_0_l, sum_scale. f_equal. now apply sum_values. }
    rewrite sum_scale_r. change (256 ^ N.of_nat 16) with (2 ^ 128).
    rewrite sum_upto_indicator. lia. }
  unfold report_weight.
  set (Z := (if id <? 2 ^ 128 then 1 else 0) * all_ways asked vs) in *.
  set (B := sum (box _) _).
  transitivity (after (each_outcomes (part_bounds p (length blocks)) n) (fun k => B * Z * after_parts k)).
  - apply after_ext; intros k.
    rewrite (sum_ext _ _ _ (fun draws =>
      one (if same_list (part_output p (length blocks) draws) drawn then true else false)
      * (after_parts k * Z))) by (intros; now rewrite sum_scale, R).
    rewrite sum_scale_r. fold B. lia.
  - rewrite after_scale. lia.
Qed.

End Report.
