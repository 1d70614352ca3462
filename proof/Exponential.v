(** What the check of a budget accepts is at most e^epsilon. *)

From Coq Require Import Arith NArith ZArith QArith Qfield Lqa Lia List.
From Deniable Require Import Model Statements.
Import ListNotations.
Open Scope Q_scope.

Definition q (x : N) : Q := inject_Z (Z.of_N x).

Lemma q_add x y : q (x + y) == q x + q y.
Proof. unfold q. rewrite N2Z.inj_add, inject_Z_plus. reflexivity. Qed.

Lemma q_mul x y : q (x * y) == q x * q y.
Proof. unfold q. rewrite N2Z.inj_mul, inject_Z_mult. reflexivity. Qed.

Lemma q_le x y : (x <= y)%N -> q x <= q y.
Proof. intros H. unfold q. rewrite <- Zle_Qle. lia. Qed.

Lemma q_pos x : (1 <= x)%N -> 0 < q x.
Proof. intros H. change 0 with (inject_Z 0). unfold q. rewrite <- Zlt_Qlt. lia. Qed.

Lemma q_nonneg x : 0 <= q x.
Proof. change 0 with (q 0). apply q_le. lia. Qed.

(** Rounding down only lowers. *)
Lemma q_div x y : (1 <= y)%N -> q (x / y) <= q x / q y.
Proof.
  intros H. apply Qle_shift_div_l; [now apply q_pos|].
  rewrite <- q_mul. apply q_le. rewrite N.mul_comm. apply N.mul_div_le. lia.
Qed.

Lemma term_nonneg e i : 0 <= e -> 0 <= power_over_factorial e i.
Proof.
  intros H. induction i; cbn [power_over_factorial]; [discriminate|].
  apply Qle_shift_div_l.
  - change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia.
  - rewrite Qmult_0_l. now apply Qmult_le_0_compat.
Qed.

Lemma partial_sum_grows e i j : 0 <= e -> (i <= j)%nat -> partial_sum e i <= partial_sum e j.
Proof.
  intros He. induction 1; [apply Qle_refl|]. cbn [partial_sum].
  pose proof (term_nonneg e (S m) He). lra.
Qed.

Section Terms.

Variables n d : N.
Hypotheses (n_positive : (1 <= n)%N) (d_positive : (1 <= d)%N).

Notation e := (rational n d).

Lemma e_nonneg : 0 <= e.
Proof.
  unfold rational. apply Qle_shift_div_l; [now apply q_pos|]. rewrite Qmult_0_l. apply q_nonneg.
Qed.

(** Each term is at most its true value, in units of [unit]. *)
Lemma terms_sound unit : 0 <= unit -> forall fuel i term total,
  q term <= unit * power_over_factorial e i ->
  q total <= unit * (partial_sum e i - power_over_factorial e i) ->
  exists j, q (terms fuel n d (N.of_nat i) term total) <= unit * partial_sum e j.
Proof.
  intros U. induction fuel; intros i term total Ht Hs; cbn [terms].
  - exists i. pose proof (Qmult_le_0_compat _ _ U (term_nonneg e i e_nonneg)). lra.
  - destruct (term =? 0)%N.
    { exists i. pose proof (Qmult_le_0_compat _ _ U (term_nonneg e i e_nonneg)). lra. }
    replace (N.of_nat i + 1)%N with (N.of_nat (S i)) by lia.
    apply IHfuel.
    + eapply Qle_trans; [apply q_div; nia|]. rewrite !q_mul.
      cbn [power_over_factorial]. unfold rational at 2.
      assert (D : 0 < q d) by now apply q_pos.
      assert (I : 0 < q (N.of_nat (S i))) by (apply q_pos; lia).
      assert (N0 : 0 < q n) by now apply q_pos.
      replace (Z.of_nat (S i)) with (Z.of_N (N.of_nat (S i))) by lia.
      fold (q n) (q d) (q (N.of_nat (S i))).
      setoid_replace (unit * (power_over_factorial e i * (q n / q d) / q (N.of_nat (S i))))
        with ((unit * power_over_factorial e i) * q n / (q d * q (N.of_nat (S i))))
        by (field; split; lra).
      apply Qmult_le_compat_r.
      * apply Qmult_le_compat_r; [assumption | lra].
      * apply Qlt_le_weak, Qinv_lt_0_compat. now apply Qmult_lt_0_compat.
    + cbn [partial_sum]. rewrite q_add. lra.
