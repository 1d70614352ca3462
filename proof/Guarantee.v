(** What the weights of its blocks say of a report. *)

From Coq Require Import Arith NArith QArith Lqa List Lia.
From Deniable Require Import Model Statements Counting Uniform Sampling SubsetLaw Channels Report Exponential.
Import ListNotations.
Open Scope N_scope.

Lemma product_app l m : product (l ++ m) = product l * product m.
Proof.
  induction l as [|x l IH]; [now rewrite N.mul_1_l|].
  change (x * product (l ++ m) = x * product l * product m). rewrite IH. lia.
Qed.

Lemma product_repeat x n : product (repeat x n) = x ^ N.of_nat n.
Proof.
  induction n; [reflexivity|]. cbn [repeat product fold_right]. fold (product (repeat x n)).
  now rewrite IHn, Nat2N.inj_succ, N.pow_succ_r'.
Qed.

Lemma map_repeat_pair A B (f : A -> B) x n : map f (repeat x n) = repeat (f x) n.
Proof. induction n; cbn; congruence. Qed.

Lemma legal_bounds M : legal M -> Forall bound (bounds M).
Proof.
  destruct M; cbn [legal].
  - apply subset_bounds.
  - intros (Hk & Hm & Hs & (Hc & Ht)). cbn [bounds]. apply Forall_app. split.
    + apply falling_bound. lia.
    + apply Forall_forall. intros m' H. apply repeat_spec in H. subst.
      unfold bound. cbn [total_weight] in *. lia.
  - intros (Hk & HG & Hw & (Hc & Ht)). cbn [bounds]. constructor; [|constructor; [|constructor]].
    + unfold bound. change (2 ^ 48) with 281474976710656. lia.
    + split; [cbn [total_weight]; nia | assumption].
Qed.

Lemma legal_within M : legal M -> within (highs (spends M)) (lows (spends M)) M.
Proof.
  unfold highs, lows. destruct M; intros L; cbn [spends].
  - cbn. rewrite !N.mul_1_r. now apply subset_within.
  - rewrite !map_repeat_pair, !product_repeat. cbn [fst snd]. now apply sampled_bits_within.
  - cbn. rewrite !N.mul_1_r. now apply piecewise_within.
Qed.

Lemma all_ways_within bs : forall cs vs,
  Forall2 (fun b c => fst b = fst c /\ legal (fst b) /\
                      is_answer (fst b) (snd b) /\ is_answer (fst c) (snd c)) bs cs ->
  lows (flat_map spends (map fst bs)) * all_ways bs vs
  <= highs (flat_map spends (map fst bs)) * all_ways cs vs.
