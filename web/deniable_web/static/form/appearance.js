/** The images and the colour of a survey, which are inside it: nothing is loaded for them. */

/** @import { PublishedSurvey } from "../sdk/index.js" */

/** Shows the logo, the images of all questions, and the colour. @param {PublishedSurvey} survey */
export function showAppearance({ accent, logo, questions }) {
  for (const image of document.images) {
    const id = image.dataset.question;
    const found = id ? questions.find((each) => each.id === id)?.image : logo;
    if (found) image.src = found.data;
  }
  if (!accent) return;
  const { style } = document.documentElement;
  style.setProperty("--own", accent);
  style.setProperty("--own-soft", `color-mix(in srgb, ${accent} 12%, #fff)`);
}