Qed.

Lemma first_terms_sound fuel unit :
  exists j, q (terms fuel n d 0 unit 0) <= q unit * partial_sum e j.
Proof.
  apply (terms_sound (q unit) (q_nonneg _) fuel 0 unit 0).
  - cbn [power_over_factorial]. rewrite Qmult_1_r. apply Qle_refl.
  - cbn [partial_sum power_over_factorial]. change (q 0) with 0.
    setoid_replace (q unit * (1 - 1)) with 0 by ring. apply Qle_refl.
Qed.

End Terms.

Lemma q_quotient_le high low floor unit r : (1 <= low)%N -> (1 <= unit)%N ->
  (high * unit <= floor * low)%N -> q floor <= q unit * r -> q high / q low <= r.
Proof.
  intros L U W F. apply q_pos in L, U. apply q_le in W. rewrite !q_mul in W.
  apply Qle_shift_div_r; [assumption|].
  apply (Qmult_lt_0_le_reg_r _ _ _ U). eapply Qle_trans; [exact W|].
  setoid_replace (r * q low * q unit) with (q unit * r * q low) by ring.
  apply Qmult_le_compat_r; [assumption | lra].
Qed.

Lemma unit_positive : (1 <= 2 ^ 256)%N.
Proof. discriminate. Qed.

Lemma floor_sound n d : (1 <= n)%N -> (1 <= d)%N ->
  exists j, q (exponential_floor n d) <= q (2 ^ 256) * partial_sum (rational n d) j.
Proof.
  intros Hn Hd. unfold exponential_floor. generalize most_terms, (2 ^ 256)%N. intros fuel unit.
  now apply first_terms_sound.
Qed.

Theorem within_is_sound_holds : within_is_sound.
Proof.
  intros pairs n d Hp Hn Hd W. destruct (floor_sound n d Hn Hd) as [j Hj]. exists j.
  revert Hj. apply q_quotient_le; [|apply unit_positive | now apply N.leb_le].
  unfold lows. clear W. induction Hp as [|p ps H _ IH]; cbn [product map fold_right]; [lia|].
  fold (product (map snd ps)). nia.
Qed.

(** The rest of the series of e is at most its last term. *)
Lemma e_falls i : (1 <= i)%nat ->
  partial_sum 1 (S i) + power_over_factorial 1 (S i) <= partial_sum 1 i + power_over_factorial 1 i.
Proof.
  intros H. cbn [partial_sum]. pose proof (term_nonneg 1 i ltac:(discriminate)) as P.
  assert (power_over_factorial 1 (S i) * 2 <= power_over_factorial 1 i); [|lra].
  cbn [power_over_factorial].
  assert (I : 2 <= inject_Z (Z.of_nat (S i))).
  { change 2 with (inject_Z 2). rewrite <- Zle_Qle. lia. }
  setoid_replace (power_over_factorial 1 i * 1 / inject_Z (Z.of_nat (S i)) * 2)
    with (power_over_factorial 1 i * 2 / inject_Z (Z.of_nat (S i))) by (field; lra).
  apply Qle_shift_div_r; [lra|].
  rewrite (Qmult_comm _ 2), (Qmult_comm _ (inject_Z _)). now apply Qmult_le_compat_r.
Qed.

Theorem exp_of_one_is_e_holds : exp_of_one_is_e.
Proof.
  split.
  - exists 12%nat. vm_compute. discriminate.
  - intros x [n Hn]. eapply Qle_trans; [exact Hn|].
    assert (B : forall k, partial_sum 1 (13 + k) + power_over_factorial 1 (13 + k)
                <= 271828183 # 100000000).
    { induction k; [vm_compute; discriminate|].
      rewrite Nat.add_succ_r. eapply Qle_trans; [apply e_falls; lia | exact IHk]. }
    specialize (B n). pose proof (term_nonneg 1 (13 + n) ltac:(discriminate)).
    pose proof (partial_sum_grows 1 n (13 + n) ltac:(discriminate) ltac:(lia)). lra.
Qed.
