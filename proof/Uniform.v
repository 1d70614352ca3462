(** Random integers are uniform. *)

From Coq Require Import Arith NArith List Lia.
From Deniable Require Import Model Statements Counting.
Import ListNotations.
Open Scope N_scope.

Lemma count_gives A (same : forall v w : A, {v = w} + {v <> w}) sampler v n :
  count n (gives same sampler v)
  = sum (tapes n) (fun t => match sampler t with
                            | Some (w, _) => one (if same w v then true else false)
                            | None => 0 end).
Proof.
  rewrite count_sum. apply sum_ext; intros t. unfold gives.
  destruct (sampler t) as [[w r]|]; reflexivity.
Qed.

Lemma count_below m n v : bound m -> v < m ->
  count n (gives N.eq_dec (below m) v)
  = after (below_outcomes most_tries m n) (fun n => 256 ^ N.of_nat n).
Proof.
  intros Hm Hv. rewrite count_gives. unfold below.
  rewrite (sum_below most_tries m Hm n (fun w _ => one (if N.eq_dec w v then true else false))).
  apply after_ext; intros k. rewrite <- tapes_length.
  rewrite (sum_ext _ _ _ (fun w => if w =? v then N.of_nat (length (tapes k)) else 0)).
  - now rewrite sum_upto_one.
  - intros w. rewrite sum_const. destruct (N.eq_dec w v) as [->|H]; cbn [one].
    + rewrite N.eqb_refl. lia.
    + rewrite (proj2 (N.eqb_neq _ _) H). lia.
Qed.

Theorem below_is_uniform_holds : below_is_uniform.
Proof.
  intros m Hm. split.
  - intros t v rest. apply below_lt; assumption.
  - intros n v w Hv Hw. now rewrite !count_below.
Qed.

Lemma count_fails m tries : bound m -> forall n, (6 * tries <= n)%nat ->
  sum (tapes n) (fun t => one (fails (below_within tries m) t))
  = (draw_range mod m) ^ N.of_nat tries * 256 ^ N.of_nat (n - 6 * tries).
Proof.
  intros Hm; assert (Hm0 : m <> 0) by (destruct Hm; lia).
  induction tries; intros n Hn.
  - rewrite Nat.mul_0_r, Nat.sub_0_r. change (N.of_nat 0) with 0. rewrite N.pow_0_r.
    rewrite (sum_ext _ _ _ (fun _ => 1)) by reflexivity. rewrite sum_const, tapes_length. lia.
  - rewrite (sum_ext _ _ _ (fun t => match read 6 0 t with
      | Some (u, r) => if u <? draw_range - draw_range mod m then 0
          else one (fails (below_within tries m) r)
      | None => 1 end)).
    2: { intros t. unfold fails. cbn [below_within].
         destruct (read 6 0 t) as [[u r]|]; [|reflexivity].
         destruct (u <? _); reflexivity. }
    rewrite (sum_read 6 n 1 (fun u r => if u <? draw_range - draw_range mod m then 0
          else one (fails (below_within tries m) r))).
    destruct (Nat.ltb_spec n 6); [lia|].
    pose proof (N.mod_le draw_range m Hm0) as L.
    set (rej := draw_range mod m) in *.
    rewrite pow_256_6, N.mul_0_l.
    replace draw_range with ((draw_range - rej) + rej) at 1 by lia.
    rewrite sum_upto_add, sum_zero, N.add_0_l.
    + rewrite (sum_ext _ _ _ (fun _ => rej ^ N.of_nat tries * 256 ^ N.of_nat (n - 6 - 6 * tries))).
      * rewrite sum_upto_const, Nat2N.inj_succ, N.pow_succ_r', N.mul_assoc.
        do 3 f_equal. lia.
      * intros u. rewrite <- IHtries by lia. apply sum_ext; intros t. cbn [N.add].
        now rewrite (proj2 (N.ltb_ge _ _)) by lia.
    + intros u Hu. apply in_upto in Hu. apply sum_zero; intros t _. cbn [N.add].
      now rewrite (proj2 (N.ltb_lt _ _)) by lia.
