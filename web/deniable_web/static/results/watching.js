/** Looking again every few seconds, for as long as somebody can see the page. */

/**
 * @param {() => Promise<boolean>} look whether it is worth looking again.
 * @param {number} everyMs
 */
export function watch(look, everyMs) {
  let timer = 0;
  let isDone = false;
  const again = async () => {
    timer = 0;
    isDone = !(await look());
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
