/** Saves files on the device of the person who runs a survey. */
import { send } from "./access.js";

const NAME = /filename="([^"]+)"/;

/**
 * Offers bytes as a file to save.
 *
 * @param {Blob} content
 * @param {string} name
 */
export function keepFile(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the download has begun, and the bytes can be released.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {string} path of a file that needs the token; the response has its name. */
export async function save(path) {
  const response = await send(path);
  const name = NAME.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  keepFile(await response.blob(), name);
}
