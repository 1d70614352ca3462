(** Each statement of Statements.v with its proof, and what the proof assumes: nothing. *)

From Deniable Require Import Statements Uniform SubsetLaw PrivsetLaw Report Guarantee Budget Exponential.

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

Theorem privset_is_nearly_exact : Statements.privset_is_nearly_exact.
Proof. exact privset_is_nearly_exact_holds. Qed.
Check privset_is_nearly_exact.
Print Assumptions privset_is_nearly_exact.

Theorem equal_parts_are_uniform : Statements.equal_parts_are_uniform.
Proof. exact equal_parts_are_uniform_holds. Qed.
Check equal_parts_are_uniform.
Print Assumptions equal_parts_are_uniform.

Theorem unequal_parts_are_exact : Statements.unequal_parts_are_exact.
Proof. exact unequal_parts_are_exact_holds. Qed.
Check unequal_parts_are_exact.
Print Assumptions unequal_parts_are_exact.

Theorem report_is_within_weights : Statements.report_is_within_weights.
Proof. exact report_is_within_weights_holds. Qed.
Check report_is_within_weights.
Print Assumptions report_is_within_weights.

Theorem subset_blocks_multiply : Statements.subset_blocks_multiply.
Proof. exact subset_blocks_multiply_holds. Qed.
Check subset_blocks_multiply.
Print Assumptions subset_blocks_multiply.

Theorem within_is_sound : Statements.within_is_sound.
Proof. exact within_is_sound_holds. Qed.
Check within_is_sound.
Print Assumptions within_is_sound.

Theorem report_is_within_epsilon : Statements.report_is_within_epsilon.
Proof. exact report_is_within_epsilon_holds. Qed.
Check report_is_within_epsilon.
Print Assumptions report_is_within_epsilon.

Theorem survey_is_within_epsilon : Statements.survey_is_within_epsilon.
Proof. exact survey_is_within_epsilon_holds. Qed.
Check survey_is_within_epsilon.
Print Assumptions survey_is_within_epsilon.

Theorem exp_of_one_is_e : Statements.exp_of_one_is_e.
Proof. exact exp_of_one_is_e_holds. Qed.
Check exp_of_one_is_e.
Print Assumptions exp_of_one_is_e.
