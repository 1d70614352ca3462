/** Saves files that need the token, under the name in the server's response. */
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
  // By then the download has begun, and the bytes can be released.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
