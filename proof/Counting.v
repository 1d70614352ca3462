(** The law of draws from tapes. *)

From Coq Require Import Arith NArith List Lia.
From Deniable Require Import Model Statements.
From Deniable Require Export Sums.
Import ListNotations.
Open Scope N_scope.

Lemma count_sum n P : count n P = sum (tapes n) (fun t => one (P t)).
Proof.
  unfold count, one. induction (tapes n); cbn [filter]; sums; [reflexivity|].
  destruct (P a); cbn [length]; lia.
Qed.

(** * Reading *)

Lemma sum_tapes_S n f :
  sum (tapes (S n)) f = sum (upto 256) (fun b => sum (tapes n) (fun t => f (b :: t))).
Proof.
  cbn [tapes]. rewrite sum_flat_map. apply sum_ext; intros b. now rewrite sum_map.
Qed.

Lemma tapes_length n : N.of_nat (length (tapes n)) = 256 ^ N.of_nat n.
Proof.
  transitivity (sum (tapes n) (fun _ => 1)); [rewrite sum_const; lia|].
  induction n; [reflexivity|].
  rewrite sum_tapes_S, IHn, sum_upto_const, Nat2N.inj_succ, N.pow_succ_r'. reflexivity.
Qed.

(** What follows a read of so many bytes: each integer comes once. *)
Lemma sum_read (k : nat) : forall n z (f : N -> tape -> N) start,
  sum (tapes n) (fun t => match read k start t with Some (u, r) => f u r | None => z end)
  = if (n <? k)%nat then 256 ^ N.of_nat n * z
    else sum (upto (256 ^ N.of_nat k)) (fun u => sum (tapes (n - k)) (f (start * 256 ^ N.of_nat k + u))).
Proof.
  induction k; intros n z f start.
  - cbn [read]. change (n <? 0)%nat with false. cbv iota. rewrite Nat.sub_0_r.
    change (256 ^ N.of_nat 0) with 1. rewrite sum_upto_1.
    replace (start * 1 + 0) with start by lia. reflexivity.
  - destruct n as [|n]; [cbn [tapes]; sums; cbn [read]; change (0 <? S k)%nat with true; cbv iota; change (256 ^ N.of_nat 0) with 1; lia|].
    rewrite sum_tapes_S. cbn [read].
    rewrite (sum_ext _ _ _ (fun b => if (n <? k)%nat then 256 ^ N.of_nat n * z else
       sum (upto (256 ^ N.of_nat k)) (fun u => sum (tapes (n - k)) (f ((256 * start + b) * 256 ^ N.of_nat k + u)))))
      by (intros; apply IHk).
    change (S n <? S k)%nat with (n <? k)%nat. rewrite Nat.sub_succ.
    destruct (n <? k)%nat.
    + rewrite sum_upto_const, Nat2N.inj_succ, N.pow_succ_r'. lia.
    + rewrite (Nat2N.inj_succ k), N.pow_succ_r', (N.mul_comm 256 (256 ^ _)), sum_upto_mul.
      apply sum_ext; intros q. apply sum_ext; intros v. apply sum_ext; intros t. f_equal. lia.
Qed.

(** * Draws *)

(** Where a draw can leave the tape, and how often for each integer: pairs of how often and of how
    many bytes are left. *)
Definition outcomes := list (N * nat).

Definition after (cs : outcomes) (f : nat -> N) : N := sum cs (fun c => fst c * f (snd c)).

Fixpoint below_outcomes (tries : nat) (m : N) (n : nat) : outcomes :=
  match tries with
  | O => []
  | S tries =>
      if (n <? 6)%nat then []
      else (draw_range / m, (n - 6)%nat)
           :: map (fun c => (draw_range mod m * fst c, snd c)) (below_outcomes tries m (n - 6))
  end.

Lemma pow_256_6 : 256 ^ N.of_nat 6 = draw_range.
Proof. reflexivity. Qed.

Lemma sum_below tries m : bound m -> forall n (f : N -> tape -> N),
  sum (tapes n) (fun t => match below_within tries m t with Some (v, r) => f v r | None => 0 end)
  = after (below_outcomes tries m n) (fun n => sum (upto m) (fun v => sum (tapes n) (f v))).
