/** The form of a survey with scores, which needs more of the SDK. */
import "../sdk/scores.js";
import { Feedback } from "./feedback.js";
import { runForm } from "./run.js";

await runForm(new Feedback(), null);
