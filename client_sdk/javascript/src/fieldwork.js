/**
 * Surveys with a window, or by invitation: import this module once, before
 * openSurvey.
 *
 * It is a module of its own, so that apps without such surveys do not load it.
 */

import { readInvited, readWindow } from "./survey/fieldwork.js";
import { KEYS, READERS } from "./survey/structure.js";

export { collectToken, groupOf } from "./client/collecting.js";
export { InvalidCode, finishToken, readCode, requestToken } from "./invitation.js";
export { InvalidToken } from "./tokens.js";

KEYS.push("window", "invited");
READERS.push((survey) => ({ window: readWindow(survey), invited: readInvited(survey) }));
