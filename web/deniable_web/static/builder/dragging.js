/** Moves questions and options with their grip: by mouse, pen or finger, and with the arrow keys. */

// Within this distance of the window's edge, the page scrolls in steps of this size.
const EDGE_PX = 60;
const SCROLL_PX = 12;
// A shorter movement is a click.
const SLACK_PX = 5;

/**
 * The target of a key on a grip: before which member of the list it goes.
 *
 * @param {string} key
 * @param {readonly number[]} moved the indexes that move, in order.
 * @param {number} count of all questions.
 * @returns {number | undefined} undefined if the key moves nothing.
 */
function targetOfKey(key, moved, count) {
  const [first = 0, last = 0] = [moved[0], moved.at(-1)];
  const targets = { ArrowUp: Math.max(0, first - 1), ArrowDown: Math.min(count, last + 2), Home: 0, End: count };
  return Object.hasOwn(targets, key) ? targets[/** @type {keyof typeof targets} */ (key)] : undefined;
}

/**
 * Lets a pointer and the arrow keys move the members of a list by a grip.
 *
 * @param {HTMLElement} grip
 * @param {object} list
 * @param {() => readonly HTMLElement[]} list.members all members of the list, in order.
 * @param {() => readonly number[]} list.moved the indexes of those that move with this grip.
 * @param {(before: number) => void} list.drop
 */
export function letMove(grip, { members, moved, drop }) {
  /** @type {Drag | undefined} */
  let drag;
  const end = () => {
    const target = drag?.end();
    drag = undefined;
    return target;
  };
  grip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip.setPointerCapture(event.pointerId);
    drag = new Drag(event.clientY, members(), moved());
  });
  grip.addEventListener("pointermove", (event) => drag?.follow(event.clientY));
  grip.addEventListener("pointercancel", end);
  grip.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
    const target = targetOfKey(event.key, moved(), members().length);
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    drop(target);
  });
  grip.addEventListener("pointerup", () => {
    const target = end();
    if (target === undefined) return;
    // What follows is no click.
    grip.addEventListener("click", (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    drop(target);
  });
}

/** One movement of a pointer, from pressing to releasing. */
class Drag {
  #begun;
  #members;
  #moved;
  #y;
  #isMoving = false;
  #frame = 0;
  /** @type {number | undefined} */
  #target;

  /**
   * @param {number} y where the pointer was pressed.
   * @param {readonly HTMLElement[]} members
   * @param {readonly number[]} moved
   */
  constructor(y, members, moved) {
    this.#begun = y;
    this.#y = y;
    this.#members = members;
    this.#moved = moved;
  }

  /** @param {number} y */
  follow(y) {
    this.#y = y;
    if (!this.#isMoving && Math.abs(y - this.#begun) < SLACK_PX) return;
    if (!this.#isMoving) {
      this.#isMoving = true;
      for (const index of this.#moved) this.#members[index]?.classList.add("dragged");
      this.#scroll();
    }
    this.#aim();
  }

  /** Shows before which member the pointer would drop. */
  #aim() {
    const below = this.#members.findIndex((member) => {
      const { top, height } = member.getBoundingClientRect();
      return this.#y < top + height / 2;
    });
    const target = below < 0 ? this.#members.length : below;
    if (target === this.#target) return;
    this.#unmark();
    this.#target = target;
    if (below < 0) this.#members.at(-1)?.classList.add("drop-after");
    else this.#members[below]?.classList.add("drop-before");
  }

  #scroll() {
    const down = this.#y > innerHeight - EDGE_PX ? SCROLL_PX : 0;
    const up = this.#y < EDGE_PX ? -SCROLL_PX : 0;
    if (down + up !== 0) {
      scrollBy(0, down + up);
      this.#aim();
    }
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  #unmark() {
    for (const member of this.#members) member.classList.remove("drop-before", "drop-after");
  }

  /** Ends the movement; the result is undefined if the pointer stayed where it was. */
  end() {
    cancelAnimationFrame(this.#frame);
    this.#unmark();
    for (const member of this.#members) member.classList.remove("dragged");
    return this.#isMoving ? this.#target : undefined;
  }
}
