/**
 * A survey in a page of another site:
 *
 *     <deniable-survey src="https://surveys.example.org/s/stress" height="720"></deniable-survey>
 *
 * It is a frame of the survey's own origin, so that no script of the page
 * around it reaches the answers. The two say nothing to each other, not even
 * how high the frame should be: what is shown depends on answers.
 */

const HEIGHT = 720;

class DeniableSurvey extends HTMLElement {
  static observedAttributes = ["src", "height", "title"];

  #frame = document.createElement("iframe");

  constructor() {
    super();
    const { style } = this.#frame;
    style.display = "block";
    style.width = "100%";
    style.border = "0";
    // The frame is of another origin, so these two give it nothing of the page.
    this.#frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
    this.#frame.referrerPolicy = "no-referrer";
    this.#frame.loading = "lazy";
    this.attachShadow({ mode: "open" });
  }

  connectedCallback() {
    this.#follow();
  }

  attributeChangedCallback() {
    this.#follow();
  }

  #follow() {
    const height = Number(this.getAttribute("height")) || HEIGHT;
    this.#frame.style.height = `${height}px`;
    this.#frame.title = this.getAttribute("title") ?? "Survey";
    const address = addressOf(this.getAttribute("src") ?? "");
    if (address !== this.#frame.getAttribute("src")) this.#frame.src = address;
    // Never without an address: an empty frame would be of the page's own origin.
    if (address === "") this.#frame.remove();
    else if (!this.#frame.isConnected) this.shadowRoot?.append(this.#frame);
  }
}

/**
 * The address of a form, without anything that could tell the respondents apart.
 *
 * @param {string} src
 */
function addressOf(src) {
  const { protocol, origin, pathname } = new URL(src, location.href);
  return /^https?:$/.test(protocol) && origin !== location.origin ? origin + pathname : "";
}

customElements.define("deniable-survey", DeniableSurvey);
