(** Each mechanism is within its weights. *)

From Coq Require Import Arith NArith List Lia Permutation Sorted Bool.
From Deniable Require Import Model Statements Counting Uniform Sampling SubsetLaw.
Import ListNotations.
Open Scope N_scope.

Definition within (high low : N) (M : mechanism) : Prop :=
  forall x y, is_answer M x -> is_answer M y -> forall v, low * ways M x v <= high * ways M y v.

(** * `subset` *)

Lemma subset_within k d a c : legal (Subset k d a c) -> within a c (Subset k d a c).
Proof.
  intros L x y (i & -> & Hi) (j & -> & Hj) v. cbn [legal] in L.
  assert (Z : ways (Subset k d a c) [i] v = 0 \/ is_set k d v).
  { destruct (N.eq_dec (ways (Subset k d a c) [i] v) 0) as [|NZ]; [now left | right].
    unfold ways in NZ. apply sum_nonzero in NZ as (draws & Hd & E).
    destruct (same_list _ v) as [<-|]; [|now elim E].
    now apply subset_output_is_set. }
  destruct Z as [->|S]; [rewrite N.mul_0_r; apply N.le_0_l|]. rewrite !subset_ways by assumption.
  destruct L as (_ & _ & (Ha & _)).
  set (K := factorial d * N.of_nat (k - d)).
  rewrite !(N.mul_comm K), !N.mul_assoc. apply N.mul_le_mono_r.
  destruct (is_in i v), (is_in j v); nia.
Qed.

(** * `sampled_bits` *)

(** The weight of a bit that is right, or not, of an option; and of all bits. *)
Fixpoint bits_weight (a c : N) (x : answer) (drawn : list N) (v : value) : N :=
  match drawn, v with
  | [], [] => 1
  | o :: drawn, o' :: b :: v =>
      (if o =? o' then (if b =? (if is_in o x then 1 else 0) then a
                        else if b =? (if is_in o x then 0 else 1) then c else 0) else 0)
      * bits_weight a c x drawn v
  | _, _ => 0
  end.

Lemma sum_upto_split a c (f : bool -> N) :
  sum (upto (a + c)) (fun u => f (u <? a)) = a * f true + c * f false.
Proof.
  rewrite sum_upto_add. rewrite (sum_ext_in _ (upto a) _ (fun _ => f true)).
  2: { intros u Hu. apply in_upto in Hu. now rewrite (proj2 (N.ltb_lt _ _) Hu). }
  rewrite (sum_ext _ (upto c) _ (fun _ => f false)).
  2: { intros u. destruct (N.ltb_spec (a + u) a); [lia | reflexivity]. }
  now rewrite !sum_upto_const.
Qed.

Lemma bits_ways a c x drawn : forall v,
  sum (box (repeat (a + c) (length drawn)))
    (fun us => one (if same_list (bits a x drawn us) v then true else false))
  = bits_weight a c x drawn v.
