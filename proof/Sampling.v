(** Samples are uniform. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted Bool Factorial.
From Deniable Require Import Model Statements Counting.
Import ListNotations.
Open Scope N_scope.

(** * Ascending lists *)

Lemma insert_perm x l : Permutation (insert x l) (x :: l).
Proof.
  induction l; cbn; [reflexivity|]. destruct (x <=? a); [reflexivity|].
  rewrite IHl. apply perm_swap.
Qed.

Lemma ascending_perm l : Permutation (ascending l) l.
Proof. induction l; cbn; [reflexivity|]. rewrite insert_perm. now constructor. Qed.

Lemma insert_sorted x l : StronglySorted N.le l -> StronglySorted N.le (insert x l).
Proof.
  induction 1 as [|a l S IH F]; cbn; [repeat constructor|].
  destruct (N.leb_spec x a).
  - constructor; [now constructor|]. constructor; [assumption|].
    eapply Forall_impl; [|exact F]. cbn; intros; lia.
  - constructor; [assumption|]. eapply Permutation_Forall; [symmetry; apply insert_perm|].
    constructor; [lia | assumption].
Qed.

Lemma ascending_sorted l : StronglySorted N.le (ascending l).
Proof. induction l; cbn; [constructor|]. now apply insert_sorted. Qed.

Lemma sorted_unique l m : StronglySorted N.le l -> StronglySorted N.le m -> Permutation l m -> l = m.
Proof.
  intros Sl; revert m; induction Sl as [|a l Sl IH Fl]; intros m Sm P.
  - now apply Permutation_nil in P.
  - destruct Sm as [|b m Sm Fm]; [symmetry in P; now apply Permutation_nil in P|].
    assert (a = b).
    { assert (A : In a (b :: m)) by (eapply Permutation_in; [exact P | now left]).
      assert (B : In b (a :: l)) by (eapply Permutation_in; [symmetry; exact P | now left]).
      rewrite Forall_forall in Fl, Fm.
      destruct A as [|A]; [congruence|]. destruct B as [|B]; [congruence|].
      apply Fm in A. apply Fl in B. lia. }
    subst. f_equal. apply IH; [assumption|]. eapply Permutation_cons_inv; eauto.
Qed.

Lemma lt_le_sorted l : StronglySorted N.lt l -> StronglySorted N.le l.
Proof.
  induction 1; constructor; [assumption|]. eapply Forall_impl; [|eassumption]. cbn; intros; lia.
Qed.

Lemma lt_sorted_NoDup l : StronglySorted N.lt l -> NoDup l.
Proof.
  induction 1 as [|a l S IH F]; constructor; [|assumption].
  rewrite Forall_forall in F. intros H. apply F in H. lia.
Qed.

Lemma le_NoDup_sorted l : StronglySorted N.le l -> NoDup l -> StronglySorted N.lt l.
Proof.
  induction 1 as [|a l S IH F]; intros D; inversion D; subst; constructor; [auto|].
  rewrite Forall_forall in *. intros x Hx. specialize (F x Hx).
  assert (x <> a) by (intros ->; contradiction). lia.
Qed.

Lemma ascending_is l s : StronglySorted N.lt s -> ascending l = s <-> Permutation l s.
Proof.
  intros S. split.
  - intros <-. symmetry. apply ascending_perm.
  - intros P. apply sorted_unique; [apply ascending_sorted | now apply lt_le_sorted |].
    now rewrite ascending_perm.
Qed.

Lemma is_in_In x l : is_in x l = true <-> In x l.
Proof.
  unfold is_in. rewrite existsb_exists. split.
  - intros (y & Hy & E). apply N.eqb_eq in E. now subst.
  - intros H. exists x. split; [assumption | apply N.eqb_refl].
Qed.

Lemma is_in_not x l : is_in x l = false <-> ~ In x l.
Proof. rewrite <- is_in_In. symmetry. apply not_true_iff_false. Qed.

Lemma NoDup_join (l m : list N) :
  NoDup l -> NoDup m -> (forall y, In y l -> ~ In y m) -> NoDup (l ++ m).
Proof.
  induction 1 as [|y l Hy _ IH]; intros Dm H; [assumption|]. cbn. constructor.
  - rewrite in_app_iff. intros [|J]; [contradiction|]. now apply (H y (or_introl eq_refl)).
  - apply IH; [assumption|]. intros z Hz. apply H. now right.
Qed.

(** * Samples *)

(** 1 if one list is a permutation of the other. *)
Definition matches (l s : list N) : N :=
  one (if same_list (ascending l) (ascending s) then true else false).

Lemma matches_true l s : Permutation l s -> matches l s = 1.
Proof.
  intros P. unfold matches. destruct (same_list _ _) as [|H]; [reflexivity|].
  elim H. apply sorted_unique; try apply ascending_sorted. now rewrite !ascending_perm.
Qed.

Lemma matches_false l s : ~ Permutation l s -> matches l s = 0.
Proof.
  intros P. unfold matches. destruct (same_list _ _) as [H|]; [|reflexivity].
  elim P. rewrite <- (ascending_perm l), <- (ascending_perm s). now rewrite H.
Qed.

Lemma matches_iff l s l' s' :
  (Permutation l s <-> Permutation l' s') -> matches l s = matches l' s'.
Proof.
  intros H. unfold matches at 1. destruct (same_list _ _) as [E|E].
  - assert (P : Permutation l s) by (rewrite <- (ascending_perm l), <- (ascending_perm s); now rewrite E).
    symmetry. apply matches_true. tauto.
  - symmetry. apply matches_false. intros P. apply E.
    apply sorted_unique; try apply ascending_sorted. rewrite !ascending_perm. tauto.
Qed.

Lemma matches_sorted l s : StronglySorted N.lt s ->
  one (if same_list (ascending l) s then true else false) = matches l s.
Proof.
  intros S. unfold matches. now rewrite (proj2 (ascending_is s s S) (Permutation_refl s)).
Qed.

Lemma put_perm i x l : (i < length l)%nat -> Permutation (nth i l 0 :: put i x l) (x :: l).
Proof.
  revert i; induction l as [|y l IH]; intros i H; cbn in H; [lia|].
  destruct i; cbn; [apply perm_swap|].
  rewrite perm_swap, IH by lia. apply perm_swap.
Qed.

Lemma swap_perm o pool : (o < length pool)%nat ->
  Permutation (fst (swap o pool) :: snd (swap o pool)) pool.
Proof.
  destruct pool as [|x l], o; cbn; intros H; try lia; [reflexivity|].
  rewrite put_perm by lia. reflexivity.
Qed.

Lemma swap_first o pool : (o < length pool)%nat -> fst (swap o pool) = nth o pool 0.
Proof. destruct pool, o; cbn; intros; try lia; reflexivity. Qed.

Lemma sum_nth (pool : list N) f :
  sum (range (length pool)) (fun o => f (nth (N.to_nat o) pool 0)) = sum pool f.
Proof.
  unfold range. rewrite sum_map. rewrite (sum_ext _ _ _ (fun o => f (nth o pool 0)))
    by (intros; now rewrite Nat2N.id).
  induction pool as [|x l IH]; [reflexivity|].
  cbn [length seq]. rewrite <- seq_shift, sum_cons, sum_map, sum_cons. cbn [nth].
  now rewrite IH.
Qed.

Lemma sum_is_in (pool s : list N) c : NoDup pool -> NoDup s -> incl s pool ->
  sum pool (fun x => if is_in x s then c else 0) = N.of_nat (length s) * c.
Proof.
  intros Dp Ds I. rewrite <- sum_const.
  assert (P : Permutation (filter (fun x => is_in x s) pool) s).
  { apply NoDup_Permutation; [now apply NoDup_filter | assumption |].
    intros x. rewrite filter_In, is_in_In. split; [tauto|]. intros H; split; auto. }
  rewrite <- (sum_perm _ _ _ _ P). clear. induction pool; cbn [filter]; sums; [reflexivity|].
  destruct (is_in a s); sums; lia.
Qed.

Definition factorial (n : nat) : N := N.of_nat (fact n).

Lemma upto_of_nat n : upto (N.of_nat n) = range n.
Proof. unfold upto. now rewrite Nat2N.id. Qed.

(** So many lists of offsets give a permutation of [s ++ fixed]: one for each order of [s]. *)
Lemma sample_ways (fixed : list N) : forall d pool s,
  NoDup pool -> (forall y, In y fixed -> ~ In y pool) -> NoDup s -> incl s pool -> length s = d ->
  sum (box (falling (length pool) d)) (fun os => matches (sample pool os ++ fixed) (s ++ fixed))
  = factorial d.
Proof.
  induction d as [|d IH]; intros pool s Dp Df Ds I L.
  - destruct s; [|discriminate]. cbn [falling box]. sums.
    rewrite matches_true by reflexivity. reflexivity.
  - cbn [falling]. rewrite sum_box_cons, upto_of_nat.
    rewrite (sum_ext_in _ _ _ (fun o => if is_in (nth (N.to_nat o) pool 0) s then factorial d else 0)).
    + rewrite sum_nth with (f := fun x => if is_in x s then factorial d else 0).
      rewrite sum_is_in by assumption. unfold factorial. rewrite <- Nat2N.inj_mul, L. reflexivity.
    + intros o Ho. apply in_range in Ho.
      assert (Ho' : (N.to_nat o < length pool)%nat) by lia.
      cbn [sample]. destruct (swap (N.to_nat o) pool) as [x rest] eqn:E.
      pose proof (swap_perm _ _ Ho') as P. pose proof (swap_first _ _ Ho') as F.
      rewrite E in P, F. cbn [fst snd] in P, F. rewrite <- F.
      assert (Lr : (length pool - 1)%nat = length rest)
        by (rewrite <- (Permutation_length P); cbn; lia).
      rewrite Lr. assert (Dr : NoDup (x :: rest)) by (eapply Permutation_NoDup; [symmetry|]; eauto).
      destruct (is_in x s) eqn:M.
      * apply is_in_In, in_split in M as (s1 & s2 & ->).
        rewrite <- (IH rest (s1 ++ s2)).
        -- apply sum_ext; intros os. apply matches_iff. rewrite <- !app_assoc. cbn [app].
           split; [apply Permutation_cons_app_inv | apply Permutation_cons_app].
        -- now inversion Dr.
        -- intros y Hy Hr. apply (Df y Hy). eapply Permutation_in; [exact P | now right].
        -- eapply NoDup_remove_1; eauto.
        -- intros y Hy. assert (Hp : In y (x :: rest)).
           { eapply Permutation_in; [symmetry; exact P|]. apply I, in_app_iff.
             apply in_app_iff in Hy. cbn. tauto. }
           destruct Hp as [->|]; [|assumption]. now apply NoDup_remove_2 in Ds.
        -- rewrite app_length in *. cbn in L. lia.
      * apply is_in_not in M.
        apply sum_zero; intros os _. apply matches_false. cbn [app]. intros Q.
        apply M. assert (In x (s ++ fixed)) by (eapply Permutation_in; [exact Q | now left]).
        apply in_app_iff in H as [|H]; [assumption|]. elim (Df x H).
        eapply Permutation_in; [exact P | now left].
Qed.

Lemma Forall2_length A B (R : A -> B -> Prop) l m : Forall2 R l m -> length l = length m.
Proof. induction 1; cbn; congruence. Qed.

Lemma falling_length n d : length (falling n d) = d.
Proof. revert n; induction d; intros; cbn; auto. Qed.

Lemma falling_bound n d : (d <= n <= 5000)%nat -> Forall bound (falling n d).
Proof.
  revert n; induction d; intros n H; cbn; constructor; [|apply IHd; lia].
  unfold bound. change (2 ^ 48) with 281474976710656. lia.
Qed.

Lemma falling_S n d : falling n (S d) = falling n d ++ [N.of_nat (n - d)].
Proof.
  revert n; induction d; intros n; [cbn; now rewrite Nat.sub_0_r|].
  cbn [falling app]. f_equal. change (N.of_nat (n - 1) :: falling (n - 1 - 1) d)
    with (falling (n - 1) (S d)). rewrite IHd. do 3 f_equal. lia.
Qed.

Lemma sample_length os : forall pool, length (sample pool os) = length os.
Proof. induction os; intros; cbn; [reflexivity|]. destruct (swap _ _). cbn. now rewrite IHos. Qed.

Lemma sample_app os ps : forall pool, exists rest,
  sample pool (os ++ ps) = sample pool os ++ sample rest ps.
Proof.
  induction os; intros pool; cbn; [now exists pool|].
  destruct (swap _ _) as [x r]. destruct (IHos r) as [rest E]. exists rest. now rewrite E.
Qed.

(** A sample has different members of the pool. *)
Lemma sample_of os : forall pool, NoDup pool -> In os (box (falling (length pool) (length os))) ->
  NoDup (sample pool os) /\ incl (sample pool os) pool.
Proof.
  induction os as [|o os IH]; intros pool D B; cbn [sample]; [split; [constructor | intros x []]|].
  apply in_box in B. cbn [falling length] in B. inversion B; subst.
  destruct (swap (N.to_nat o) pool) as [x rest] eqn:E.
  assert (P : Permutation (x :: rest) pool).
  { pose proof (swap_perm (N.to_nat o) pool ltac:(lia)) as P. now rewrite E in P. }
  assert (D' : NoDup (x :: rest)) by (eapply Permutation_NoDup; [symmetry|]; eauto).
  inversion D'; subst.
  destruct (IH rest) as [I1 I2]; [assumption | |].
  { apply in_box. replace (length rest) with (length pool - 1)%nat; [assumption|].
    rewrite <- (Permutation_length P). cbn. lia. }
  split.
  - constructor; [|assumption]. intros H. now apply I2 in H.
  - intros y [<-|Hy]; eapply Permutation_in; try exact P; [now left | right; now apply I2].
Qed.

Lemma is_set_of k l : NoDup l -> incl l (range k) -> is_set k (length l) (ascending l).
Proof.
  intros D I. split; [apply Permutation_length, ascending_perm|]. split.
  - apply le_NoDup_sorted; [apply ascending_sorted|].
    eapply Permutation_NoDup; [symmetry; apply ascending_perm | assumption].
  - apply Forall_forall. intros y Hy. apply in_range, I.
    eapply Permutation_in; [apply ascending_perm | exact Hy].
Qed.

Lemma is_set_incl k d s : is_set k d s -> NoDup s /\ incl s (range k) /\ length s = d.
Proof.
  intros (L & S & F). repeat split; [now apply lt_sorted_NoDup | | assumption].
  intros y Hy. rewrite Forall_forall in F. apply in_range; auto.
Qed.