Proof.
  intros Hm; assert (Hm0 : m <> 0) by (destruct Hm; lia).
  induction tries; intros n f.
  - cbn. apply sum_zero; auto.
  - cbn [below_within below_outcomes].
    rewrite (sum_ext _ _ _ (fun t => match read 6 0 t with
      | Some (u, r) => if u <? draw_range - draw_range mod m then f (u mod m) r
          else match below_within tries m r with Some (v, r) => f v r | None => 0 end
      | None => 0 end)).
    2: { intros t. destruct (read 6 0 t) as [[u r]|]; [|reflexivity].
         destruct (u <? _); reflexivity. }
    rewrite sum_read. destruct (n <? 6)%nat; [unfold after; sums; lia|].
    rewrite pow_256_6, N.mul_0_l.
    pose proof (N.div_mod' draw_range m) as D.
    pose proof (N.mod_lt draw_range m Hm0) as L.
    set (q := draw_range / m) in *. set (rej := draw_range mod m) in *.
    rewrite D at 1. rewrite sum_upto_add, sum_upto_mul.
    unfold after. sums. cbn [fst snd]. f_equal.
    + rewrite (sum_ext_in _ _ _ (fun _ => sum (upto m) (fun v => sum (tapes (n - 6)) (f v)))).
      * apply sum_upto_const.
      * intros x Hx. apply in_upto in Hx. apply sum_ext_in; intros v Hv. apply in_upto in Hv.
        apply sum_ext; intros t. cbn [N.add].
        rewrite (proj2 (N.ltb_lt _ _)) by nia.
        now rewrite N.add_comm, N.mul_comm, N.mod_add, N.mod_small by lia.
    + rewrite sum_map. cbn [fst snd].
      rewrite (sum_ext_in _ _ _ (fun _ => sum (tapes (n - 6)) (fun t =>
        match below_within tries m t with Some (v, r) => f v r | None => 0 end))).
      2: { intros u Hu. apply sum_ext; intros t. cbn [N.add].
           rewrite (proj2 (N.ltb_ge _ _)) by lia. reflexivity. }
      rewrite sum_upto_const, IHtries. unfold after. rewrite <- sum_scale.
      apply sum_ext; intros; lia.
Qed.

(** All lists of integers below these bounds. *)
Fixpoint box (ms : list N) : list (list N) :=
  match ms with
  | [] => [[]]
  | m :: ms => flat_map (fun v => map (cons v) (box ms)) (upto m)
  end.

Lemma sum_box_cons m ms f :
  sum (box (m :: ms)) f = sum (upto m) (fun v => sum (box ms) (fun vs => f (v :: vs))).
Proof. cbn [box]. rewrite sum_flat_map. apply sum_ext; intros. now rewrite sum_map. Qed.

Lemma sum_box_app ms ns f :
  sum (box (ms ++ ns)) f = sum (box ms) (fun vs => sum (box ns) (fun ws => f (vs ++ ws))).
Proof.
  revert f; induction ms; intros f.
  - cbn [app box]. sums. now rewrite N.add_0_r.
  - cbn [app]. rewrite !sum_box_cons. apply sum_ext; intros v. rewrite IHms. reflexivity.
Qed.

Lemma in_box ms vs : In vs (box ms) <-> Forall2 N.lt vs ms.
Proof.
  revert vs; induction ms; intros vs; cbn [box].
  - split; [intros [<-|[]]; constructor | intros H; inversion H; now left].
  - rewrite in_flat_map. split.
    + intros (v & Hv & H). apply in_map_iff in H as (ws & <- & H).
      constructor; [now apply in_upto | now apply IHms].
    + intros H; inversion H; subst. exists x. split; [now apply in_upto|].
      apply in_map_iff. exists l. split; [reflexivity | now apply IHms].
Qed.

Lemma after_app cs ds f : after (cs ++ ds) f = after cs f + after ds f.
Proof. apply sum_app. Qed.

Fixpoint each_outcomes (ms : list N) (n : nat) : outcomes :=
  match ms with
  | [] => [(1, n)]
  | m :: ms => flat_map (fun c => map (fun d => (fst c * fst d, snd d)) (each_outcomes ms (snd c)))
                 (below_outcomes most_tries m n)
  end.

Lemma after_flat_map (cs : outcomes) (ds : nat -> outcomes) f :
  after (flat_map (fun c => map (fun d => (fst c * fst d, snd d)) (ds (snd c))) cs) f
  = after cs (fun n => after (ds n) f).
Proof.
  unfold after. rewrite sum_flat_map. apply sum_ext; intros c.
  rewrite sum_map, <- sum_scale. apply sum_ext; intros; cbn; lia.
Qed.

Lemma after_ext cs f g : (forall n, f n = g n) -> after cs f = after cs g.
Proof. intros H. apply sum_ext; intros; now rewrite H. Qed.

Lemma after_sum A (l : list A) cs f :
  after cs (fun n => sum l (f n)) = sum l (fun x => after cs (fun n => f n x)).
Proof.
  unfold after. rewrite (sum_swap _ _ l cs (fun x c => fst c * f (snd c) x)).
  apply sum_ext; intros; now rewrite sum_scale.
Qed.

Lemma after_scale cs f k : after cs (fun n => k * f n) = k * after cs f.
Proof. unfold after. rewrite <- sum_scale. apply sum_ext; intros; lia. Qed.

Lemma sum_each ms : Forall bound ms -> forall n (f : list N -> tape -> N),
  sum (tapes n) (fun t => match below_each ms t with Some (vs, r) => f vs r | None => 0 end)
  = after (each_outcomes ms n) (fun n => sum (box ms) (fun vs => sum (tapes n) (f vs))).
Proof.
  induction 1 as [|m ms Hm Hms IH]; intros n f.
  - cbn [below_each each_outcomes box]. unfold after. sums. cbn [fst snd].
    rewrite N.mul_1_l, !N.add_0_r. reflexivity.
  - cbn [below_each each_outcomes]. rewrite after_flat_map.
    rewrite (sum_ext _ _ _ (fun t => match below m t with
      | Some (v, r) => match below_each ms r with Some (vs, r) => f (v :: vs) r | None => 0 end
      | None => 0 end)).
    2: { intros t. destruct (below m t) as [[v r]|]; [|reflexivity].
         destruct (below_each ms r) as [[vs r']|]; reflexivity. }
    unfold below. rewrite (sum_below most_tries m Hm n (fun v r => match below_each ms r with
      | Some (vs, r) => f (v :: vs) r | None => 0 end)).
    apply after_ext; intros n'.
    rewrite (sum_ext _ _ _ (fun v => after (each_outcomes ms n')
       (fun n => sum (box ms) (fun vs => sum (tapes n) (f (v :: vs))))))
      by (intros v; apply (IH n' (fun vs => f (v :: vs)))).
    rewrite <- after_sum. apply after_ext; intros n''.
    symmetry. apply sum_box_cons.
Qed.

(** How many tapes there are for each list of integers. *)
Definition draws_weight (ms : list N) (n : nat) : N :=
  after (each_outcomes ms n) (fun n => 256 ^ N.of_nat n).

Lemma sum_each_const ms n (f : list N -> N) : Forall bound ms ->
  sum (tapes n) (fun t => match below_each ms t with Some (vs, _) => f vs | None => 0 end)
  = draws_weight ms n * sum (box ms) f.
Proof.
  intros H. rewrite (sum_each ms H n (fun vs _ => f vs)).
  unfold draws_weight. rewrite N.mul_comm, <- after_scale. apply after_ext; intros n'.
  rewrite N.mul_comm, <- sum_scale. apply sum_ext; intros vs.
  now rewrite sum_const, tapes_length.
Qed.

Lemma draws_weight_positive ms : Forall bound ms -> forall n,
  (6 * length ms <= n)%nat -> 0 < draws_weight ms n.
Proof.
  unfold draws_weight. induction 1 as [|m ms Hm Hms IH]; intros n Hn.
  - cbn [each_outcomes]. unfold after. sums. cbn [fst snd].
    assert (256 ^ N.of_nat n <> 0) by (apply N.pow_nonzero; lia). lia.
  - cbn [each_outcomes]. rewrite after_flat_map.
    cbn [length] in Hn.
    destruct (ex_intro (fun k => most_tries = S k) 127%nat eq_refl) as [k ->]. cbn [below_outcomes].
    destruct (Nat.ltb_spec n 6); [lia|].
    unfold after at 1. sums. cbn [fst snd].
    assert (0 < draw_range / m).
    { destruct Hm. apply N.div_str_pos. unfold draw_range. lia. }
    specialize (IH (n - 6)%nat ltac:(lia)). nia.
Qed.

Lemma below_lt tries m : bound m -> forall t v r, below_within tries m t = Some (v, r) -> v < m.
Proof.
  intros Hm. induction tries; intros t v r; cbn [below_within]; [discriminate|].
  destruct (read 6 0 t) as [[u t']|]; [|discriminate].
  destruct (u <? _); [|apply IHtries].
  intros [= <- <-]. apply N.mod_lt. destruct Hm; lia.
Qed.

Lemma below_each_in_box ms : Forall bound ms -> forall t vs r,
  below_each ms t = Some (vs, r) -> In vs (box ms).
Proof.
  intros H.
  induction H as [|m ms Hm Hms IH]; intros t vs r; cbn [below_each].
  - intros [= <- <-]. now left.
  - destruct (below m t) as [[v t']|] eqn:E; [|discriminate].
    destruct (below_each ms t') as [[ws t'']|] eqn:F; [|discriminate].
    intros [= <- <-]. apply in_box. constructor; [eapply below_lt; eauto | eapply in_box, IH; eauto].
Qed.
