(** The blocks with the largest ratios are the most expensive report. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted.
From Deniable Require Import Model Statements Counting Sampling SubsetLaw Report Guarantee.
Import ListNotations.
Open Scope N_scope.

Definition high (M : mechanism) : N := highs (spends M).
Definition low (M : mechanism) : N := lows (spends M).

Definition all_high (Ms : list mechanism) : N := product (map high Ms).
Definition all_low (Ms : list mechanism) : N := product (map low Ms).

Lemma highs_flat Ms : highs (flat_map spends Ms) = all_high Ms.
Proof.
  unfold highs. induction Ms as [|M Ms IH]; [reflexivity|].
  cbn [flat_map]. rewrite map_app, product_app, IH. reflexivity.
Qed.

Lemma lows_flat Ms : lows (flat_map spends Ms) = all_low Ms.
Proof.
  unfold lows. induction Ms as [|M Ms IH]; [reflexivity|].
  cbn [flat_map]. rewrite map_app, product_app, IH. reflexivity.
Qed.

Lemma product_perm l m : Permutation l m -> product l = product m.
Proof. unfold product. induction 1; cbn [fold_right] in *; lia. Qed.

Lemma all_high_perm Ms Os : Permutation Ms Os -> all_high Ms = all_high Os.
Proof. intros P. now apply product_perm, Permutation_map. Qed.

Lemma all_low_perm Ms Os : Permutation Ms Os -> all_low Ms = all_low Os.
Proof. intros P. now apply product_perm, Permutation_map. Qed.

Definition positive (M : mechanism) : Prop := 1 <= low M.

Lemma legal_positive M : legal M -> positive M.
Proof.
  intros L. pose proof (lows_positive [M] [0] (Forall_cons _ L (Forall_nil _))) as P.
  unfold spent, chosen in P. cbn [map nth N.to_nat flat_map] in P. rewrite app_nil_r in P. exact P.
Qed.

Lemma all_low_positive Ms : Forall positive Ms -> 1 <= all_low Ms.
Proof.
  induction 1 as [|M Ms H _ IH]; [discriminate|].
  change (all_low (M :: Ms)) with (low M * all_low Ms). unfold positive in H. nia.
Qed.

Definition below_ratio (M O : mechanism) : Prop := high M * low O <= high O * low M.

Lemma below_ratio_trans M O Q : positive O -> below_ratio M O -> below_ratio O Q -> below_ratio M Q.
Proof.
  unfold below_ratio, positive. intros P A B.
  generalize dependent (high M). generalize dependent (high O). generalize dependent (high Q).
  generalize dependent (low M). generalize dependent (low O). generalize dependent (low Q).
  intros lQ lO PO lM hQ hO B hM A.
  apply (N.mul_le_mono_pos_r _ _ lO); [lia|].
  transitivity (hO * lM * lQ); [|].
  - replace (hM * lQ * lO) with (hM * lO * lQ) by lia. now apply N.mul_le_mono_r.
  - replace (hO * lM * lQ) with (hO * lQ * lM) by lia.
    replace (hQ * lM * lO) with (hQ * lO * lM) by lia. now apply N.mul_le_mono_r.
Qed.

Lemma insert_block_perm M Ms : Permutation (insert_block M Ms) (M :: Ms).
Proof.
  induction Ms as [|O Ms IH]; cbn; [reflexivity|]. destruct (at_most M O); [reflexivity|].
  rewrite IH. apply perm_swap.
Qed.

Lemma sorted_blocks_perm Ms : Permutation (fold_right insert_block [] Ms) Ms.
Proof. induction Ms; cbn; [reflexivity|]. rewrite insert_block_perm. now constructor. Qed.

Lemma insert_block_sorted M Ms : positive M -> Forall positive Ms ->
  StronglySorted below_ratio Ms -> StronglySorted below_ratio (insert_block M Ms).
Proof.
  intros PM PMs. induction 1 as [|O Ms S IH F]; cbn; [repeat constructor|].
  inversion PMs as [|? ? PO PMs']; subst. destruct (at_most M O) eqn:E.
  - apply N.leb_le in E. constructor; [now constructor|]. constructor; [exact E|].
    eapply Forall_impl; [|exact F]. intros Q HQ. now apply (below_ratio_trans M O Q).
  - apply N.leb_gt in E. constructor; [now apply IH|].
    eapply Permutation_Forall; [symmetry; apply insert_block_perm|].
    constructor; [|exact F]. unfold below_ratio, high, low. lia.
Qed.

Lemma sorted_blocks_sorted Ms : Forall positive Ms ->
  StronglySorted below_ratio (fold_right insert_block [] Ms).
Proof.
  induction 1 as [|M Ms H F IH]; [constructor|]. cbn [fold_right].
  apply insert_block_sorted; [assumption | | assumption].
  eapply Permutation_Forall; [symmetry; apply sorted_blocks_perm | exact F].
Qed.

(** No choice of as many blocks has a larger ratio than the last ones of an ascending list. *)
Lemma last_are_worst Ms : StronglySorted below_ratio Ms -> Forall positive Ms ->
  forall D R, Permutation (D ++ R) Ms ->
    let last := skipn (length Ms - length D) Ms in
    all_high D * all_low last <= all_high last * all_low D.
Proof.
  induction 1 as [|y Ms Srt IH F]; intros P D R Q last.
  - apply Permutation_sym, Permutation_nil, app_eq_nil in Q as [-> ->]. reflexivity.
  - inversion P as [|? ? Py PMs]; subst. specialize (IH PMs).
    pose proof (Permutation_length Q) as LQ. rewrite app_length in LQ. cbn [length] in LQ.
    destruct (Nat.eq_dec (length D) (S (length Ms))) as [E|E].
    + destruct R; [|cbn [length] in LQ; lia]. rewrite app_nil_r in Q.
      subst last. cbn [length]. rewrite E, Nat.sub_diag. cbn [skipn].
      rewrite (all_high_perm _ _ Q), (all_low_perm _ _ Q). lia.
    + subst last. cbn [length].
      replace (S (length Ms) - length D)%nat with (S (length Ms - length D)) by lia.
      cbn [skipn].
      assert (I : In y (D ++ R)) by (eapply Permutation_in; [symmetry; exact Q | now left]).
      apply in_app_iff in I as [I|I]; apply in_split in I as (A & B & ->).
      * destruct R as [|r R]; [cbn [length] in LQ; lia|].
        rewrite <- app_assoc in Q. cbn [app] in Q. symmetry in Q. apply Permutation_cons_app_inv in Q.
        symmetry in Q. rewrite app_assoc in Q.
        assert (Ir : In r Ms) by (eapply Permutation_in; [exact Q | apply in_app_iff; right; now left]).
        assert (Q' : Permutation ((r :: A ++ B) ++ R) Ms).
        { rewrite <- Q. cbn [app]. now apply Permutation_middle. }
        specialize (IH (r :: A ++ B) R Q'). cbn zeta in IH.
        rewrite app_length in *. cbn [length] in *. rewrite app_length in IH.
        replace (length A + S (length B))%nat with (S (length A + length B)) by lia.
        set (last := skipn _ Ms) in *.
        rewrite <- (all_high_perm (y :: A ++ B) (A ++ y :: B)), <- (all_low_perm (y :: A ++ B) (A ++ y :: B))
          by apply Permutation_middle.
        change (all_high (?z :: ?l)) with (high z * all_high l) in *.
        change (all_low (?z :: ?l)) with (low z * all_low l) in *.
        rewrite Forall_forall in F, PMs. pose proof (F r Ir) as Fr. pose proof (PMs r Ir) as Pr.
        unfold below_ratio, positive in Fr, Pr.
        generalize dependent (all_high (A ++ B)). generalize dependent (all_low (A ++ B)).
        generalize dependent (all_high last). generalize dependent (all_low last).
        generalize dependent (high y). generalize dependent (high r). generalize dependent (low r).
        generalize (low y). clear. intros ly lr Pr hr hy Fr lw hw l h IH.
        apply (N.mul_le_mono_pos_r _ _ lr); [lia|].
        transitivity (hr * ly * (h * lw)).
        -- replace (hy * h * lw * lr) with (hy * lr * (h * lw)) by lia. now apply N.mul_le_mono_r.
        -- replace (hr * ly * (h * lw)) with (hr * h * lw * ly) by lia.
           replace (hw * (ly * l) * lr) with (hw * (lr * l) * ly) by lia. now apply N.mul_le_mono_r.
      * apply (IH D (A ++ B)). rewrite app_assoc in Q. symmetry in Q.
        apply Permutation_cons_app_inv in Q. symmetry. now rewrite app_assoc.
Qed.

Lemma range_map_nth (blocks : list mechanism) other :
  map (fun i => nth (N.to_nat i) blocks other) (range (length blocks)) = blocks.
Proof.
  unfold range. rewrite map_map.
  rewrite (map_ext _ (fun i => nth i blocks other)) by (intros; now rewrite Nat2N.id).
  induction blocks; [reflexivity|]. cbn [length seq map nth]. f_equal.
  now rewrite <- seq_shift, map_map.
Qed.

Theorem survey_is_within_epsilon_holds : survey_is_within_epsilon.
Proof.
  intros p blocks L P n d Hn Hd W drawn S.
  destruct (is_set_incl _ _ _ S) as (D & I & Len).
  assert (Pos : Forall positive blocks) by (eapply Forall_impl; [apply legal_positive | exact L]).
  set (Ms := fold_right insert_block [] blocks).
  assert (PM : Permutation Ms blocks) by apply sorted_blocks_perm.
  assert (Pos' : Forall positive Ms) by (eapply Permutation_Forall; [symmetry; exact PM | exact Pos]).
  pose (rest := filter (fun i => negb (is_in i drawn)) (range (length blocks))).
  assert (Q : Permutation (chosen blocks drawn (fst some_block) ++ chosen blocks rest (fst some_block)) Ms).
  { rewrite PM. unfold chosen. rewrite <- map_app.
    transitivity (map (fun i => nth (N.to_nat i) blocks (fst some_block)) (range (length blocks)));
      [apply Permutation_map | now rewrite range_map_nth].
    apply NoDup_Permutation; [|apply NoDup_range|].
    - apply NoDup_join; [assumption | apply NoDup_filter, NoDup_range|].
      intros i Hi H. apply filter_In in H as [_ H].
      apply Bool.negb_true_iff, is_in_not in H. contradiction.
    - intros i. rewrite in_app_iff. unfold rest. rewrite filter_In, Bool.negb_true_iff, is_in_not.
      split; [intros [H|[H _]]; auto|]. intros H. destruct (in_dec N.eq_dec i drawn); tauto. }
  pose proof (last_are_worst Ms (sorted_blocks_sorted _ Pos) Pos' _ _ Q) as B. cbn zeta in B.
  assert (LD : length (chosen blocks drawn (fst some_block)) = asked p (length blocks))
    by (unfold chosen; now rewrite map_length).
  rewrite LD, (Permutation_length PM) in B.
  change (skipn (length blocks - asked p (length blocks)) Ms)
    with (worst (asked p (length blocks)) blocks) in B.
  set (Ws := worst _ _) in *. unfold spent. set (Ds := chosen _ _ _) in *.
  assert (PW : 1 <= all_low Ws).
  { apply all_low_positive. unfold Ws, worst. fold Ms. rewrite Forall_forall in *.
    intros M HM. apply Pos'. rewrite <- (firstn_skipn (length blocks - asked p (length blocks)) Ms).
    apply in_app_iff. now right. }
  unfold is_within in *. rewrite N.leb_le in *.
  rewrite !highs_flat, !lows_flat in *.
  generalize dependent (exponential_floor n d). generalize dependent (2 ^ 256).
  generalize dependent (all_high Ws). generalize dependent (all_low Ws).
  generalize dependent (all_high Ds). generalize dependent (all_low Ds). clear.
  intros l h lw PW hw B unit floor W.
  apply (N.mul_le_mono_pos_r _ _ lw); [lia|].
  transitivity (hw * l * unit).
  - replace (h * unit * lw) with (h * lw * unit) by lia. now apply N.mul_le_mono_r.
  - replace (hw * l * unit) with (hw * unit * l) by lia.
    replace (floor * l * lw) with (floor * lw * l) by lia. now apply N.mul_le_mono_r.
Qed.
