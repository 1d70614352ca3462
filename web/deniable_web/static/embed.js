/**
 * A survey in a page of another site:
 *
 *     <deniable-survey src="https://surveys.example.org/s/stress" height="720"></deniable-survey>
 *
 * It is a frame from the survey's own origin, so that no script of the page around it can
 * reach the answers. The frame and the page exchange no messages, not even about the
 * frame's height, because the form's height depends on answers.
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
    // The frame has another origin, so these two permissions do not give it access to the page.
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
    // Never without an address: an empty frame would have the page's own origin.
    if (address === "") this.#frame.remove();
    else if (!this.#frame.isConnected) this.shadowRoot?.append(this.#frame);
  }
}

/**
 * The address of a form, without anything that could distinguish respondents.
 *
 * @param {string} src
 */
function addressOf(src) {
  const { protocol, origin, pathname } = new URL(src, location.href);
  return /^https?:$/.test(protocol) && origin !== location.origin ? origin + pathname : "";
}

customElements.define("deniable-survey", DeniableSurvey);
