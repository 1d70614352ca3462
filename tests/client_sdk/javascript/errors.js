/** What went wrong, by the name of its class. */

import { DeniableError } from "../../../client_sdk/javascript/src/index.js";

/**
 * The class name of the deniable error that an action ends in, or null.
 *
 * @param {() => unknown} action
 */
export async function errorOf(action) {
  try {
    await action();
    return null;
  } catch (error) {
    if (error instanceof DeniableError) return error.name;
    throw error;
  }
}
