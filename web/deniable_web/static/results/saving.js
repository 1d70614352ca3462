/** Files that take the token to fetch: saved under the name that the server gives. */
import { send } from "../manage/access.js";

const NAME = /filename="([^"]+)"/;

/** @param {string} path */
export async function save(path) {
  const response = await send(path);
  const name = NAME.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  // The download has begun by then, and the bytes are let go.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
