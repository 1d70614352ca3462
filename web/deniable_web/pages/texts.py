"""The interface's own texts; a survey's texts come from its definition."""

from typing import TypedDict


class Texts(TypedDict):
    """Everything the pages say by themselves.

    `question` stands beside the questions, `page` around them; `script` is
    what the page's script says, which finds it in the page.
    """

    options: dict[str, str]
    question: dict[str, str]
    page: dict[str, str]
    script: dict[str, str]


TEXTS: Texts = {
    "options": {"yes": "Yes", "no": "No"},
    "question": {
        "no_answer": "Prefer not to say",
        "none_of_these": "None of these",
        "any_of_these": "Choose all that apply.",
        "at_most": "Choose at most {most}.",
        "number": "Your answer",
        "whole": "A whole number from {low} to {high}.",
        "stepped": "A number from {low} to {high}, in steps of {step}.",
        "missing_choice": "Please choose one of the answers.",
        "missing_multiple": "Please choose what applies, or “None of these”.",
        "missing_number": "Please give a number.",
        "too_many": "You have chosen more than {most}. Please choose at most {most}.",
        "unfit_whole": "Please write a whole number from {low} to {high}, in digits.",
        "unfit_stepped": (
            "Please write a number from {low} to {high} in steps of {step}, in digits."
        ),
        "kept": "This answer only decides which questions you see; it is not sent.",
    },
    "page": {
        "privacy_title": "How your answers stay yours",
        "privacy_text": (
            "Your own device changes your answers at random, like rolling dice, before anything "
            "is sent. What you really answered never leaves it. Only the changed answers arrive, "
            "so whatever they say, they could have come from anyone. The people who run this "
            "survey learn what a large group answered. What you yourself answered they can "
            "never be sure of, and neither can anyone who breaks in."
        ),
        "privacy_draw": (
            "Your device has picked {asked} of {all} questions for you, by chance alone."
        ),
        "privacy_draw_parts": (
            "Your device has picked {asked} of the {all} parts of this survey for you, by chance "
            "alone."
        ),
        "privacy_exact": "How strong is this, exactly?",
        "privacy_odds": (
            "Whatever you answer, any report your device may send is at most {times} times as "
            "likely as it would be with any other answers of yours. This holds for this whole "
            "survey, against everyone, whatever else they know about you. (Epsilon {epsilon}.)"
        ),
        "no_script": (
            "This survey needs JavaScript, because your own device must protect your answers "
            "before anything is sent. Without it, nothing can be filled in and nothing is sent."
        ),
        "protect": "Protect my answers",
        "protect_hint": "Nothing is sent yet. You will see first what would be sent.",
        "review_title": "This is what will be sent, and nothing else",
        "review_text": (
            "Your device has rolled its dice. What stands here may be what you answered or "
            "something else: nobody can tell, and that is what protects you. Please send it as "
            "it is, even if it is not what you said. The group's result stays right only if it "
            "is sent unchanged."
        ),
        "review_path": (
            "Questions that you were not shown stand in it too, so that nobody can tell which "
            "ones you saw."
        ),
        "review_bytes": "Show the exact bytes",
        "review_bytes_text": (
            "These bytes are the whole message. The long random number makes sure that it is "
            "counted once; it is drawn afresh for this report and says nothing about you."
        ),
        "wiped": "Your real answers have been wiped from this page.",
        "send": "Send this report",
        "discard": "Do not send anything",
        "discarded_title": "Nothing was sent",
        "discarded_text": "Your answers are gone from this page. You can close it now.",
        "thanks_title": "Thank you",
        "thanks_text": (
            "Your randomized report has arrived. Your real answers never left your device, and "
            "nothing about you was kept."
        ),
        "closed_title": "This survey is closed",
        "closed_text": "It takes no more answers. Nothing was stored.",
        "not_found_title": "There is no such survey",
        "not_found_text": "Please check the link you were given. Nothing was sent.",
    },
    "script": {
        "loading": "Preparing the questions on your device…",
        "missing_count": "Some questions still need an answer.",
        "review_single": "The report says:",
        "review_several": "The report names this group of answers:",
        "appeared": "More is asked below now.",
        "gone": "Less is asked below now.",
        "changed": "What is asked below has changed.",
        "no_answer": "No answer",
        "review_joint_single": "These questions are answered together, as one. The report says:",
        "review_joint_several": (
            "These questions are answered together, as one. The report names this group of "
            "combinations:"
        ),
        "review_bits": "Your device drew options by chance. The report says of each:",
        "review_set": (
            "The report names this group. Blanks hide how many answers were chosen, and stand "
            "for none:"
        ),
        "review_near": "The report points to these numbers:",
        "review_end": "The report names one end of the scale, drawn by chance:",
        "applies": "{answer}: applies",
        "does_not_apply": "{answer}: does not apply",
        "blank": "blank",
        "range": "{low} to {high}",
        "low_end": "the low end, {answer}",
        "high_end": "the high end, {answer}",
        "more": "and {count} more",
        "sending": "Sending…",
        "unreachable": (
            "The report could not be sent: the survey's server does not answer. Nothing is "
            "lost: try again, and the very same report is sent."
        ),
        "refused": "The survey's server did not take the report. It says: ",
        "closed": "It takes no more answers. Nothing was stored.",
        "broken": (
            "This survey cannot be answered safely in this browser, so nothing can be filled "
            "in and nothing is sent. The reason: "
        ),
    },
}
