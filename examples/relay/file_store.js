/** A store in a folder, one file a record: what an app outside a browser may write. */

import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";

/** @import { Store } from "deniable/client" */

/** @typedef {Parameters<Store["add"]>[0]} Stored */

/**
 * A store in this folder, which is made if it is not there.
 *
 * @param {string} folder
 * @returns {Promise<Store>}
 */
export async function fileStore(folder) {
  await mkdir(folder, { recursive: true });
  const place = (/** @type {string} */ key) =>
    join(folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  return {
    isDurable: true,
    async all() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
      const texts = await Promise.all(names.map((name) => readOrNothing(join(folder, name))));
      return texts.filter((text) => text !== "").map((text) => JSON.parse(text));
    },
    async add(record) {
      const written = await write(folder, record);
      try {
        await link(written, place(record.key));
        return true;
      } catch (error) {
        if (isCalled(error, "EEXIST")) return false;
        throw error;
      } finally {
        await unlink(written);
      }
    },
    async replace(record) {
      if ((await readOrNothing(place(record.key))) === "") return false;
      await rename(await write(folder, record), place(record.key));
      return true;
    },
    async clear() {
      await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name))));
    },
    async close() {},
  };
}

/**
 * @param {string} folder
 * @param {Stored} record
 */
async function write(folder, record) {
  const path = join(folder, `${randomUUID()}.new`);
  const file = await open(path, "wx");
  await file.writeFile(JSON.stringify(record));
  await file.sync();
  await file.close();
  return path;
}

/** @param {string} path */
async function readOrNothing(path) {
  try {
    return await readFile(path, "utf-8");
  } catch (error) {
    if (isCalled(error, "ENOENT")) return "";
    throw error;
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCalled(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