Qed.

Theorem below_rarely_fails_holds : below_rarely_fails.
Proof.
  intros m Hm n Hn. change (6 * most_tries <= n)%nat in Hn.
  rewrite count_sum. unfold below. rewrite count_fails by assumption.
  assert (R : 2 * (draw_range mod m) < 256 ^ N.of_nat 6).
  { destruct Hm as [H1 H2]. rewrite pow_256_6.
    pose proof (N.mod_lt draw_range m ltac:(lia)).
    pose proof (N.div_mod' draw_range m).
    assert (0 < draw_range / m) by (apply N.div_str_pos; unfold draw_range; lia). nia. }
  replace (256 ^ N.of_nat n)
    with (256 ^ N.of_nat (6 * most_tries) * 256 ^ N.of_nat (n - 6 * most_tries))
    by (rewrite <- N.pow_add_r, <- Nat2N.inj_add; do 2 f_equal; lia).
  rewrite <- N.mul_assoc, (N.mul_comm _ (2 ^ 128)), N.mul_assoc.
  apply N.mul_lt_mono_pos_r; [apply N.neq_0_lt_0, N.pow_nonzero; lia|].
  change (2 ^ 128) with (2 ^ N.of_nat most_tries).
  rewrite <- N.pow_mul_l, (N.mul_comm _ 2).
  rewrite Nat2N.inj_mul, N.pow_mul_r.
  apply N.pow_lt_mono_l; [discriminate | assumption].
Qed.

Lemma sum_box_one ms v : Forall2 N.lt v ms ->
  sum (box ms) (fun w => one (if same_list w v then true else false)) = 1.
Proof.
  induction 1 as [|v m vs ms Hv Hvs IH].
  - cbn [box]. sums. destruct (same_list [] []); [reflexivity | congruence].
  - rewrite sum_box_cons, <- (sum_upto_one m v (fun _ => 1) Hv).
    apply sum_ext; intros u. destruct (N.eqb_spec u v) as [->|H].
    + rewrite <- IH. apply sum_ext; intros ws.
      destruct (same_list ws vs) as [->|]; destruct (same_list (v :: _) (v :: vs)); congruence.
    + apply sum_zero; intros ws _. destruct (same_list (u :: ws) (v :: vs)); [congruence | reflexivity].
Qed.

Theorem below_each_is_uniform_holds : below_each_is_uniform.
Proof.
  intros ms Hms n.
  assert (C : forall vs, Forall2 N.lt vs ms ->
    count n (gives same_list (below_each ms) vs) = draws_weight ms n).
  { intros vs Hvs. rewrite count_gives.
    rewrite (sum_each_const ms n (fun w => one (if same_list w vs then true else false)) Hms).
    now rewrite sum_box_one, N.mul_1_r. }
  intros vs ws Hv Hw. now rewrite !C.
Qed.

(** * How rarely draws fail *)

(** What one draw leaves, whatever is returned: all tapes but those on which it fails. *)
Lemma below_leaves m n : bound m -> (6 * most_tries <= n)%nat ->
  let left := m * after (below_outcomes most_tries m n) (fun n => 256 ^ N.of_nat n) in
  left <= 256 ^ N.of_nat n /\ 256 ^ N.of_nat n * (2 ^ 128 - 1) <= left * 2 ^ 128.
Proof.
  intros Hm Hn left.
  assert (S : left + count n (fails (below m)) = 256 ^ N.of_nat n).
  { rewrite <- tapes_length, count_sum. unfold left. rewrite <- after_scale.
    rewrite (after_ext _ _ (fun n => sum (upto m) (fun _ => sum (tapes n) (fun _ => 1)))).
    2: { intros k. rewrite sum_upto_const, sum_const, tapes_length. lia. }
    rewrite <- (sum_below most_tries m Hm n (fun _ _ => 1)), <- sum_plus.
    rewrite <- (N.mul_1_r (N.of_nat _)), <- sum_const. apply sum_ext; intros t.
    unfold fails, below. destruct (below_within _ _ _) as [[v r]|]; reflexivity. }
  pose proof (below_rarely_fails_holds m Hm n Hn) as F. rewrite <- S in *.
  generalize dependent (count n (fails (below m))). generalize left. clear. intros.
  assert (0 < 2 ^ 128) by reflexivity. set (B := 2 ^ 128) in *. clearbody B. nia.
Qed.

Lemma below_leaves_enough tries m : forall n c, In c (below_outcomes tries m n) ->
  (n <= snd c + 6 * tries)%nat.
Proof.
  induction tries; intros n c; cbn [below_outcomes]; [intros []|].
  destruct (Nat.ltb_spec n 6); [intros []|]. intros [<-|H']; [cbn [snd]; lia|].
  apply in_map_iff in H' as (d & <- & H'). apply IHtries in H'. cbn [snd]. lia.
Qed.

(** The chance of a list of integers: one of the product of the bounds, but for failures. *)
Lemma draws_rarely_fail ms : Forall bound ms -> forall n, (6 * most_tries * length ms <= n)%nat ->
  product ms * draws_weight ms n <= 256 ^ N.of_nat n /\
  256 ^ N.of_nat n * (2 ^ 128 - 1) ^ N.of_nat (length ms)
    <= product ms * draws_weight ms n * (2 ^ 128) ^ N.of_nat (length ms).
Proof.
  set (A := 2 ^ 128 - 1). set (B := 2 ^ 128).
  induction 1 as [|m ms Hm Hms IH]; intros n Hn.
  - change (draws_weight [] n) with (1 * 256 ^ N.of_nat n + 0).
    change (product []) with 1. change (N.of_nat (length [])) with 0. rewrite !N.pow_0_r. lia.
  - assert (E : product (m :: ms) * draws_weight (m :: ms) n
      = m * after (below_outcomes most_tries m n) (fun n => product ms * draws_weight ms n)).
    { change (product (m :: ms)) with (m * product ms). unfold draws_weight at 1.
      cbn [each_outcomes]. rewrite after_flat_map, after_scale. fold draws_weight.
      rewrite N.mul_assoc. reflexivity. }
    rewrite E. clear E. cbn [length] in *. rewrite Nat2N.inj_succ, !N.pow_succ_r'.
    destruct (below_leaves m n Hm) as [U L]; [lia|].
    assert (W : forall c, In c (below_outcomes most_tries m n) ->
      (6 * most_tries * length ms <= snd c)%nat).
    { intros c Hc. apply below_leaves_enough in Hc. lia. }
    set (f := fun n => product ms * draws_weight ms n).
    assert (U' : after (below_outcomes most_tries m n) f
      <= after (below_outcomes most_tries m n) (fun n => 256 ^ N.of_nat n)).
    { apply sum_le. intros c Hc. apply N.mul_le_mono_l. now apply IH, W. }
    assert (L' : after (below_outcomes most_tries m n) (fun n => 256 ^ N.of_nat n) * A ^ N.of_nat (length ms)
      <= after (below_outcomes most_tries m n) f * B ^ N.of_nat (length ms)).
    { unfold after. rewrite <- !sum_scale_r. apply sum_le. intros c Hc.
      rewrite <- !N.mul_assoc. apply N.mul_le_mono_l. now apply IH, W. }
    fold A B in L. clearbody A B f.
    set (X := after _ f) in *. set (Y := after _ _) in *.
    set (P := A ^ _) in *. set (Q := B ^ _) in *. set (T := 256 ^ _) in *.
    clearbody X Y P Q T. split; [nia|].
    transitivity (m * Y * B * P); [nia|].
    replace (m * Y * B * P) with (m * B * (Y * P)) by lia.
    replace (m * X * (B * Q)) with (m * B * (X * Q)) by lia.
    now apply N.mul_le_mono_l.
Qed.
