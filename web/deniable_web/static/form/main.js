/** The form of a survey without scores. */
import { runForm } from "./run.js";

await runForm(null);