Proof.
  intros cs vs H. revert vs. induction H as [|[M x] [M' y] bs cs (E & L & X & Y) _ IH]; intros vs.
  - reflexivity.
  - cbn [fst snd] in *. subst M'. destruct vs as [|v vs]; cbn [all_ways]; [lia|].
    cbn [map fst flat_map]. unfold lows, highs in *. rewrite !map_app, !product_app.
    pose proof (legal_within M L x y X Y v) as W. unfold lows, highs in W.
    specialize (IH vs).
    set (l := product (map snd (spends M))) in *. set (h := product (map fst (spends M))) in *.
    replace (l * product (map snd (flat_map spends (map fst bs))) * (ways M x v * all_ways bs vs))
      with ((l * ways M x v) * (product (map snd (flat_map spends (map fst bs))) * all_ways bs vs))
      by lia.
    replace (h * product (map fst (flat_map spends (map fst bs))) * (ways M y v * all_ways cs vs))
      with ((h * ways M y v) * (product (map fst (flat_map spends (map fst bs))) * all_ways cs vs))
      by lia.
    now apply N.mul_le_mono.
Qed.

Lemma some_block_fits : legal (fst some_block) /\ is_answer (fst some_block) (snd some_block).
Proof.
  split.
  - cbn [legal some_block fst]. unfold legal_subset, legal_weights.
    repeat split; try lia; discriminate.
  - exists 0. split; [reflexivity | cbn; lia].
Qed.

(** What is true of every block with its answer is true of those that are drawn. *)
Lemma chosen_fits blocks x : Forall legal blocks -> Forall2 is_answer blocks x -> forall i,
  let b := nth i (combine blocks x) some_block in
  fst b = nth i blocks (fst some_block) /\ legal (fst b) /\ is_answer (fst b) (snd b).
Proof.
  intros L H. induction H as [|M y blocks x HM _ IH]; intros i.
  - destruct i; cbn [combine nth]; (split; [reflexivity | apply some_block_fits]).
  - inversion L; subst. destruct i; cbn [combine nth fst snd]; [auto | now apply IH].
Qed.

Lemma chosen_map blocks x drawn : Forall legal blocks -> Forall2 is_answer blocks x ->
  map fst (chosen (combine blocks x) drawn some_block) = chosen blocks drawn (fst some_block).
Proof.
  intros L H. unfold chosen. rewrite map_map. apply map_ext. intros i. now apply chosen_fits.
Qed.

Lemma chosen_bounds blocks x drawn : Forall legal blocks -> Forall2 is_answer blocks x ->
  Forall (fun b => Forall bound (bounds (fst b))) (chosen (combine blocks x) drawn some_block).
Proof.
  intros L H. apply Forall_forall. intros b Hb. apply in_map_iff in Hb as (i & <- & _).
  apply legal_bounds, (chosen_fits blocks x L H).
Qed.

Lemma count_report_ways p blocks x n drawn id vs :
  Forall legal blocks -> legal_parts p (length blocks) -> Forall2 is_answer blocks x ->
  count_report n p blocks x drawn id vs
  = report_weight p (combine blocks x) drawn n
    * ((if id <? 2 ^ 128 then 1 else 0) * all_ways (chosen (combine blocks x) drawn some_block) vs).
Proof.
  intros L P H. apply count_gives_report.
  - rewrite combine_length, <- (Forall2_length _ _ _ _ _ H), Nat.min_id.
    now apply part_bounds_bound.
  - now apply chosen_bounds.
Qed.

Lemma report_weight_same p blocks x y n drawn :
  Forall legal blocks -> Forall2 is_answer blocks x -> Forall2 is_answer blocks y ->
  report_weight p (combine blocks x) drawn n = report_weight p (combine blocks y) drawn n.
Proof.
  intros L X Y. unfold report_weight, after_parts.
  rewrite !combine_length, <- (Forall2_length _ _ _ _ _ X), <- (Forall2_length _ _ _ _ _ Y).
  now rewrite !chosen_map.
Qed.

Theorem report_is_within_weights_holds : report_is_within_weights.
Proof.
  intros p blocks L P x y X Y n drawn id vs.
  rewrite !count_report_ways by assumption. rewrite (report_weight_same p blocks x y) by assumption.
  set (W := report_weight _ _ _ _). set (I := if id <? _ then 1 else 0).
  unfold spent.
  assert (A := all_ways_within (chosen (combine blocks x) drawn some_block)
                 (chosen (combine blocks y) drawn some_block) vs).
  rewrite chosen_map in A by assumption.
  set (l := lows _) in *. set (h := highs _) in *.
  replace (l * (W * (I * all_ways (chosen (combine blocks x) drawn some_block) vs)))
    with (W * I * (l * all_ways (chosen (combine blocks x) drawn some_block) vs)) by lia.
  replace (h * (W * (I * all_ways (chosen (combine blocks y) drawn some_block) vs)))
    with (W * I * (h * all_ways (chosen (combine blocks y) drawn some_block) vs)) by lia.
  apply N.mul_le_mono_l, A. unfold chosen. clear A.
  induction drawn as [|i drawn IH]; constructor; [|exact IH].
  destruct (chosen_fits blocks x L X (N.to_nat i)) as (Ex & Lx & Ax).
  destruct (chosen_fits blocks y L Y (N.to_nat i)) as (Ey & _ & Ay).
  split; [congruence | auto].
Qed.

Lemma lows_positive blocks drawn : Forall legal blocks -> 1 <= lows (spent blocks drawn).
Proof.
  intros L. unfold spent.
  assert (F : Forall legal (chosen blocks drawn (fst some_block))).
  { apply Forall_forall. intros M HM. apply in_map_iff in HM as (i & <- & _).
    destruct (nth_in_or_default (N.to_nat i) blocks (fst some_block)) as [H|E].
    - rewrite Forall_forall in L. auto.
    - rewrite E. apply some_block_fits. }
  induction F as [|M Ms HM _ IH]; [discriminate|].
  cbn [flat_map]. unfold lows in *. rewrite map_app, product_app.
  assert (1 <= product (map snd (spends M))); [|nia].
  destruct M; cbn [spends].
  1, 3: cbn; rewrite N.mul_1_r; cbn [legal] in HM; unfold legal_subset, legal_weights in HM; tauto.
  rewrite map_repeat_pair, product_repeat. cbn [snd].
  destruct HM as (_ & _ & _ & (H & _)).
  assert (c ^ N.of_nat (Nat.min s (2 * m)) <> 0) by (apply N.pow_nonzero; lia). lia.
Qed.

Theorem report_is_within_epsilon_holds : report_is_within_epsilon.
Proof.
  intros p blocks L P x y X Y n d Hn Hd drawn W.
  exists (rational (highs (spent blocks drawn)) (lows (spent blocks drawn))). split.
  - apply within_is_sound_holds; try assumption.
    assert (Q := lows_positive blocks drawn L). unfold lows in Q. revert Q. clear.
    induction (spent blocks drawn) as [|pair pairs IH]; [constructor|].
    cbn [map product fold_right]. fold (product (map snd pairs)). intros Q.
    constructor; [nia | apply IH; nia].
  - intros bytes id vs.
    pose proof (report_is_within_weights_holds p blocks L P x y X Y bytes drawn id vs) as R.
    pose proof (lows_positive blocks drawn L) as Q. apply q_pos in Q.
    apply q_le in R. rewrite !q_mul in R. unfold rational.
    fold (q (highs (spent blocks drawn))) (q (lows (spent blocks drawn))).
    fold (q (count_report bytes p blocks x drawn id vs)) (q (count_report bytes p blocks y drawn id vs)).
    change (inject_Z (Z.of_N 1)) with 1%Q.
    set (cx := q (count_report _ _ _ x _ _ _)) in *. set (cy := q (count_report _ _ _ y _ _ _)) in *.
    set (l := q (lows _)) in *. set (h := q (highs _)) in *.
    apply (Qmult_lt_0_le_reg_r _ _ _ Q).
    setoid_replace (cx / 1 * l)%Q with (l * cx)%Q by (field; discriminate).
    setoid_replace (h / l * (cy / 1) * l)%Q with (h * cy)%Q
      by (field; lra).
    exact R.
Qed.

(** * Blocks of `subset` *)

(** What all ways of a value have in common. *)
Definition common_ways (M : mechanism) : N :=
  match M with Subset k d _ _ => factorial d * N.of_nat (k - d) | _ => 0 end.

Lemma subset_blocks_ways bs : forall sets,
  Forall (fun b => legal (fst b) /\ is_answer (fst b) (snd b)) bs ->
  Forall2 is_subset_value (map fst bs) sets ->
  all_ways bs sets
  = product (map common_ways (map fst bs))
    * product (map (fun '((M, x), set) => subset_weight M x set) (combine bs sets)).
Proof.
  induction bs as [|[M x] bs IH]; intros sets L S; inversion S as [|M' set Ms sets' H1 H2]; subst.
  - reflexivity.
  - inversion L as [|b bs' [L1 L2] L3]; subst. cbn [fst snd map] in *.
    cbn [all_ways combine map].
    change (product (common_ways M :: ?l)) with (common_ways M * product l).
    rewrite (IH _ L3 H2). destruct M as [k d a c| |]; cbn [is_subset_value] in H1; try contradiction.
    destruct L2 as (i & -> & Hi). rewrite (subset_ways k d a c L1 i Hi set H1).
    cbn [subset_weight common_ways hd].
    change (product ((if is_in i set then a else c) :: ?l))
      with ((if is_in i set then a else c) * product l). lia.
Qed.

(** Some answer of the domain. *)
Definition some_answer (M : mechanism) : answer :=
  match M with SampledBits _ _ _ _ _ => [] | _ => [0] end.

Lemma some_answers blocks : Forall legal blocks -> Forall2 is_answer blocks (map some_answer blocks).
Proof.
  induction 1 as [|M blocks L _ IH]; constructor; [|assumption].
  destruct M; cbn [legal is_answer some_answer] in *; unfold legal_subset in *.
  - exists 0. split; [reflexivity | lia].
  - exists 0%nat. repeat split; [lia | constructor..].
  - exists 0. split; [reflexivity | lia].
Qed.

Theorem subset_blocks_multiply_holds : subset_blocks_multiply.
Proof.
  intros p blocks L P n drawn.
  exists (report_weight p (combine blocks (map some_answer blocks)) drawn n
          * product (map common_ways (chosen blocks drawn (fst some_block)))).
  intros x id sets X Hid S. rewrite count_report_ways by assumption.
  rewrite (report_weight_same p blocks x (map some_answer blocks)) by auto using some_answers.
  rewrite (proj2 (N.ltb_lt _ _) Hid), N.mul_1_l, subset_blocks_ways.
  - rewrite chosen_map by assumption. apply N.mul_assoc.
  - apply Forall_forall. intros b Hb. apply in_map_iff in Hb as (i & <- & _).
    apply (chosen_fits blocks x L X).
  - now rewrite chosen_map.
Qed.
