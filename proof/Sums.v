(** Sums. *)

From Coq Require Import Arith NArith List Lia Permutation Bool.
From Deniable Require Import Model.
Import ListNotations.
Open Scope N_scope.

(** * Sums *)

Definition sum {A : Type} (l : list A) (f : A -> N) : N := fold_right (fun x s => f x + s) 0 l.

Definition one (b : bool) : N := if b then 1 else 0.

Arguments sum : simpl never.

Lemma sum_cons A x (l : list A) f : sum (x :: l) f = f x + sum l f.
Proof. reflexivity. Qed.

Lemma sum_nil A (f : A -> N) : sum [] f = 0.
Proof. reflexivity. Qed.

Ltac sums := intros; repeat rewrite ?sum_cons, ?sum_nil.

Lemma sum_app A (l m : list A) f : sum (l ++ m) f = sum l f + sum m f.
Proof. induction l; cbn; sums; lia. Qed.

Lemma sum_ext_in A (l : list A) f g : (forall x, In x l -> f x = g x) -> sum l f = sum l g.
Proof.
  intros H; induction l; [reflexivity|]. sums.
  rewrite (H a (or_introl eq_refl)). f_equal. apply IHl. intros; apply H; now right.
Qed.

Lemma sum_ext A (l : list A) f g : (forall x, f x = g x) -> sum l f = sum l g.
Proof. intros; apply sum_ext_in; auto. Qed.

Lemma sum_map A B (h : A -> B) (l : list A) f : sum (map h l) f = sum l (fun x => f (h x)).
Proof. induction l; cbn; sums; congruence. Qed.

Lemma sum_flat_map A B (h : A -> list B) (l : list A) f :
  sum (flat_map h l) f = sum l (fun x => sum (h x) f).
Proof. induction l; cbn; sums; [reflexivity|]. rewrite sum_app. congruence. Qed.

Lemma sum_scale A (l : list A) f c : sum l (fun x => c * f x) = c * sum l f.
Proof. induction l; sums; lia. Qed.

Lemma sum_scale_r A (l : list A) f c : sum l (fun x => f x * c) = sum l f * c.
Proof. induction l; sums; lia. Qed.

Lemma sum_plus A (l : list A) f g : sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. induction l; sums; lia. Qed.

Lemma sum_const A (l : list A) c : sum l (fun _ => c) = N.of_nat (length l) * c.
Proof. induction l; cbn [length]; sums; lia. Qed.

Lemma sum_zero A (l : list A) f : (forall x, In x l -> f x = 0) -> sum l f = 0.
Proof. intros H. rewrite (sum_ext_in _ _ _ (fun _ => 0)); auto. rewrite sum_const. lia. Qed.

Lemma sum_swap A B (l : list A) (m : list B) f :
  sum l (fun x => sum m (fun y => f x y)) = sum m (fun y => sum l (fun x => f x y)).
Proof.
  induction l; sums.
  - symmetry; apply sum_zero; auto.
  - rewrite IHl, <- sum_plus. reflexivity.
Qed.

Lemma sum_le A (l : list A) f g : (forall x, In x l -> f x <= g x) -> sum l f <= sum l g.
Proof.
  intros H; induction l; sums; [lia|].
  apply N.add_le_mono; [apply H; now left | apply IHl; intros; apply H; now right].
Qed.

Lemma sum_nonzero A (l : list A) f : sum l f <> 0 -> exists x, In x l /\ f x <> 0.
Proof.
  induction l; intros H; [now elim H|]. rewrite sum_cons in H. destruct (N.eq_dec (f a) 0) as [E|E].
  - destruct IHl as (x & Hx & E'); [lia|]. exists x. split; [now right | assumption].
  - exists a. split; [now left | assumption].
Qed.

Lemma sum_perm A (l m : list A) f : Permutation l m -> sum l f = sum m f.
Proof. induction 1; sums; lia. Qed.

(** * The numbers below a bound *)

Definition upto (m : N) : list N := range (N.to_nat m).

Lemma range_length n : length (range n) = n.
Proof. unfold range. now rewrite map_length, seq_length. Qed.

Lemma in_range n x : In x (range n) <-> x < N.of_nat n.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (N.to_nat x). split; [lia|]. apply in_seq. lia.
Qed.

Lemma in_upto m x : In x (upto m) <-> x < m.
Proof. unfold upto. rewrite in_range. lia. Qed.

Lemma NoDup_range n : NoDup (range n).
Proof. apply FinFun.Injective_map_NoDup; [intros i j; apply Nat2N.inj | apply seq_NoDup]. Qed.

Lemma sum_upto_add m n f : sum (upto (m + n)) f = sum (upto m) f + sum (upto n) (fun i => f (m + i)).
Proof.
  unfold upto, range. rewrite N2Nat.inj_add, seq_app, map_app, sum_app, !sum_map. f_equal.
  cbn [Nat.add].
  assert (H : forall k i, sum (seq (N.to_nat m + i) k) (fun j => f (N.of_nat j))
            = sum (seq i k) (fun j => f (m + N.of_nat j))).
  { induction k; intros i; cbn [seq]; sums; [reflexivity|]. replace (N.of_nat (N.to_nat m + i)) with (m + N.of_nat i) by lia. f_equal.
    rewrite <- Nat.add_succ_r. apply IHk. }
  rewrite <- H. now rewrite Nat.add_0_r.
Qed.

Lemma sum_upto_0 f : sum (upto 0) f = 0.
Proof. reflexivity. Qed.

Lemma sum_upto_1 f : sum (upto 1) f = f 0.
Proof. change (f 0 + 0 = f 0). lia. Qed.

Lemma sum_upto_const m c : sum (upto m) (fun _ => c) = m * c.
Proof. rewrite sum_const. unfold upto. rewrite range_length. lia. Qed.

(** u = m q + v, for u below m n. *)
Lemma sum_upto_mul m n f :
  sum (upto (m * n)) f = sum (upto n) (fun q => sum (upto m) (fun v => f (m * q + v))).
Proof.
  induction n using N.peano_ind.
  - rewrite N.mul_0_r. now rewrite !sum_upto_0.
  - rewrite <- N.add_1_r, sum_upto_add, sum_upto_1, N.mul_add_distr_l, N.mul_1_r, sum_upto_add, IHn.
    now rewrite N.add_0_r.
Qed.

Lemma sum_upto_one m v f : v < m -> sum (upto m) (fun u => if u =? v then f u else 0) = f v.
Proof.
  intros H. replace m with (v + (1 + (m - v - 1))) by lia.
  rewrite !sum_upto_add, sum_upto_1, N.add_0_r, N.eqb_refl.
  rewrite !sum_zero; [lia| |]; intros x Hx; apply in_upto in Hx;
    match goal with |- context [?a =? ?b] => destruct (N.eqb_spec a b) end; lia.
Qed.

Lemma sum_upto_indicator m v : sum (upto m) (fun u => if u =? v then 1 else 0) = if v <? m then 1 else 0.
Proof.
  destruct (N.ltb_spec v m) as [H|H]; [now apply (sum_upto_one m v (fun _ => 1))|].
  apply sum_zero. intros u Hu. apply in_upto in Hu. now rewrite (proj2 (N.eqb_neq _ _)) by lia.
Qed.
