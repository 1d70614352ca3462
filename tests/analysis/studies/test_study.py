"""From a store to estimates."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from analysis.study_files import add_reports, counted, reports_table, write_store
from deniable_analysis import Interval, open_study
from deniable_analysis.errors import InvalidArgument, QuestionNotFound, SurveyNotFound
from deniable_analysis.results import OptionEstimate
from deniable_sdk import DigestMismatch, PublishedSurvey, randomize
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import choice, scale, survey, yes_no
from sampling_checks import SampleRejected, check_binomial

LN_3 = 1.0986122886681098
FOUR = survey(choice("region", 4, required=True), epsilon=LN_3, at_most_reports=1000)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of the worked example: four options at epsilon ln 3, 1,000 reports."""
    path = tmp_path / "store.sqlite"
    write_store(path, FOUR)
    add_reports(path, FOUR, counted("region", [350, 270, 210, 170]))
    return path


def test_estimates_are_the_worked_example(store: Path) -> None:
    """From a file to shares, intervals, valid shares and both variances."""
    study = open_study(store)
    estimates = study.estimate()
    (question,) = estimates.questions
    first = question.options[0]
    assert study.survey == FOUR
    assert study.report_count == estimates.reports == question.reports == 1000
    assert [option.option for option in question.options] == ["o0", "o1", "o2", "o3"]
    shares = [option.share for option in question.options]
    assert shares == pytest.approx([0.55, 0.31, 0.13, 0.01])
    assert [option.valid_share for option in question.options] == pytest.approx(shares)
    assert (first.low, first.high) == pytest.approx((0.46318813, 0.64025595))
    assert first.standard_error == pytest.approx(0.0452493094)
    assert first.sampling_variance == pytest.approx(0.55 * 0.45 / 1000)
    assert first.mechanism_variance == pytest.approx(0.0452493094**2 - 0.55 * 0.45 / 1000)
    assert question.epsilon == pytest.approx(LN_3)
    assert estimates.warnings == ()


def test_the_interval_and_its_confidence_can_be_chosen(store: Path) -> None:
    """Clopper-Pearson, by its name too, another confidence and all options at once."""
    study = open_study(store)
    (sure,) = study.estimate(interval="clopper-pearson").questions
    assert (sure.options[0].low, sure.options[0].high) == pytest.approx((0.46124837, 0.64141067))
    (at_once,) = study.estimate(simultaneous=True).questions
    (alone,) = study.estimate(confidence=1 - 0.05 / 4).questions
    assert at_once.options[0].low == pytest.approx(alone.options[0].low)
    assert study.estimate(interval=Interval.CLOPPER_PEARSON).interval == "clopper-pearson"


def test_an_answer_that_nobody_gave_is_still_an_option(tmp_path: Path) -> None:
    """Where a question need not be answered, "no answer" is estimated like an option."""
    path, published = tmp_path / "store.sqlite", survey(yes_no())
    write_store(path, published)
    (question,) = open_study(path).estimate().questions
    assert [option.option for option in question.options] == ["yes", "no", "no_answer"]


def test_a_question_without_reports_has_no_numbers(tmp_path: Path) -> None:
    """Without reports every number is None, JSON has null, and the text says why."""
    path, published = tmp_path / "store.sqlite", survey(yes_no(), scale(), ask=1)
    write_store(path, published)
    add_reports(path, published, counted("asthma", [3, 1, 1]))
    estimates = open_study(path).estimate()
    empty = estimates.questions[1]
    assert (estimates.reports, empty.reports, empty.warnings) == (5, 0, ())
    assert set(empty.options) == {OptionEstimate(option=option.option) for option in empty.options}
    assert empty.options[0].standard_error is None
    assert "no report carries this question yet" in str(estimates)
    assert '"share": null' in json.dumps(estimates.to_document(), allow_nan=False)
    assert estimates.to_frame()["share"].isna().sum() == 6


def test_shares_outside_the_range_are_kept_and_warned_of(store: Path) -> None:
    """A share far below 0 stays raw, its valid share is 0, and a warning says so."""
    add_reports(store, FOUR, counted("region", [500, 0, 0, 0]))
    estimates = open_study(store).estimate("region")
    last = estimates.questions[0].options[3]
    assert last.share == pytest.approx(-0.16)
    assert last.valid_share == 0
    assert last.sampling_variance == pytest.approx(-0.16 * 1.16 / 1500)
    assert [warning.partition(", which")[0] for warning in estimates.warnings] == [
        "region: the raw share of 'o0' lies 5.2 standard errors above 1",
        "region: the raw share of 'o3' lies 5.5 standard errors below 0",
    ]
    assert "warning: the raw share of 'o3'" in str(estimates.questions[0])
    assert "o3      -0.1600  -0.2052  -0.1089  0.0000        0.0270           <0" in str(estimates)


def test_the_document_has_stable_keys(store: Path) -> None:
    """The JSON of the results is plain and its keys are the ones we promise."""
    document = open_study(store).estimate().to_document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert list(document) == [
        "survey", "digest", "edition", "reports", "confidence", "interval", "simultaneous",
        "questions", "crosstabs", "fieldwork", "response", "by_group", "by_site", "about_sites",
        "warnings",
    ]  # fmt: skip
    (question,) = document["questions"]
    assert list(question) == [
        "question", "type", "blocks", "reports", "epsilon", "interval", "options", "mean",
        "distribution", "among_asked",
    ]  # fmt: skip
    assert list(question["options"][0]) == [
        "option", "share", "low", "high", "valid_share", "mechanism_variance",
        "sampling_variance", "release_variance", "manipulation_margin", "reports",
    ]  # fmt: skip
    assert (document["survey"], document["edition"]) == ("health", 1)
    assert document["digest"] == FOUR.digest