Proof.
  induction drawn as [|o drawn IH]; intros v.
  - cbn [length repeat box]. sums. cbn [bits].
    destruct v; destruct (same_list [] _); try congruence; reflexivity.
  - cbn [length repeat]. rewrite sum_box_cons. cbn [bits bits_weight].
    destruct v as [|o' [|b v]].
    1, 2: apply sum_zero; intros u _; apply sum_zero; intros us _;
      destruct (same_list _ _); [discriminate | reflexivity].
    rewrite <- IH.
    pose (F := fun kept : bool =>
      one ((o =? o') && (b =? (if Bool.eqb kept (is_in o x) then 1 else 0)))
      * sum (box (repeat (a + c) (length drawn)))
          (fun us => one (if same_list (bits a x drawn us) v then true else false))).
    rewrite (sum_ext _ _ _ (fun u => F (u <? a))).
    + rewrite sum_upto_split. unfold F. set (R := sum _ _).
      destruct (o =? o'), (is_in o x); cbn [andb Bool.eqb one]; try lia.
      * destruct (N.eqb_spec b 1), (N.eqb_spec b 0); cbn [one]; lia.
      * destruct (N.eqb_spec b 1), (N.eqb_spec b 0); cbn [one]; lia.
    + intros u. unfold F. rewrite <- sum_scale. apply sum_ext; intros us.
      set (bit := if Bool.eqb _ _ then 1 else 0).
      destruct (N.eqb_spec o o') as [->|], (N.eqb_spec b bit) as [->|];
        destruct (same_list (bits a x drawn us) v) as [->|];
        destruct (same_list (_ :: _) _); try congruence; reflexivity.
Qed.

Definition differing (x y : answer) (drawn : list N) : list N :=
  filter (fun o => negb (Bool.eqb (is_in o x) (is_in o y))) drawn.

Lemma bits_within a c x y drawn : c <= a -> forall v,
  c ^ N.of_nat (length (differing x y drawn)) * bits_weight a c x drawn v
  <= a ^ N.of_nat (length (differing x y drawn)) * bits_weight a c y drawn v.
Proof.
  intros H. induction drawn as [|o drawn IH]; intros v.
  - cbn [bits_weight differing filter length]. reflexivity.
  - cbn [bits_weight]. destruct v as [|o' [|b v]]; try lia.
    specialize (IH v). unfold differing in *. cbn [filter].
    set (D := filter _ drawn) in *.
    set (P := c ^ N.of_nat (length D)) in *. set (Q := a ^ N.of_nat (length D)) in *.
    assert (Q1 : forall i j, i <= j -> P * (i * bits_weight a c x drawn v)
                                       <= Q * (j * bits_weight a c y drawn v)).
    { intros i j Hij. rewrite !N.mul_assoc, (N.mul_comm P), (N.mul_comm Q), <- !N.mul_assoc.
      now apply N.mul_le_mono. }
    assert (Q2 : forall i j, c * i <= a * j -> c * P * (i * bits_weight a c x drawn v)
                                               <= a * Q * (j * bits_weight a c y drawn v)).
    { intros i j Hij. replace (c * P * (i * bits_weight a c x drawn v))
        with (c * i * (P * bits_weight a c x drawn v)) by lia.
      replace (a * Q * (j * bits_weight a c y drawn v))
        with (a * j * (Q * bits_weight a c y drawn v)) by lia.
      now apply N.mul_le_mono. }
    destruct (is_in o x), (is_in o y); cbn [negb Bool.eqb length];
      rewrite ?Nat2N.inj_succ, ?N.pow_succ_r'; fold P Q; first [apply Q1 | apply Q2];
      destruct (o =? o'), (b =? 1), (b =? 0); nia.
Qed.

Lemma differing_length m x y drawn sx sy k : NoDup drawn -> is_set k sx x -> is_set k sy y ->
  (sx <= m)%nat -> (sy <= m)%nat ->
  (length (differing x y drawn) <= Nat.min (length drawn) (2 * m))%nat.
Proof.
  intros D (Lx & _) (Ly & _) Hx Hy. apply Nat.min_glb.
  - unfold differing. clear. induction drawn; cbn; [lia|]. destruct (negb _); cbn; lia.
  - transitivity (length (x ++ y)); [|rewrite app_length; lia].
    apply NoDup_incl_length; [now apply NoDup_filter|].
    intros o Ho. unfold differing in Ho. apply filter_In in Ho as [_ Ho].
    apply in_app_iff. rewrite <- !is_in_In.
    destruct (is_in o x), (is_in o y); cbn in Ho; tauto.
Qed.

Lemma pow_within a c i j X Y : c <= a -> (i <= j)%nat ->
  c ^ N.of_nat i * X <= a ^ N.of_nat i * Y -> c ^ N.of_nat j * X <= a ^ N.of_nat j * Y.
Proof.
  intros H Hij W. replace (N.of_nat j) with (N.of_nat (j - i) + N.of_nat i) by lia.
  rewrite !N.pow_add_r, <- !N.mul_assoc. apply N.mul_le_mono; [|assumption].
  now apply N.pow_le_mono_l.
Qed.

Lemma sampled_bits_within k m s a c : legal (SampledBits k m s a c) ->
  within (a ^ N.of_nat (Nat.min s (2 * m))) (c ^ N.of_nat (Nat.min s (2 * m)))
    (SampledBits k m s a c).
Proof.
  intros (Hk & Hm & Hs & (Ha & Ht)) x y (sx & Lx & Sx) (sy & Ly & Sy) v.
  unfold ways. cbn [bounds total_weight]. rewrite !sum_box_app, <- !sum_scale.
  apply sum_le. intros os Hos.
  pose proof (Forall2_length _ _ _ _ _ (proj1 (in_box _ _) Hos)) as Lo.
  rewrite falling_length in Lo.
  destruct (sample_of os (range k)) as [D I]; [apply NoDup_range | now rewrite range_length, Lo|].
  set (drawn := ascending (sample (range k) os)).
  assert (Ld : length drawn = s).
  { unfold drawn. rewrite (Permutation_length (ascending_perm _)), sample_length. assumption. }
  assert (W : forall z, sum (box (repeat (a + c) s)) (fun ws =>
    one (if same_list (output (SampledBits k m s a c) z (os ++ ws)) v then true else false))
    = bits_weight a c z drawn v).
  { intros z. rewrite <- Ld at 1. rewrite <- bits_ways. apply sum_ext; intros ws.
    cbn [output]. rewrite firstn_app, skipn_app, Lo, Nat.sub_diag, <- Lo.
    rewrite firstn_all, skipn_all. cbn [firstn skipn app]. now rewrite app_nil_r. }
  rewrite !W.
  apply (pow_within a c (length (differing x y drawn))); [lia | | apply bits_within; lia].
  rewrite <- Ld. apply (differing_length m x y drawn sx sy k); try assumption.
  unfold drawn. eapply Permutation_NoDup; [symmetry; apply ascending_perm | assumption].
Qed.

(** * `piecewise` *)

Lemma sum_upto_div start q m o : 1 <= m ->
  sum (upto (q * m)) (fun u => one (start + u / m =? o))
  = if (start <=? o) && (o <? start + q) then m else 0.
Proof.
  intros Hm. rewrite N.mul_comm, sum_upto_mul.
  rewrite (sum_ext _ _ _ (fun i => m * (if i =? o - start then one (start <=? o) else 0))).
  - rewrite sum_scale. destruct (N.leb_spec start o); cbn [andb one].
    + destruct (N.ltb_spec o (start + q)).
      * rewrite (sum_upto_one q (o - start) (fun _ => 1)); lia.
      * rewrite sum_zero; [lia|]. intros i Hi. apply in_upto in Hi.
        now rewrite (proj2 (N.eqb_neq _ _)) by lia.
    + rewrite sum_zero; [lia|]. intros i _. now destruct (i =? _).
  - intros i. rewrite (sum_ext_in _ _ _ (fun _ => one (start + i =? o))).
    + rewrite sum_upto_const. f_equal.
      destruct (N.eqb_spec (start + i) o), (N.eqb_spec i (o - start)), (N.leb_spec start o);
        cbn [one]; lia.
    + intros v Hv. apply in_upto in Hv.
      now rewrite (N.mul_comm m i), N.div_add_l, (N.div_small v m), N.add_0_r by lia.
Qed.

(** How many copies an output has. *)
Definition copies (no_answer : bool) (G w o : N) : N :=
  if o <? G + w then 1 else if (o =? G + w) && no_answer then w else 0.

Lemma start_at_most k G x r : (2 <= k)%nat -> x < N.of_nat k -> 1 <= G ->
  x * G / N.of_nat (k - 1) + (if r <? (x * G) mod N.of_nat (k - 1) then 1 else 0) <= G.
Proof.
  intros Hk Hx HG. set (l := N.of_nat (k - 1)). assert (Hl : 1 <= l) by lia.
  destruct (N.eq_dec x l) as [->|NE].
  - rewrite (N.mul_comm l G), N.div_mul, N.mod_mul by lia.
    destruct (N.ltb_spec r 0); lia.
  - assert (x * G / l < G) by (apply N.div_lt_upper_bound; nia).
    destruct (r <? _); lia.
Qed.

(** Decides every comparison of the goal. *)
Ltac compare :=
  repeat match goal with
         | |- context [?x <=? ?y] =>
             first [rewrite (proj2 (N.leb_le x y)) by lia | rewrite (proj2 (N.leb_gt x y)) by lia]
         | |- context [?x <? ?y] =>
             first [rewrite (proj2 (N.ltb_lt x y)) by lia | rewrite (proj2 (N.ltb_ge x y)) by lia]
         | |- context [?x =? ?y] =>
             first [rewrite (proj2 (N.eqb_eq x y)) by lia | rewrite (proj2 (N.eqb_neq x y)) by lia]
         end.

Lemma piecewise_draws k no_answer (G w a c x r o : N) : (2 <= k)%nat -> 1 <= w <= G ->
  1 <= c < a -> x < N.of_nat k \/ no_answer = true /\ x = N.of_nat k ->
  let ways := sum (upto (w * a + G * c + (if no_answer then w * c else 0)))
    (fun u => one (output_piecewise k G w a c x r u =? o)) in
  c * copies no_answer G w o <= ways <= a * copies no_answer G w o.
Proof.
  intros Hk Hw Hc Hx ways. unfold ways, output_piecewise. clear ways.
  destruct Hx as [Hx|[-> ->]].
  - rewrite (proj2 (N.eqb_neq x (N.of_nat k))) by lia.
    set (start := x * G / N.of_nat (k - 1) + _). assert (S : start <= G) by (apply start_at_most; lia).
    set (extra := if no_answer then w * c else 0).
    replace (w * a + G * c + extra) with (start * c + (w * a + ((G - start) * c + extra)))
      by (replace (G * c) with ((start + (G - start)) * c) by (f_equal; lia); lia).
    rewrite !sum_upto_add.
    rewrite (sum_ext_in _ (upto (start * c)) _ (fun u => one (0 + u / c =? o))).
    2: { intros u Hu. apply in_upto in Hu. now rewrite (proj2 (N.ltb_lt _ _) Hu). }
    rewrite (sum_ext_in _ (upto (w * a)) _ (fun u => one (start + u / a =? o))).
    2: { intros u Hu. apply in_upto in Hu.
         rewrite (proj2 (N.ltb_ge _ _)), (proj2 (N.ltb_lt _ _)) by lia.
         now replace (start * c + u - start * c) with u by lia. }
    rewrite (sum_ext_in _ (upto ((G - start) * c)) _ (fun u => one (start + w + u / c =? o))).
    2: { intros u Hu. apply in_upto in Hu.
         set (A := start * c) in *. set (B := w * a) in *.
         rewrite (proj2 (N.ltb_ge _ _)), (proj2 (N.ltb_ge _ _)) by lia.
         replace (A + (B + u) - A - B) with u by lia.
         assert (u / c < G - start) by (apply N.div_lt_upper_bound; lia).
         now rewrite N.min_r by lia. }
    rewrite (sum_ext_in _ (upto extra) _ (fun u => one (G + w =? o))).
    2: { intros u Hu. apply in_upto in Hu.
         set (A := start * c) in *. set (B := w * a) in *. set (D := (G - start) * c) in *.
         rewrite (proj2 (N.ltb_ge _ _)), (proj2 (N.ltb_ge _ _)) by lia.
         replace (A + (B + (D + u)) - A - B) with (D + u) by lia. unfold D.
         rewrite N.div_add_l by lia. generalize (u / c). intros e. now rewrite N.min_l by lia. }
    rewrite !sum_upto_div, sum_upto_const by lia. unfold copies, extra.
    assert (O : o < start \/ start <= o < start + w \/ start + w <= o < G + w
                \/ o = G + w \/ G + w < o) by lia.
    destruct O as [O|[O|[O|[O|O]]]]; compare; destruct no_answer; cbn [andb one]; nia.
  - rewrite N.eqb_refl.
    replace (w * a + G * c + w * c) with ((G + w) * c + w * a) by lia.
    rewrite sum_upto_add.
    rewrite (sum_ext_in _ (upto ((G + w) * c)) _ (fun u => one (0 + u / c =? o))).
    2: { intros u Hu. apply in_upto in Hu. now rewrite (proj2 (N.ltb_lt _ _) Hu). }
    rewrite (sum_ext _ (upto (w * a)) _ (fun u => one (G + w =? o))).
    2: { intros u. now rewrite (proj2 (N.ltb_ge _ _)) by lia. }
    rewrite sum_upto_div, sum_upto_const by lia. unfold copies.
    assert (O : o < G + w \/ o = G + w \/ G + w < o) by lia.
    destruct O as [O|[O|O]]; compare; cbn [andb one]; nia.
Qed.

Lemma piecewise_within k no_answer G w a c : legal (Piecewise k no_answer G w a c) ->
  within a c (Piecewise k no_answer G w a c).
Proof.
  intros (Hk & HG & Hw & (Hc & _)) x y Hx Hy v.
  set (K := match v with [o] => N.of_nat (k - 1) * copies no_answer (N.of_nat G) (N.of_nat w) o
            | _ => 0 end).
  assert (B : forall z, is_answer (Piecewise k no_answer G w a c) z ->
    c * K <= ways (Piecewise k no_answer G w a c) z v <= a * K).
  { intros z (i & -> & Hi). unfold ways, K. cbn [bounds total_weight].
    rewrite sum_box_cons.
    set (total := _ + _ + _).
    rewrite (sum_ext _ _ _ (fun r => match v with
      | [o] => sum (upto total) (fun u =>
          one (output_piecewise k (N.of_nat G) (N.of_nat w) a c i r u =? o))
      | _ => 0 end)).
    2: { intros r. rewrite sum_box_cons. cbn [box].
      destruct v as [|o [|? ?]].
      1, 3: apply sum_zero; intros u _; sums; cbn [output]; destruct (same_list _ _);
        [discriminate | reflexivity].
      apply sum_ext; intros u. sums. rewrite N.add_0_r. cbn [output hd nth].
      destruct (N.eqb_spec (output_piecewise k (N.of_nat G) (N.of_nat w) a c i r u) o) as [->|];
        destruct (same_list _ _); try congruence; reflexivity. }
    destruct v as [|o [|? ?]]; try (rewrite sum_zero by auto; lia).
    assert (P : forall r, c * copies no_answer (N.of_nat G) (N.of_nat w) o
      <= sum (upto total) (fun u => one (output_piecewise k (N.of_nat G) (N.of_nat w) a c i r u =? o))
      <= a * copies no_answer (N.of_nat G) (N.of_nat w) o).
    { intros r. apply piecewise_draws; try lia. assumption. }
    rewrite !N.mul_assoc, !(N.mul_comm _ (N.of_nat (k - 1))), <- !N.mul_assoc.
    rewrite <- !(sum_upto_const (N.of_nat (k - 1))).
    split; apply sum_le; intros r _; apply P. }
  pose proof (B x Hx). pose proof (B y Hy). nia.
Qed.
