/** Repeats an update every few seconds while the page is visible. */

/**
 * @param {() => Promise<unknown>} look updates; resolves to false if that was the last time.
 * @param {number} everyMs
 */
export function watch(look, everyMs) {
  let timer = 0;
  let isDone = false;
  const again = async () => {
    timer = 0;
    isDone = (await look()) === false;
    wait();
  };
  const wait = () => {
    if (!isDone && !document.hidden && !timer) timer = window.setTimeout(again, everyMs);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(timer);
      timer = 0;
    } else wait();
  });
  wait();
}
