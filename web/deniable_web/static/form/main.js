/** The form of a survey without scores that everybody may answer at any time. */
import { runForm } from "./run.js";

await runForm(null, null);
