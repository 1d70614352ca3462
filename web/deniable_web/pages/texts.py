"""The interface's own texts; a survey's texts come from its definition."""

from typing import TypedDict


class Texts(TypedDict):
    """Everything the pages say by themselves."""

    options: dict[str, str]
    no_answer: str
    page: dict[str, str]


TEXTS: Texts = {
    "options": {"yes": "Yes", "no": "No"},
    "no_answer": "Prefer not to say",
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
        "loading": "Preparing the questions on your device…",
        "protect": "Protect my answers",
        "protect_hint": "Nothing is sent yet. You will see first what would be sent.",
        "missing": "Please choose one of the answers.",
        "missing_count": "Some questions still need an answer.",
        "review_title": "This is what will be sent, and nothing else",
        "review_text": (
            "Your device has rolled its dice. What stands here may be what you answered or "
            "something else: nobody can tell, and that is what protects you. Please send it as "
            "it is, even if it is not what you said. The group's result stays right only if it "
            "is sent unchanged."
        ),
        "review_single": "The report says:",
        "review_several": "The report names this group of answers:",
        "review_bytes": "Show the exact bytes",
        "review_bytes_text": (
            "These bytes are the whole message. The long random number makes sure that it is "
            "counted once; it is drawn afresh for this report and says nothing about you."
        ),
        "wiped": "Your real answers have been wiped from this page.",
        "send": "Send this report",
        "discard": "Do not send anything",
        "sending": "Sending…",
        "discarded_title": "Nothing was sent",
        "discarded_text": "Your answers are gone from this page. You can close it now.",
        "unreachable": (
            "The report could not be sent: the survey's server does not answer. Nothing is "
            "lost: try again, and the very same report is sent."
        ),
        "refused": "The survey's server did not take the report. It says: ",
        "broken": (
            "This survey cannot be answered safely in this browser, so nothing can be filled "
            "in and nothing is sent. The reason: "
        ),
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
}
