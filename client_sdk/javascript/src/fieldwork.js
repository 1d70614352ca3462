/**
 * Surveys with a window, or by invitation: import this module once, before
 * openSurvey.
 *
 * It is a module of its own, so that apps without such surveys do not load it.
 */

import { start } from "./client/collecting.js";
import { STARTS } from "./client/submitting.js";
import "./survey/fieldwork.js";

export { FewCollected, OtherSite, collectToken, tokenCount, groupOf } from "./client/collecting.js";
export { InvalidCode, finishToken, readCode, requestToken } from "./invitation.js";
export { InvalidToken } from "./tokens.js";

STARTS.push(start);
