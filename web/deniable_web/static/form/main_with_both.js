/** The form of a survey with scores, and with a window or by invitation. */
import "../sdk/scores.js";
import { Feedback } from "./feedback.js";
import { Fieldwork } from "./fieldwork.js";
import { openKiosk } from "./kiosk.js";
import { runForm } from "./run.js";

await runForm(new Feedback(), new Fieldwork(await openKiosk()));
