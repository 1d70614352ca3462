(** The law of mechanism `subset`. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted Bool Factorial.
From Deniable Require Import Model Statements Counting Uniform Sampling.
Import ListNotations.
Open Scope N_scope.

(** On how many lists of draws a mechanism returns a value. *)
Definition ways (M : mechanism) (x : answer) (v : value) : N :=
  sum (box (bounds M)) (fun draws => one (if same_list (output M x draws) v then true else false)).

Lemma count_randomize M x v n : Forall bound (bounds M) ->
  count n (gives same_list (randomize M x) v) = draws_weight (bounds M) n * ways M x v.
Proof.
  intros H. rewrite count_gives. unfold ways. rewrite <- sum_each_const by assumption.
  apply sum_ext; intros t. unfold randomize.
  destruct (below_each (bounds M) t) as [[draws r]|]; reflexivity.
Qed.

Lemma randomize_in_box M x t v r : Forall bound (bounds M) -> randomize M x t = Some (v, r) ->
  exists draws, In draws (box (bounds M)) /\ v = output M x draws.
Proof.
  intros H. unfold randomize. destruct (below_each (bounds M) t) as [[draws r']|] eqn:E; [|discriminate].
  intros [= <- <-]. exists draws. split; [eapply below_each_in_box; eauto | reflexivity].
Qed.

Lemma without_perm x k : x < N.of_nat k -> Permutation (x :: without x k) (range k).
Proof.
  intros H. apply NoDup_Permutation.
  - constructor; [|apply NoDup_filter, NoDup_range].
    unfold without. rewrite filter_In, N.eqb_refl. cbn. now intros [].
  - apply NoDup_range.
  - intros y. cbn. unfold without. rewrite filter_In, in_range. split.
    + intros [<-|[]]; assumption.
    + intros. destruct (N.eqb_spec y x); [now left | right; cbn; auto].
Qed.

Section Subset.

Variables (k d : nat) (a c : N).
Hypothesis legal : legal_subset k d a c.

Lemma subset_bounds : Forall bound (bounds (Subset k d a c)).
Proof.
  destruct legal as (Hk & Hd & (Ha & Ht)). cbn [bounds]. constructor.
  - unfold bound. cbn [total_weight]. nia.
  - apply falling_bound. lia.
Qed.

Variable x : N.
Hypothesis x_below : x < N.of_nat k.

Lemma without_facts :
  NoDup (without x k) /\ ~ In x (without x k) /\ length (without x k) = (k - 1)%nat /\
  incl (without x k) (range k).
Proof.
  pose proof (without_perm x k x_below) as P.
  assert (D : NoDup (x :: without x k))
    by (eapply Permutation_NoDup; [symmetry; exact P | apply NoDup_range]).
  inversion D; subst. repeat split; try assumption.
  - apply Permutation_length in P. rewrite range_length in P. cbn in P. lia.
  - intros y Hy. eapply Permutation_in; [exact P | now right].
Qed.

Lemma subset_output_is_set draws : In draws (box (bounds (Subset k d a c))) ->
  is_set k d (output (Subset k d a c) [x] draws).
Proof.
  intros B. destruct without_facts as (D & X & L & I).
  apply in_box in B. cbn [bounds] in B. inversion B as [|u m os ms Hu Hos]; subst.
  cbn [output output_subset hd].
  pose proof (Forall2_length _ _ _ _ _ Hos) as Lo. rewrite falling_length in Lo.
  destruct (sample_of os (without x k)) as [D1 I1]; [assumption | |].
  { rewrite L. apply in_box. now rewrite Lo. }
  pose proof (sample_length os (without x k)) as Ls.
  destruct (u <? N.of_nat d * a).
  - destruct legal as (_ & Hd & _).
    assert (NE : sample (without x k) os <> []).
    { intros E. rewrite E in Ls. cbn in Ls. lia. }
    pose proof (app_removelast_last 0 NE) as R.
    set (s := sample (without x k) os) in *. set (i := removelast s) in *.
    assert (Li : length (i ++ [x]) = d).
    { rewrite app_length. cbn. rewrite <- Lo, <- Ls, R, app_length. reflexivity. }
    rewrite <- Li at 1. rewrite R in D1, I1. apply is_set_of.
    + eapply Permutation_NoDup; [apply Permutation_cons_append|].
      constructor.
      * intros H. apply X, I1, in_app_iff. now left.
      * apply NoDup_remove_1 in D1. now rewrite app_nil_r in D1.
    + intros y Hy. apply in_app_iff in Hy as [Hy|[<-|[]]].
      * apply I, I1, in_app_iff. now left.
      * now apply in_range.
  - rewrite <- Lo, <- Ls. apply is_set_of; [assumption|].
    intros y Hy. now apply I, I1.
Qed.

Lemma subset_ways set : is_set k d set ->
  ways (Subset k d a c) [x] set
  = factorial d * N.of_nat (k - d) * (if is_in x set then a else c).
Proof.
  intros Hset. destruct without_facts as (D & X & L & I).
  pose proof Hset as (_ & Sorted & _).
  destruct (is_set_incl _ _ _ Hset) as (Ds & Is & Ls). destruct legal as (Hk & Hd & _).
  unfold ways. cbn [bounds]. rewrite sum_box_cons. cbn [total_weight].
  rewrite sum_upto_add. cbn [output output_subset hd].
  rewrite (sum_ext_in _ (upto (N.of_nat d * a)) _ (fun _ =>
    sum (box (falling (k - 1) d)) (fun os =>
      matches (removelast (sample (without x k) os) ++ [x]) set))).
  2: { intros u Hu. apply in_upto in Hu. apply sum_ext; intros os.
       rewrite (proj2 (N.ltb_lt _ _) Hu). now apply matches_sorted. }
  rewrite (sum_ext_in _ (upto (N.of_nat (k - d) * c)) _ (fun _ =>
    sum (box (falling (k - 1) d)) (fun os => matches (sample (without x k) os) set))).
  2: { intros u Hu. apply sum_ext; intros os.
       rewrite (proj2 (N.ltb_ge _ _)) by lia. now apply matches_sorted. }
  rewrite !sum_upto_const, <- L.
  destruct (is_in x set) eqn:M.
  - rewrite (sum_zero _ (box _) (fun os => matches (sample (without x k) os) set)).
    2: { intros os Hos. apply matches_false. intros P. apply X.
         destruct (sample_of os (without x k)) as [_ J]; [assumption | |].
         - pose proof (Forall2_length _ _ _ _ _ (proj1 (in_box _ _) Hos)) as Lo.
           rewrite falling_length in Lo. now rewrite Lo.
         - apply J. eapply Permutation_in; [symmetry; exact P|]. now apply is_in_In. }
    apply is_in_In, in_split in M as (s1 & s2 & ->).
    destruct d as [|e]; [lia|].
    rewrite falling_S, sum_box_app.
    rewrite (sum_ext_in _ _ _ (fun os =>
      N.of_nat (k - S e) * matches (sample (without x k) os ++ [x]) ((s1 ++ s2) ++ [x]))).
    2: { intros os Hos. rewrite sum_box_cons.
         rewrite (sum_ext _ _ _ (fun _ => matches (sample (without x k) os ++ [x]) ((s1 ++ s2) ++ [x]))).
         - rewrite sum_upto_const. do 2 f_equal. lia.
         - intros o. cbn [box]. sums. rewrite N.add_0_r.
           destruct (sample_app os [o] (without x k)) as [rest E]. rewrite E.
           cbn [sample]. destruct (swap _ rest). rewrite removelast_last.
           apply matches_iff. rewrite <- (Permutation_middle s1 s2 x).
           rewrite (Permutation_cons_append (s1 ++ s2) x). reflexivity. }
    rewrite sum_scale, (sample_ways [x]).
    + unfold factorial. change (fact (S e)) with (S e * fact e)%nat. rewrite Nat2N.inj_mul. lia.
    + assumption.
    + intros y [<-|[]]. assumption.
    + eapply NoDup_remove_1; eauto.
    + intros y Hy. apply filter_In. split.
      * apply Is, in_app_iff. apply in_app_iff in Hy. cbn. tauto.
      * apply negb_true_iff, N.eqb_neq. intros ->. now apply NoDup_remove_2 in Ds.
    + rewrite app_length in *. cbn in Ls. lia.
  - apply is_in_not in M.
    rewrite (sum_zero _ (box _) (fun os => matches (removelast (sample (without x k) os) ++ [x]) set)).
    2: { intros os _. apply matches_false. intros P. apply M.
         eapply Permutation_in; [exact P|]. apply in_app_iff. right. now left. }
    pose proof (sample_ways [] d (without x k) set) as W.
    rewrite (sum_ext _ _ _ (fun os => matches (sample (without x k) os ++ []) (set ++ [])))
      by (intros; now rewrite !app_nil_r).
    rewrite W; [lia | assumption | intros y [] | assumption | | assumption].
    intros y Hy. apply filter_In. split; [now apply Is|].
    apply negb_true_iff, N.eqb_neq. intros ->. contradiction.
Qed.

End Subset.

Theorem subset_is_exact_holds : subset_is_exact.
Proof.
  intros k d a c legal. pose proof (subset_bounds k d a c legal) as B. split.
  - intros x t set rest Hx E. destruct (randomize_in_box _ _ _ _ _ B E) as (draws & Hd & ->).
    now apply subset_output_is_set.
  - intros n. exists (draws_weight (bounds (Subset k d a c)) n * (factorial d * N.of_nat (k - d))).
    split.
    + intros Hn. assert (0 < draws_weight (bounds (Subset k d a c)) n).
      { apply draws_weight_positive; [assumption|]. cbn [bounds length]. rewrite falling_length. lia. }
      assert (0 < factorial d) by (unfold factorial; pose proof (lt_O_fact d); lia).
      destruct legal as (Hk & Hd & _). assert (0 < N.of_nat (k - d)) by lia. nia.
    + intros x set Hx S. rewrite count_randomize by assumption.
      rewrite subset_ways by assumption. lia.
Qed.
