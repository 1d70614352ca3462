(** Each statement of Statements.v with its proof, and what the proof assumes: nothing. *)

From Deniable Require Import Statements Uniform SubsetLaw.

Theorem below_is_uniform : Statements.below_is_uniform.
Proof. exact below_is_uniform_holds. Qed.
Check below_is_uniform.
Print Assumptions below_is_uniform.

Theorem below_rarely_fails : Statements.below_rarely_fails.
Proof. exact below_rarely_fails_holds. Qed.
Check below_rarely_fails.
Print Assumptions below_rarely_fails.

Theorem below_each_is_uniform : Statements.below_each_is_uniform.
Proof. exact below_each_is_uniform_holds. Qed.
Check below_each_is_uniform.
Print Assumptions below_each_is_uniform.

Theorem subset_is_exact : Statements.subset_is_exact.
Proof. exact subset_is_exact_holds. Qed.
Check subset_is_exact.
Print Assumptions subset_is_exact.
