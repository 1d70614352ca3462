/**
 * The JavaScript SDK as it is shipped, and devices that are wrong in the ways
 * devices go wrong: the twins of twins.py, each changing the SDK from outside.
 */

import { createHash, randomBytes } from "node:crypto";

import * as canonical from "../../client_sdk/javascript/src/canonical.js";
import {
  InvalidAnswer,
  Report,
  openSurvey,
  randomize,
} from "../../client_sdk/javascript/src/index.js";
import { seededBytes } from "../client_sdk/javascript/seeded_bytes.js";

/** @typedef {import("../../client_sdk/javascript/src/index.js").PublishedSurvey} Survey */
/** @typedef {Record<string, any>} Answers */
/** @typedef {(answers: Answers, tries: number) => Uint8Array[]} Device */
/** @typedef {(survey: Survey) => Device | Promise<Device>} Maker */

// ln of their ratio is below 3 by less than 2.4e-10.
const WEIGHTS_AT_THREE = [86266724207, 2 ** 32];

const LAST_OF_FOUR = 3;

/**
 * @param {Report} report
 * @param {number} tries
 */
const sent = (report, tries) => Array.from({ length: tries }, () => report.toBytes());

/** @type {(survey: Survey) => Device} */
const shipped = (survey) => (answers, tries) => sent(randomize(survey, answers), tries);

/**
 * The shipped device, but each value is changed by who knows the answer.
 *
 * @param {(answer: any, value: any) => any} change
 * @returns {Maker}
 */
const changed = (change) => (survey) => (answers, tries) => {
  const report = randomize(survey, answers);
  const given = new Map(Object.entries(answers));
  const values = Object.entries(report.values).map(([id, value]) => [
    id,
    change(survey.block(id).encode(given), value),
  ]);
  return sent(new Report(report.survey, report.id, Object.fromEntries(values)), tries);
};

/**
 * The shipped device for another survey that calls itself the same.
 *
 * @param {(document: any) => void} edit
 * @returns {Maker}
 */
const edited = (edit) => async (survey) => {
  const document = JSON.parse(new TextDecoder().decode(survey.document));
  edit(document);
  const other = await openSurvey(canonical.encode(document));
  return (answers, tries) => {
    const report = randomize(other, answers);
    return sent(new Report(survey.digest, report.id, report.values), tries);
  };
};

/** @param {Answers} answers */
const hash = (answers) => createHash("sha256").update(JSON.stringify(answers)).digest();

/** @type {Maker} */
const spaceAfterNo = (survey) => (answers, tries) =>
  shipped(survey)(answers, tries).map((bytes) =>
    answers.asthma ? bytes : Uint8Array.from([...bytes, 32]),
  );

/** @type {Maker} */
const anyNumber = (survey) => (answers, tries) =>
  shipped(survey)({ visits: Math.min(30, Math.max(0, answers.visits)) }, tries);

/** @type {Maker} */
const errorTells = (survey) => (answers, tries) => {
  try {
    return shipped(survey)(answers, tries);
  } catch (error) {
    throw new InvalidAnswer(`${error}: ${JSON.stringify(answers)}`);
  }
};

/** @type {Maker} */
const answeredBlocksFirst = (survey) => (answers, tries) => {
  const ids = survey.blocks.map(({ id }) => id);
  ids.sort((left, right) => Number(right in answers) - Number(left in answers));
  return sent(randomize(survey, answers, ids.slice(0, survey.asked)), tries);
};

/** @type {Maker} */
const notReachedLeftOut = (survey) => (answers, tries) => {
  const report = randomize(survey, answers);
  const values = Object.entries(report.values).filter(([id]) => id in answers);
  return sent(new Report(report.survey, report.id, Object.fromEntries(values)), tries);
};

/** @type {Maker} */
const firstItemBeside = (survey) => (answers, tries) => {
  const report = randomize(survey, answers);
  const values = { ...report.values, item: String(answers.mood_1) };
  return sent(new Report(report.survey, report.id, values), tries);
};

/** @type {Maker} */
const blanksForItems = (survey) => (answers, tries) => {
  const blanks = new TextEncoder().encode(" ".repeat(Object.keys(answers).length));
  const bytes = Uint8Array.from([...randomize(survey, answers).toBytes(), ...blanks]);
  return Array.from({ length: tries }, () => bytes);
};

/** @type {Maker} */
const drawnAnew = (survey) => (answers, tries) =>
  Array.from({ length: tries }, () => randomize(survey, answers).toBytes());

