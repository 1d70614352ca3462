(** The law of mechanism `privset`. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted Bool Factorial.
From Deniable Require Import Model Statements Counting Uniform Sampling SubsetLaw Report Guarantee Binomial.
Import ListNotations.
Open Scope N_scope.

(** * Samples of other lists than 0 to n - 1 *)

Lemma put_map (f : N -> N) l : forall i x, put i (f x) (map f l) = map f (put i x l).
Proof. induction l; intros i x; destruct i; cbn; try reflexivity. now rewrite IHl. Qed.

Lemma nth_map (f : N -> N) l i : (i < length l)%nat -> nth i (map f l) 0 = f (nth i l 0).
Proof. intros H. rewrite (nth_indep _ 0 (f 0)) by now rewrite map_length. apply map_nth. Qed.

Lemma sample_map (f : N -> N) os : forall pool,
  In os (box (falling (length pool) (length os))) -> sample (map f pool) os = map f (sample pool os).
Proof.
  induction os as [|o os IH]; intros pool B; [reflexivity|].
  apply in_box in B. cbn [falling length] in B. inversion B as [|? ? ? ? Ho Hos]; subst.
  destruct pool as [|y rest]; [cbn in Ho; lia|]. cbn [length] in *.
  replace (S (length rest) - 1)%nat with (length rest) in Hos by lia.
  cbn [sample map swap]. destruct (N.to_nat o) as [|i] eqn:E.
  - cbn [map]. rewrite IH; [reflexivity | now apply in_box].
  - rewrite nth_map, put_map by lia. cbn [map]. rewrite IH; [reflexivity|]. apply in_box.
    replace (length (put i y rest)) with (length rest); [assumption|].
    clear. revert i. induction rest; intros i; destruct i; cbn; auto.
Qed.

Lemma pick_all pool : pick pool (range (length pool)) = pool.
Proof.
  unfold pick, range. rewrite map_map.
  rewrite (map_ext _ (fun i => nth i pool 0)) by (intros; now rewrite Nat2N.id).
  induction pool; [reflexivity|]. cbn [length seq map nth]. f_equal.
  now rewrite <- seq_shift, map_map.
Qed.

Lemma pick_sample pool os : In os (box (falling (length pool) (length os))) ->
  pick pool (sample (range (length pool)) os) = sample pool os.
Proof.
  intros B. unfold pick. rewrite <- sample_map by now rewrite range_length.
  change (map (fun i => nth (N.to_nat i) pool 0) (range (length pool)))
    with (pick pool (range (length pool))). now rewrite pick_all.
Qed.

Lemma filter_split (f : N -> bool) l : Permutation (filter f l ++ filter (fun y => negb (f y)) l) l.
Proof.
  induction l as [|y l IH]; [reflexivity|]. cbn. destruct (f y); cbn.
  - now constructor.
  - symmetry. apply Permutation_cons_app. now symmetry.
Qed.

Lemma filter_perm (f : N -> bool) l m : Permutation l m -> Permutation (filter f l) (filter f m).
Proof.
  induction 1; cbn; repeat (match goal with |- context [f ?z] => destruct (f z) end);
    try constructor; try assumption; try reflexivity. etransitivity; eassumption.
Qed.

Lemma filter_all (f : N -> bool) l : (forall y, In y l -> f y = true) -> filter f l = l.
Proof.
  induction l as [|y l IH]; intros H; [reflexivity|]. cbn. rewrite (H y (or_introl eq_refl)).
  f_equal. apply IH. intros z Hz. apply H. now right.
Qed.

Lemma filter_none (f : N -> bool) l : (forall y, In y l -> f y = false) -> filter f l = [].
Proof.
  induction l as [|y l IH]; intros H; [reflexivity|]. cbn. rewrite (H y (or_introl eq_refl)).
  apply IH. intros z Hz. apply H. now right.
Qed.

(** * Chosen options and others *)

Section Answer.

Variables (k m l size : nat) (a c : N) (x : answer).
Hypothesis legal : legal_privset k m l a c.
Hypotheses (size_small : (size <= m)%nat) (x_set : is_set k size x).

Notation P := (padded k m x).
Notation O := (others k m x).

Lemma padded_facts : NoDup P /\ length P = m /\ incl P (range (k + m)).
Proof.
  destruct (is_set_incl _ _ _ x_set) as (D & I & L). unfold padded. repeat split.
  - apply NoDup_join; [assumption | |].
    + apply FinFun.Injective_map_NoDup; [|apply NoDup_range]. intros i j. lia.
    + intros y Hy H. apply I, in_range in Hy. apply in_map_iff in H as (i & <- & _). lia.
  - rewrite app_length, map_length, range_length. lia.
  - intros y Hy. apply in_range. apply in_app_iff in Hy as [Hy|Hy].
    + apply I, in_range in Hy. lia.
    + apply in_map_iff in Hy as (i & <- & Hi). apply in_range in Hi. lia.
Qed.

Lemma others_facts : NoDup O /\ length O = k /\ (forall y, In y O <-> In y (range (k + m)) /\ ~ In y P).
Proof.
  destruct padded_facts as (D & L & I).
  assert (F : forall y, In y O <-> In y (range (k + m)) /\ ~ In y P).
  { intros y. unfold others. rewrite filter_In, negb_true_iff, is_in_not. reflexivity. }
  assert (DO : NoDup O) by apply NoDup_filter, NoDup_range.
  split; [exact DO | split; [|exact F]].
  assert (Q : Permutation (P ++ O) (range (k + m))).
  { apply NoDup_Permutation; [|apply NoDup_range|].
    - apply NoDup_join; [assumption..|]. intros y Hy H. now apply F in H.
    - intros y. rewrite in_app_iff, F. split; [intros [H|H]; [now apply I | tauto]|].
      intros H. destruct (in_dec N.eq_dec y P); tauto. }
  apply Permutation_length in Q. rewrite app_length, range_length in Q. lia.
Qed.

Variable set : value.
Hypothesis is_set_set : is_set (k + m) l set.

(** How many members of the set are chosen. *)
Definition hits : list N := filter (fun y => is_in y P) set.
Definition misses : list N := filter (fun y => negb (is_in y P)) set.

Lemma hits_facts : NoDup hits /\ incl hits P /\ NoDup misses /\ incl misses O /\
  (length hits + length misses = l)%nat /\ (length hits <= m)%nat.
Proof.
  destruct (is_set_incl _ _ _ is_set_set) as (D & I & L). unfold hits, misses.
  destruct padded_facts as (DP & LP & IP). destruct others_facts as (_ & _ & FO).
  assert (IH : incl (filter (fun y => is_in y P) set) P).
  { intros y Hy. apply filter_In in Hy as [_ Hy]. now apply is_in_In. }
  repeat split.
  - now apply NoDup_filter.
  - exact IH.
  - now apply NoDup_filter.
  - intros y Hy. apply filter_In in Hy as [Hy N]. apply negb_true_iff, is_in_not in N.
    apply FO. auto.
  - rewrite <- app_length, (Permutation_length (filter_split _ set)). assumption.
  - apply Nat.le_trans with (length P); [|now rewrite LP].
    apply NoDup_incl_length; [now apply NoDup_filter | exact IH].
Qed.

(** A set of so many chosen options and others comes of each order of both, and of no other count. *)
Lemma privset_ways t : (t <= m)%nat -> (t <= l)%nat ->
  sum (box (privset_bounds k m l t))
    (fun draws => one (if same_list (privset_output k m t x draws) set then true else false))
  = if (t =? length hits)%nat then factorial t * factorial (l - t) else 0.
Proof.
  intros Htm Htl.
  destruct padded_facts as (DP & LP & IP). destruct others_facts as (DO & LO & FO).
  destruct hits_facts as (DH & IH & DM & IM & LHM & LH).
  pose proof is_set_set as (_ & Sorted & _).
  unfold privset_bounds. rewrite sum_box_app.
  rewrite (sum_ext_in _ _ _ (fun d => if (t =? length hits)%nat
    then matches (sample P d ++ []) (hits ++ []) * factorial (l - t) else 0)).
  { destruct (Nat.eqb_spec t (length hits)) as [E|E].
    - rewrite sum_scale_r. f_equal. rewrite <- (sample_ways [] t P hits); auto. now rewrite LP.
    - apply sum_zero; auto. }
  intros d1 B1. pose proof (Forall2_length _ _ _ _ _ (proj1 (in_box _ _) B1)) as L1.
  rewrite falling_length in L1.
  destruct (sample_of d1 P) as [DA IA]; [assumption | now rewrite LP, L1|].
  set (A := sample P d1) in *.
  assert (LA : length A = t) by (unfold A; rewrite sample_length; assumption).
  rewrite (sum_ext_in _ _ _ (fun d2 => matches (A ++ sample O d2) (hits ++ misses))).
  2: { intros d2 B2. pose proof (Forall2_length _ _ _ _ _ (proj1 (in_box _ _) B2)) as L2.
       rewrite falling_length in L2. unfold privset_output. rewrite matches_sorted by assumption.
       rewrite firstn_app, skipn_app, L1, Nat.sub_diag, <- L1, firstn_all, skipn_all.
       cbn [firstn skipn app]. rewrite app_nil_r.
       pose proof (pick_sample P d1) as S1. rewrite LP, L1 in S1. rewrite (S1 B1). fold A.
       pose proof (pick_sample O d2) as S2. rewrite LO, L2 in S2. rewrite (S2 B2).
       apply matches_iff. unfold hits, misses. now rewrite filter_split. }
  assert (PA : forall B, (forall y, In y B -> In y O) -> Permutation (A ++ B) (hits ++ misses) ->
    Permutation A hits /\ Permutation B misses).
  { intros B HB Q.
    assert (fA : forall y, In y A -> is_in y P = true) by (intros y Hy; apply is_in_In; auto).
    assert (fB : forall y, In y B -> is_in y P = false)
      by (intros y Hy; apply is_in_not, FO, HB, Hy).
    assert (fH : forall y, In y hits -> is_in y P = true) by (intros y Hy; apply is_in_In; auto).
    assert (fM : forall y, In y misses -> is_in y P = false)
      by (intros y Hy; apply is_in_not; apply IM, FO in Hy; tauto).
    split.
    - apply (filter_perm (fun y => is_in y P)) in Q. rewrite !filter_app in Q.
      rewrite (filter_all _ A), (filter_all _ hits), (filter_none _ B), (filter_none _ misses), !app_nil_r in Q
        by assumption. exact Q.
    - apply (filter_perm (fun y => negb (is_in y P))) in Q. rewrite !filter_app in Q.
      rewrite (filter_none _ A), (filter_none _ hits), (filter_all _ B), (filter_all _ misses) in Q
        by (intros y Hy; rewrite ?(fA y Hy), ?(fB y Hy), ?(fH y Hy), ?(fM y Hy); reflexivity).
      exact Q. }
  assert (SO : forall d2, In d2 (box (falling k (l - t))) -> forall y, In y (sample O d2) -> In y O).
  { intros d2 B2. pose proof (Forall2_length _ _ _ _ _ (proj1 (in_box _ _) B2)) as L2.
    rewrite falling_length in L2.
    destruct (sample_of d2 O) as [_ IB]; [assumption | now rewrite LO, L2 | exact IB]. }
  rewrite !app_nil_r. unfold matches at 2.
  destruct (same_list (ascending A) (ascending hits)) as [E|E].
  - assert (Q : Permutation A hits)
      by (rewrite <- (ascending_perm A), E; apply ascending_perm).
    pose proof (Permutation_length Q) as LQ. rewrite (proj2 (Nat.eqb_eq _ _)) by lia.
    cbn [one]. rewrite N.mul_1_l.
    rewrite <- (sample_ways A (l - t) O misses); try assumption; try lia.
    + rewrite LO. apply sum_ext; intros d2. apply matches_iff. rewrite Q, !(Permutation_app_comm hits).
      reflexivity.
    + intros y Hy H. apply FO in H as [_ H]. apply H. now apply IA.
  - cbn [one]. rewrite N.mul_0_l.
    assert (Z : sum (box (falling k (l - t))) (fun d2 => matches (A ++ sample O d2) (hits ++ misses)) = 0).
    { apply sum_zero. intros d2 B2. apply matches_false. intros Q.
      apply PA in Q as [Q _]; [|now apply SO]. apply E.
      apply sorted_unique; try apply ascending_sorted. now rewrite !ascending_perm. }
    rewrite Z. now destruct (t =? length hits)%nat.
Qed.

End Answer.

(** * The law *)

Lemma privset_bound k m l a c t : legal_privset k m l a c -> (t <= m)%nat -> (t <= l)%nat ->
  Forall bound (privset_bounds k m l t).
Proof.
  intros (Hk & Hm & Hl & _) H1 H2. apply Forall_app. split; apply falling_bound; lia.
Qed.

Lemma meeting_weights_length k m l a c : length (meeting_weights k m l a c) = S (Nat.min m l).
Proof. unfold meeting_weights. now rewrite map_length, seq_length. Qed.

Lemma meeting_weights_nth k m l a c t : (t <= Nat.min m l)%nat ->
  nth t (meeting_weights k m l a c) 0
  = binomial m t * binomial k (l - t) * (match t with O => c | S _ => a end).
Proof.
  intros H. set (f := fun t => binomial m t * binomial k (l - t) * (match t with O => c | S _ => a end)).
  unfold meeting_weights. fold f. rewrite (nth_indep _ 0 (f 0%nat)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. reflexivity.
Qed.

Lemma first_above_small weights : forall u, u < fold_right N.add 0 weights ->
  first_above weights u < N.of_nat (length weights).
Proof.
  induction weights as [|w weights IH]; intros u; cbn [fold_right first_above length]; [lia|].
  intros H. destruct (N.ltb_spec u w); [lia|]. specialize (IH (u - w)). lia.
Qed.

Theorem privset_is_nearly_exact_holds : privset_is_nearly_exact.
Proof.
  intros k m l a c L n Hn size x set Hs X S total found exactly.
  pose proof L as (Hk & Hm & Hl & (Ha & Ht)). fold total in Ht.
  destruct (hits_facts k m l size x Hs X set S) as (DH & _ & _ & _ & HL & HM).
  set (h := length (hits k m x set)) in *.
  assert (Hh : (h <= Nat.min m l)%nat) by lia.
  assert (LW := meeting_weights_length k m l a c).
  assert (B : bound total).
  { split; [|exact Ht]. unfold total, meeting_weights. cbn [seq map fold_right].
    pose proof (binomial_positive m 0 ltac:(lia)). pose proof (binomial_positive k (l - 0) ltac:(lia)).
    nia. }
  set (ms := privset_bounds k m l h).
  assert (Bs : Forall bound ms) by (apply (privset_bound k m l a c); [assumption | lia | lia]).
  assert (C : found = nth h (meeting_weights k m l a c) 0 * (factorial h * factorial (l - h))
                      * draws_weight (total :: ms) n).
  { unfold found. rewrite count_gives.
    pose (value := fun u (r : tape) => let count := N.to_nat (first_above (meeting_weights k m l a c) u) in
      match below_each (privset_bounds k m l count) r with
      | Some (draws, _) => one (if same_list (privset_output k m count x draws) set then true else false)
      | None => 0 end).
    rewrite (sum_ext _ _ _ (fun t => match below_within most_tries total t with
      | Some (u, r) => value u r | None => 0 end)).
    2: { intros t. unfold privset, value. fold total. unfold below.
         destruct (below_within most_tries total t) as [[u r]|]; [|reflexivity].
         destruct (below_each _ r) as [[draws r']|]; reflexivity. }
    rewrite (sum_below most_tries total B n value).
    unfold draws_weight. cbn [each_outcomes]. rewrite after_flat_map, <- after_scale.
    apply after_ext; intros k'. fold (draws_weight ms k').
    rewrite <- (first_above_ways _ h) by lia. fold total.
    rewrite <- N.mul_assoc, <- sum_scale_r. apply sum_ext_in. intros u Hu. apply in_upto in Hu.
    set (t := N.to_nat (first_above (meeting_weights k m l a c) u)).
    assert (T : (t <= Nat.min m l)%nat).
    { pose proof (first_above_small _ _ Hu). rewrite LW in *. unfold t. lia. }
    unfold value. fold t. cbv zeta.
    rewrite (sum_each_const (privset_bounds k m l t) k' (fun draws =>
      one (if same_list (privset_output k m t x draws) set then true else false)))
      by (apply (privset_bound k m l a c); [assumption | lia | lia]).
    rewrite (privset_ways k m l size x Hs X set S t) by lia. fold h.
    destruct (Nat.eqb_spec t h) as [E|E].
    - rewrite (proj2 (N.eqb_eq _ _)) by (unfold t in E; lia). rewrite E. fold ms. lia.
    - rewrite (proj2 (N.eqb_neq _ _)) by (unfold t in E; lia). lia. }
  assert (W : match h with O => c | S _ => a end = privset_weight k m a c x set).
  { unfold privset_weight, h, hits. clear. induction set as [|y set IH]; [reflexivity|].
    cbn [filter existsb]. destruct (is_in y (padded k m x)); [reflexivity | exact IH]. }
  assert (E : found * total = privset_weight k m a c x set
                              * (product (total :: ms) * draws_weight (total :: ms) n)).
  { rewrite C, meeting_weights_nth, W by assumption.
    change (product (total :: ms)) with (total * product ms).
    unfold ms at 2, privset_bounds. rewrite product_app, <- !binomial_falling.
    generalize (draws_weight (total :: ms) n). generalize (binomial m h), (binomial k (l - h)).
    generalize (factorial h), (factorial (l - h)), (privset_weight k m a c x set), total. clear. lia. }
  assert (Len : length (total :: ms) = (l + 1)%nat).
  { unfold ms, privset_bounds. cbn [length]. rewrite app_length, !falling_length. lia. }
  destruct (draws_rarely_fail (total :: ms) ltac:(now constructor) n) as [U D].
  { rewrite Len. exact Hn. }
  rewrite Len in D. rewrite E. unfold exactly. split.
  - now apply N.mul_le_mono_l.
  - rewrite <- !N.mul_assoc in *. now apply N.mul_le_mono_l.
Qed.
