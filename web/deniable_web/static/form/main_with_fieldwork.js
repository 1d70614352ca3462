/** The form of a survey with a window, or with groups, which needs more of the SDK. */
import { Fieldwork } from "./fieldwork.js";
import { openKiosk } from "./kiosk.js";
import { runForm } from "./run.js";

await runForm(null, new Fieldwork(await openKiosk()));
