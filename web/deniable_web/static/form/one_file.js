/**
 * The form in one file, on any host or none: the survey is inside, and nothing is loaded.
 *
 * This module has the place of served.js there.
 */
import { fetchTransport } from "../sdk/client/transport.js";
import { element } from "./page.js";

/** @import { HOSTING as Served } from "./served.js" */

const { collector = "", document: published } = element("main").dataset;

/** @type {typeof Served} */
export const HOSTING = {
  collector,
  transport: {
    ...fetchTransport(collector),
    getSurvey: async () => new TextEncoder().encode(published),
  },
};

/** Nothing has to be stored: the file has everything. */
export async function keepForOffline() {}
