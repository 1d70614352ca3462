"""Codebooks as DDI-Codebook 2.5."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pandas as pd
import pyreadstat
import pytest

from analysis.study_files import write_store
from analysis.work_survey import COLLEAGUE, HARASSED, REPORTS, write_work
from ddi_checks import NAMESPACE, problems_of, root_of
from deniable_analysis import export_study, open_study
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.errors import ExportExists, UnreadableStudy
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, survey, yes_no
from sampled_params import sampled_params

IN = {"ddi": NAMESPACE}
_VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "surveys.json").read_bytes())
LEGAL = {case["name"]: case["text"] for case in _VECTORS if "error" not in case}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 reports of every kind of block."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    write_work(path)
    return path


@pytest.fixture(scope="module")
def document(store: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Its codebook in English."""
    path = tmp_path_factory.mktemp("codebook") / "work.ddi.xml"
    exported = export_study(store, path, language="en")
    assert (exported.report_count, exported.survey_path) == (None, None)
    return path.read_bytes()


def texts(root: ET.Element, path: str) -> list[str]:
    """The texts of the elements at a path, whose names are those of DDI."""
    steps = "/".join(f"ddi:{step}" if step.isalpha() else step for step in path.split("/"))
    return [str(element.text) for element in root.findall(steps, IN)]


def test_the_document_is_one_that_the_schema_allows(document: bytes) -> None:
    """Every element, its order, its attributes and its references are legal."""
    assert problems_of(document) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: text.replace("2_5", "2_6"), "the root is"),
        (lambda text: text.replace("sampProc", "sampling"), "sampling: not an element"),
        (lambda text: text.replace("titl>", "titles>"), "titles: not an element"),
        (lambda text: text.replace('files="F1"', 'files="F2"'), "no element has the ID F2"),
        (lambda text: text.replace('ID="V2"', 'ID="V1"'), "an ID is repeated"),
        (lambda text: text.replace(' name="stress"', ""), "var: misses the attribute name"),
        (lambda text: text.replace('nature="ordinal"', 'nature="big"'), "var: got nature='big'"),
        (lambda text: text.replace("<catgry>", '<catgry code="1">'), "catgry: got the attribute"),
        (lambda text: text.replace("<qstn>", "<qstn>What?"), "qstn: got text"),
        (lambda text: text.replace("<catValu>1</catValu>", ""), ""),
        (
            lambda text: text.replace("<dataKind>", "<anlyUnit>A</anlyUnit><dataKind>"),
            "",
        ),
        (
            lambda text: text.replace("<anlyUnit>", "<dataKind>A</dataKind><anlyUnit>"),
            "sumDscr: got the children dataKind anlyUnit dataKind",
        ),
        (
            lambda text: text.replace("</dataDscr>", "<varGrp/></dataDscr>"),
            "dataDscr: got the children",
        ),
    ],
)
def test_the_check_finds_what_the_schema_forbids(
    change: Callable[[str], str], problem: str, document: bytes
) -> None:
    """A planted fault is named; a change that the schema allows is not."""
    changed = change(document.decode()).encode()
    assert changed != document
    found = problems_of(changed)
    assert bool(found) == bool(problem)
    assert not problem or any(each.startswith(problem) for each in found)


def test_every_variable_is_there_with_its_categories(document: bytes, store: Path) -> None:
    """Names, labels, questions, codes, ids and the design are those of the codebook."""
    root = root_of(document)
    codebook = codebook_of(open_study(store).survey, "en")
    found = {str(each.get("name")): each for each in root.iterfind(".//ddi:var", IN)}
    assert list(found) == [variable.name for variable in codebook.variables]
    for block in codebook.blocks:
        for variable in block.variables:
            element = found[variable.name]
            assert texts(element, "labl") == [variable.label]
            assert texts(element, "qstn/qstnLit") == [block.text]
            codes = [str(value.code) for value in variable.values]
            assert texts(element, "catgry/catValu") == codes
            assert texts(element, "catgry/labl") == [value.text for value in variable.values]
            (note,) = texts(element, "notes")
            assert block.published.mechanism.name in note
            if block.keep is not None and block.flip is not None:
                assert f"p = {float(block.keep)!r}, q = {float(block.flip)!r}." in note
    assert texts(found["harassed"], "catgry/txt") == ["yes", "no"]
    assert texts(found["harassed"], "qstn/qstnLit") == [HARASSED["en"]]
    assert texts(found["told_1"], "txt") == [f"Option {COLLEAGUE['id']}: A colleague"]
    assert texts(found["told_2"], "txt") == ["Option o1"]


