(** Binomial coefficients. *)

From Coq Require Import Arith NArith List Lia Factorial.
From Deniable Require Import Model Sampling Guarantee.
Import ListNotations.
Open Scope N_scope.


Fixpoint pascal (n t : nat) : N :=
  match n, t with
  | _, O => 1
  | O, S _ => 0
  | S n, S t => pascal n t + pascal n (S t)
  end.

Lemma product_falling_S n t : product (falling n (S t)) = product (falling n t) * N.of_nat (n - t).
Proof. rewrite falling_S, product_app. change (product [N.of_nat (n - t)]) with (N.of_nat (n - t) * 1). lia. Qed.

Lemma product_falling_first n t :
  product (falling (S n) (S t)) = N.of_nat (S n) * product (falling n t).
Proof. cbn [falling]. replace (S n - 1)%nat with n by lia. reflexivity. Qed.

Lemma product_falling_pascal n : forall t, product (falling n t) = factorial t * pascal n t.
Proof.
  induction n; intros t.
  - destruct t; [reflexivity|]. cbn [pascal falling]. rewrite N.mul_0_r. reflexivity.
  - destruct t as [|t]; [reflexivity|]. cbn [pascal].
    assert (F : factorial (S t) = N.of_nat (S t) * factorial t)
      by (unfold factorial; change (fact (S t)) with (S t * fact t)%nat; lia).
    rewrite product_falling_first, N.mul_add_distr_l, <- IHn, product_falling_S, F.
    rewrite <- (N.mul_assoc _ (factorial t)), <- IHn.
    destruct (Nat.le_gt_cases t n) as [H|H].
    + replace (N.of_nat (S n)) with (N.of_nat (S t) + N.of_nat (n - t)) by lia. lia.
    + assert (Z : pascal n t = 0).
      { clear - H. revert t H. induction n; intros t H; destruct t; try lia; cbn [pascal]; [reflexivity|].
        rewrite !IHn by lia. reflexivity. }
      rewrite IHn, Z. lia.
Qed.

Lemma product_falling_self t : product (falling t t) = factorial t.
Proof.
  induction t; [reflexivity|]. rewrite product_falling_first, IHt.
  unfold factorial. change (fact (S t)) with (S t * fact t)%nat. lia.
Qed.

Lemma factorial_positive t : 0 < factorial t.
Proof. unfold factorial. pose proof (lt_O_fact t). lia. Qed.

(** The division of a binomial coefficient leaves nothing. *)
Lemma binomial_falling n t : binomial n t * factorial t = product (falling n t).
Proof.
  unfold binomial. rewrite product_falling_pascal, product_falling_self.
  pose proof (factorial_positive t).
  rewrite (N.mul_comm (factorial t) (pascal n t)), N.div_mul by lia. lia.
Qed.

Lemma binomial_positive n t : (t <= n)%nat -> 1 <= binomial n t.
Proof.
  intros H. assert (P : 0 < product (falling n t)).
  { revert n H. induction t; intros n H; [reflexivity|].
    destruct n; [lia|]. rewrite product_falling_first. specialize (IHt n ltac:(lia)). nia. }
  rewrite <- binomial_falling in P. nia.
Qed.