def test_the_frame_has_a_row_for_each_option(store: Path) -> None:
    """The data frame has one row for each option, and numbers as floats."""
    frame = open_study(store).estimate().to_frame()
    assert frame["option"].tolist() == ["o0", "o1", "o2", "o3"]
    assert frame["share"].tolist() == pytest.approx([0.55, 0.31, 0.13, 0.01])
    assert set(frame["question"]) == {"region"}
    assert frame.dtypes["standard_error"] == "float64"


def test_the_text_is_an_aligned_table(store: Path) -> None:
    """The text names the survey, the interval and the question, then aligns its columns."""
    assert str(open_study(store).estimate(simultaneous=True)) == (
        "survey health, edition 1: 1000 reports; 0.95 wilson intervals, "
        "all options of a question at once\n"
        "\n"
        "region (choice): 1000 reports, epsilon 1.099\n"
        "option   share      low    high   valid  sd mechanism  sd sampling\n"
        "o0      0.5500   0.4401  0.6655  0.5500        0.0424       0.0157\n"
        "o1      0.3100   0.2093  0.4192  0.3100        0.0395       0.0146\n"
        "o2      0.1300   0.0390  0.2318  0.1300        0.0371       0.0106\n"
        "o3      0.0100  -0.0728  0.1051  0.0100        0.0355       0.0031\n"
        "if 1% of the reports were forged, a share may be off by 0.0250"
    )


def test_a_survey_is_named_by_slug_edition_or_digest(tmp_path: Path) -> None:
    """A slug means its newest edition; an edition and a digest mean that one."""
    path = tmp_path / "store.sqlite"
    old, new = survey(title="Old"), survey(title="New")
    write_store(path, old, new)
    for wanted, expected in (
        (None, new),
        ("health", new),
        ("health@2", new),
        ("health@1", old),
        (old.digest, old),
    ):
        study = open_study(path, wanted)
        assert study.survey == expected
        assert study.edition == (1 if expected == old else 2)


def test_a_survey_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    """A wrong name, or none where there are several, lists what the store holds."""
    path = tmp_path / "store.sqlite"
    write_store(path, survey(slug="one"), survey(slug="two"), survey(slug="two", title="Again"))
    listed = r"the store contains: one@1, two@1, two@2; name one of them"
    with pytest.raises(SurveyNotFound, match=rf"no survey was named; {listed}"):
        open_study(path)
    with pytest.raises(SurveyNotFound, match=rf"got the survey 'three'; {listed}"):
        open_study(path, "three")


def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    """A store without surveys says to publish one."""
    path = tmp_path / "store.sqlite"
    write_store(path)
    with pytest.raises(SurveyNotFound, match=r"contains none yet; publish one first"):
        open_study(path)


def test_a_document_that_was_changed_is_refused(store: Path) -> None:
    """A stored document that is not the one its digest names is refused."""
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE surveys SET document = replace(document, 'Where', 'Who')")
    with pytest.raises(DigestMismatch):
        open_study(store)


def test_wrong_arguments_are_refused_before_anything_is_counted(store: Path) -> None:
    """An unknown question, a confidence of 95 and an unknown interval say what is allowed."""
    study = open_study(store)
    store.unlink()
    with pytest.raises(QuestionNotFound, match=r"'income'; survey 'health' has: region"):
        study.estimate("income")
    with pytest.raises(InvalidArgument, match=r"confidence: got 95"):
        study.estimate(confidence=95)
    with pytest.raises(InvalidArgument, match=r"interval: got 'wald'"):
        study.estimate(interval="wald")


def devices(
    path: Path, published: PublishedSurvey, read_bytes: Callable[[int], bytes], people: int
) -> None:
    """Let devices report for people who all answer the first option of every question."""
    answers = {question.id: question.names[0] for question in published.questions}
    reports = (randomize(published, answers, read_bytes=read_bytes) for _ in range(people))
    add_reports(path, published, [report.values for report in reports])


def check_everybody_says_the_first(path: Path) -> None:
    """Accept the estimates only if they can be those of such people."""
    study = open_study(path)
    for question, block in zip(study.estimate().questions, study.survey.blocks, strict=True):
        mechanism = block.mechanism
        assert isinstance(mechanism, Subset)
        for truth, option in zip((1, 0), question.options, strict=False):
            assert option.share is not None
            spread = mechanism.keep - mechanism.flip
            rate = float(mechanism.flip + spread * truth)
            hits = round((option.share * float(spread) + float(mechanism.flip)) * question.reports)
            check_binomial(hits, question.reports, rate)


def test_what_devices_report_is_estimated_back(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Reports the SDK makes of known answers are estimated as those answers."""
    path = tmp_path / "store.sqlite"
    published = survey(choice(options=12), yes_no(), epsilon=1, ask=1)
    write_store(path, published)
    devices(path, published, read_bytes, 4000)
    check_everybody_says_the_first(path)


def test_reports_of_another_mechanism_are_not_estimated_back(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """The same check rejects estimates of reports that were randomized by other weights."""
    path = tmp_path / "store.sqlite"
    published = survey(yes_no(), epsilon=1)
    write_store(path, published)
    (block,) = published.blocks
    weaker = block.replace(mechanism=Subset(3, 1, Weights(2, 1)))
    devices(path, published.replace(blocks=(weaker,)), read_bytes, 4000)
    with pytest.raises(SampleRejected):
        check_everybody_says_the_first(path)


def test_a_study_follows_its_survey(store: Path) -> None:
    """Reports that come in after a study was opened are in its next estimate."""
    study = open_study(store)
    add_reports(store, FOUR, counted("region", [1]))
    assert study.report_count == 1001
    assert reports_table(FOUR).startswith("reports_health_")
