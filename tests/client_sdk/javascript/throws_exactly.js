/** The check that every error line is read by. */

import assert from "node:assert/strict";

/**
 * Fail unless an action throws this error with this message.
 *
 * @param {() => unknown} action
 * @param {string} name
 * @param {string} message
 */
export async function throwsExactly(action, name, message) {
  await assert.rejects(
    async () => action(),
    (/** @type {Error} */ error) => {
      assert.equal(`${error.name}: ${error.message}`, `${name}: ${message}`);
      assert.equal(error.cause, undefined);
      return true;
    },
  );
}