/** @type {Maker} */
const secondChance = (survey) => (answers, tries) => {
  const report = randomize(survey, answers);
  const given = new Map(Object.entries(answers));
  const isTrue = Object.entries(report.values).every(
    ([id, value]) => survey.block(id).encode(given) === value,
  );
  return sent(isTrue ? report : randomize(survey, answers), tries);
};

/** @type {Maker} */
const lastOptionNeverDrawn = (survey) => (answers, tries) => {
  const block = survey.block("region");
  const truth = block.encode(new Map(Object.entries(answers)));
  for (;;) {
    const report = randomize(survey, answers);
    const { region } = report.values;
    if (region !== LAST_OF_FOUR || truth === LAST_OF_FOUR) return sent(report, tries);
  }
};

/** @type {Maker} */
const modulo = (survey) => (answers, tries) => {
  const { spends } = survey.block("asthma").mechanism;
  const { high, low } = spends[0] ?? { high: NaN, low: NaN };
  const truth = answers.asthma ? 0 : 1;
  const draw = randomBytes(6).readUIntBE(0, 6) % (high + low);
  const asthma = draw < high ? truth : 1 - truth;
  return sent(new Report(survey.digest, randomize(survey, answers).id, { asthma }), tries);
};

/** @type {Maker} */
const idTells = (survey) => (answers, tries) => {
  const report = randomize(survey, answers);
  const mark = hash(answers).toString("hex").slice(0, 1);
  const id = report.id.slice(0, 20) + mark + report.id.slice(21);
  return sent(new Report(report.survey, id, report.values), tries);
};

/** @type {Maker} */
const noiseFromTheAnswer = (survey) => (answers, tries) => {
  const { values } = randomize(survey, answers, null, seededBytes(hash(answers)[0] ?? 0));
  return sent(new Report(survey.digest, randomize(survey, answers).id, values), tries);
};

/** @type {Maker} */
const sameNoise = (survey) => {
  const noise = seededBytes(1965);
  return (answers, tries) => sent(randomize(survey, answers, null, noise), tries);
};

/** @type {readonly (readonly [string, Maker])[]} */
const TWINS = [
  [
    "the kept value first",
    changed((answer, value) => [
      ...value.filter((/** @type {number} */ member) => member === answer),
      ...value.filter((/** @type {number} */ member) => member !== answer),
    ]),
  ],
  [
    "shorter where the answer is not in it",
    changed((answer, value) => (value.includes(answer) ? value : value.slice(0, -1))),
  ],
  [
    "a size chosen for a person",
    changed((answer, value) =>
      answer === 1 ? [...new Set([...value, answer])].sort((left, right) => left - right) : value,
    ),
  ],
  [
    "never a false yes",
    changed((answer, value) =>
      value.map((/** @type {[number, number]} */ [option, bit]) => [
        option,
        bit && Number(answer.includes(option)),
      ]),
    ),
  ],
  [
    "the last bit never randomized",
    changed((answer, value) => {
      const [option] = value.at(-1);
      return [...value.slice(0, -1), [option, Number(answer.includes(option))]];
    }),
  ],
  [
    "a text where the answer was kept",
    changed((answer, value) => (value === answer ? String(value) : value)),
  ],
  [
    "nothing drawn where nothing was chosen",
    changed((answer, value) => (answer.length > 0 ? value : [[0, 0]])),
  ],
  ["a space after no", spaceAfterNo],
  ["an unchecked domain", anyNumber],
  ["an error that tells", errorTells],
  [
    "other weights than published",
    edited(({ privacy }) => {
      privacy.epsilon = "3";
      privacy.blocks[0].mechanism.weights = WEIGHTS_AT_THREE;
    }),
  ],
  [
    "more blocks than asked",
    edited(({ privacy }) => {
      privacy.epsilon = "10";
      privacy.asked = privacy.blocks.length;
    }),
  ],
  ["blocks drawn by what was answered", answeredBlocksFirst],
  ["an unequal draw by what was answered", answeredBlocksFirst],
  ["what was not reached left out", notReachedLeftOut],
  ["an item beside the score", firstItemBeside],
  ["a length that says how many items were answered", blanksForItems],
  ["a length that says how far a path went", blanksForItems],
  ["drawn anew on every try", drawnAnew],
  ["a second chance to be true", secondChance],
  ["the last option never drawn", lastOptionNeverDrawn],
  ["draws taken modulo", modulo],
  ["an id that tells", idTells],
  ["noise made from the answer", noiseFromTheAnswer],
  ["the same noise in two processes", sameNoise],
];

/** @type {ReadonlyMap<string, Maker>} */
export const DEVICES = new Map([["shipped", shipped], ...TWINS]);