def test_the_study_says_that_its_values_are_randomized(document: bytes, store: Path) -> None:
    """The method part has what nobody may overlook, and the blocks their design."""
    root = root_of(document)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    assert texts(root, "stdyDscr/citation/titlStmt/titl") == ["Work"]
    digest = open_study(store).survey.digest
    assert texts(root, "stdyDscr/citation/titlStmt/IDNo") == [digest]
    (appraisal,) = texts(root, ".//anlyInfo/dataAppr")
    assert "a share of these values is not a share of answers" in appraisal
    assert "(s - q) / (p - q)" in texts(root, ".//anlyInfo/EstSmpErr")[0]
    assert "6 of 8 blocks" in texts(root, ".//sampProc")[0]
    assert "epsilon 9 at most" in texts(root, ".//method/notes")[0]
    groups = {each.get("name"): each for each in root.iterfind(".//ddi:varGrp", IN)}
    assert groups["told"].get("type") == "multipleResp"
    assert groups["harassed"].get("type") == "randomized"
    assert len(str(groups["told"].get("var")).split()) == 4


def test_the_number_of_reports_is_that_of_the_files_beside(store: Path, tmp_path: Path) -> None:
    """Without a data file of this name it is left out."""
    path = tmp_path / "work.ddi.xml"
    export_study(store, path)
    assert texts(root_of(path.read_bytes()), ".//caseQnty") == []
    path.unlink()
    export_study(store, tmp_path / "work.sav")
    export_study(store, path)
    root = root_of(path.read_bytes())
    assert texts(root, ".//caseQnty") == [str(REPORTS)]
    assert texts(root, ".//varQnty") == ["29"]
    assert texts(root, ".//fileName") == ["work.sav or work.dta or work.xlsx"]


def test_another_survey_of_the_same_name_is_noticed(store: Path, tmp_path: Path) -> None:
    """A codebook is not written beside the reports of another survey, nor beside a broken file."""
    other = survey(yes_no())
    write_store(tmp_path / "other.sqlite", other)
    export_study(tmp_path / "other.sqlite", tmp_path / "work.csv")
    with pytest.raises(
        ExportExists, match=r"work\.survey\.json already exists, and is of another"
    ):
        export_study(store, tmp_path / "work.ddi.xml")
    (tmp_path / "work.survey.json").write_text("{")
    with pytest.raises(UnreadableStudy, match=r"work\.survey\.json is not readable"):
        export_study(store, tmp_path / "work.ddi.xml")
    assert not (tmp_path / "work.ddi.xml").exists()


def test_any_text_becomes_legal_xml(tmp_path: Path) -> None:
    """What a published survey may contain, and XML may not, is left out; the rest is escaped."""
    asked = {**choice(required=True), "text": "T", "options": [{"id": "a", "text": "T"}, "<b>"]}
    operator = {"name": "A & B", "contact": "council@example.org"}
    plain = survey(asked, title="<titl>", introduction="]]>&amp;", operator=operator)
    odd = "</labl><![CDATA[ & \ufffe \U0001f600\n\n two"
    text = plain.document.decode().replace('"T"', json.dumps(odd))
    published = PublishedSurvey.from_document(json.loads(text))
    write_store(tmp_path / "store.sqlite", published)
    export_study(tmp_path / "store.sqlite", tmp_path / "odd.ddi.xml")
    document = (tmp_path / "odd.ddi.xml").read_bytes()
    assert problems_of(document) == []
    root = root_of(document)
    assert texts(root, ".//qstnLit") == ["</labl><![CDATA[ & \U0001f600 two"]
    assert texts(root, ".//abstract") == ["]]>&amp;"]
    assert texts(root, ".//AuthEnty") == ["A & B"]
    assert texts(root, ".//catgry/txt") == ["a", "<b>"]


@pytest.mark.parametrize("name", sampled_params(LEGAL, 4))
def test_every_legal_survey_has_files_for_other_programs(name: str, tmp_path: Path) -> None:
    """Whatever a survey asks and is called, its codebook is valid, and tables and scripts too."""
    published = PublishedSurvey.from_bytes(LEGAL[name].encode())
    write_store(tmp_path / "store.sqlite", published)
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as database, database:
        # Nobody exports a sealed survey before its end.
        database.execute("UPDATE surveys SET is_closed = 1")
    for suffix in ("ddi.xml", "sav", "dta", "xlsx", "R", "do"):
        export_study(tmp_path / "store.sqlite", tmp_path / f"x.{suffix}")
    assert problems_of((tmp_path / "x.ddi.xml").read_bytes()) == []
    names = [variable.name for variable in codebook_of(published).variables]
    assert list(pd.read_stata(tmp_path / "x.dta").columns) == names
    assert list(pyreadstat.read_sav(tmp_path / "x.sav")[0].columns) == names
