// What SurveyJS and ODK's evaluator of XPath say: make.py runs this in a browser.

import XPath from "openrosa-xpath-evaluator";
import * as survey from "survey-core";

/** Which of these numbers each question of SurveyJS accepts. */
export function acceptedNumbers(questions, numbers) {
  return questions.map((question) => {
    const model = new survey.Model({ elements: [{ ...question, name: "own" }] });
    const own = model.getQuestionByName("own");
    return bits(numbers, (number) => {
      own.value = number;
      return own.validate(false);
    });
  });
}

/** Which of these numbers each constraint accepts. */
export function metConstraints(constraints, numbers) {
  const { own, evaluate } = xpath(["own"]);
  return constraints.map((constraint) =>
    bits(numbers, (number) => {
      own.textContent = String(number);
      return evaluate(constraint, own);
    }),
  );
}

/** After which answers each survey of SurveyJS shows its last question. */
export function shownBySurveys(cases) {
  return cases.map(({ survey: document, answers }) => {
    const model = new survey.Model(document);
    const questions = Object.keys(answers).map((name) => model.getQuestionByName(name));
    const last = model.getAllQuestions().at(-1);
    return bits(combinations(Object.values(answers)), (given) => {
      model.data = {};
      questions.forEach((question, index) => {
        if (question.isVisibleInSurvey && given[index] !== null) question.value = given[index];
      });
      return last.isVisibleInSurvey;
    });
  });
}

/** The questions that respondents with these answers see before each survey ends. */
export function seenBeforeEnd(cases) {
  return cases.map(([document, answers]) => answers.map((given) => seen(document, given)));
}

function seen(document, given) {
  const model = new survey.Model(document);
  if (model.state === "starting") model.start();
  const names = new Set();
  while (model.state === "running") {
    for (const question of model.currentPage.questions) {
      if (question.isVisibleInSurvey && given[question.name] !== null) question.value = given[question.name];
    }
    for (const question of model.currentPage.questions) {
      if (question.isVisibleInSurvey) names.add(question.name);
    }
    if (!(model.isLastPage ? model.completeLastPage() : model.nextPage())) break;
  }
  return [...names].sort().join("");
}

/** After which answers each XLSForm shows its last question. */
export function shownByForms(cases) {
  return cases.map(({ relevants, last, answers }) => {
    const names = Object.keys(answers);
    const { nodes, evaluate } = xpath(names);
    const isShown = (conditions) => conditions.every((condition) => evaluate(condition, nodes[0]));
    return bits(combinations(Object.values(answers)), (given) => {
      for (const node of nodes) node.textContent = "";
      names.forEach((name, index) => {
        if (isShown(relevants[name])) nodes[index].textContent = given[index] ?? "";
      });
      return isShown(last);
    });
  });
}

function xpath(names) {
  const tags = names.map((name) => `<${name}/>`).join("");
  const form = new DOMParser().parseFromString(`<data>${tags}</data>`, "text/xml");
  const evaluator = new XPath();
  const evaluate = (condition, node) => {
    const expression = condition.replace(/\$\{(\w+)\}/g, " /data/$1 ");
    const boolean = XPathResult.BOOLEAN_TYPE;
    return evaluator.evaluate(expression, node, null, boolean).booleanValue;
  };
  const nodes = names.map((name) => form.getElementsByTagName(name)[0]);
  return { own: nodes[0], nodes, evaluate };
}

/** All combinations of one value of each list; the last list changes first. */
function combinations(lists) {
  return lists.reduce((found, list) => found.flatMap((one) => list.map((value) => [...one, value])), [[]]);
}

function bits(cases, isTrue) {
  return cases.map((each) => (isTrue(each) ? "1" : "0")).join("");
}
