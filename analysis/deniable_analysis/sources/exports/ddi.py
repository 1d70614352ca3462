"""DDI-Codebook 2.5: an XML file that archives and survey programs read, without reports.

Elements and their order are those of the schema of the DDI Alliance, 2.5.1.
"""

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

from deniable_analysis.codebook.records import Codebook, CodebookBlock, CodebookVariable, Layout
from deniable_analysis.codebook.texts import one_line
from deniable_analysis.sources.exports import words
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_sdk.weights import format_epsilon
from deniable_storage.chunks import Cells

_NAMESPACE = "ddi:codebook:2_5"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_COLLECTION = (
    "A questionnaire that respondents fill in themselves. Their own devices randomize the answers "
    "before anything is sent (local differential privacy)."
)
_GROUP_TYPES = {Layout.SET: "multipleResp", Layout.BITS: "multipleResp"}


def write_codebook(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:  # noqa: ARG001 - it has none
    """Make the codebook of the files that have a column for each variable."""
    codebook = heading.codebook()
    root = ET.Element("codeBook", {"xmlns": _NAMESPACE, "version": "2.5"})
    if codebook.language:
        root.set(_LANGUAGE, codebook.language)
    _add_document(root, heading, codebook)
    _add_study(root, heading, codebook)
    _add_files(root, heading, codebook)
    _add_data(root, codebook)
    ET.indent(root)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


def _add_document(root: ET.Element, heading: Heading, codebook: Codebook) -> None:
    citation = _add(_add(root, "docDscr"), "citation")
    titles = _add(citation, "titlStmt")
    _add(titles, "titl", f"Codebook: {codebook.title}")
    _add(titles, "IDNo", heading.edition)
    _add(_add(citation, "prodStmt"), "software", "deniable")


def _add_study(root: ET.Element, heading: Heading, codebook: Codebook) -> None:
    study = _add(root, "stdyDscr")
    citation = _add(study, "citation")
    titles = _add(citation, "titlStmt")
    _add(titles, "titl", codebook.title)
    _add(titles, "IDNo", codebook.survey.digest, agency="SHA-256 of the published survey")
    if operator := heading.exported.survey.operator:
        _add(_add(citation, "rspStmt"), "AuthEnty", one_line(operator.name))
    about = _add(study, "stdyInfo")
    if codebook.introduction:
        _add(about, "abstract", codebook.introduction)
    summary = _add(about, "sumDscr")
    _add(summary, "anlyUnit", "Individual")
    _add(summary, "dataKind", "Survey data; every value is randomized")
    _add_method(study, heading, codebook)


def _add_method(study: ET.Element, heading: Heading, codebook: Codebook) -> None:
    method = _add(study, "method")
    collection = _add(method, "dataColl")
    survey, blocks = codebook.survey, len(codebook.blocks)
    _add(
        collection,
        "sampProc",
        f"Each respondent was asked {survey.asked} of {blocks} blocks of questions"
        + (", drawn at random by their device." if survey.asked < blocks else "."),
    )
    _add(collection, "collMode", _COLLECTION)
    _add(
        method,
        "notes",
        f"One respondent's report has the privacy loss epsilon "
        f"{format_epsilon(survey.epsilon)} at most. {words.NO_ANSWER}",
        type="randomization",
    )
    if heading.closed_file:
        _add(method, "notes", heading.closed_file.in_words, type="randomization")
    analysis = _add(method, "anlyInfo")
    _add(analysis, "EstSmpErr", words.SHARE)
    _add(analysis, "dataAppr", words.NOT_SHARES)


def _add_files(root: ET.Element, heading: Heading, codebook: Codebook) -> None:
    text = _add(_add(root, "fileDscr", ID="F1"), "fileTxt")
    names = " or ".join(f"{heading.stem}.{suffix}" for suffix in ("sav", "dta", "xlsx"))
    _add(text, "fileName", names)
    _add(text, "fileCont", words.ROW)
    dimensions = _add(text, "dimensns")
    if heading.exported.report_count is not None:
        _add(dimensions, "caseQnty", str(heading.exported.report_count))
    _add(dimensions, "varQnty", str(len(codebook.variables)))
    _add(text, "fileType", "SPSS, Stata or spreadsheet")
    _add(text, "dataMsng", words.MISSING)


def _add_data(root: ET.Element, codebook: Codebook) -> None:
    data = _add(root, "dataDscr")
    ids = {variable.name: f"V{number}" for number, variable in enumerate(codebook.variables, 1)}
    for number, block in enumerate(codebook.blocks, 1):
        members = " ".join(ids[variable.name] for variable in block.variables)
        kind = _GROUP_TYPES.get(block.layout, "randomized")
        group = _add(
            data, "varGrp", ID=f"G{number}", type=kind, var=members, name=block.published.id
        )
        _add(group, "labl", block.text)
        _add(group, "notes", words.design_of(block), type="randomization")
    for block in codebook.blocks:
        for variable in block.variables:
            _add_variable(data, ids[variable.name], block, variable)


def _add_variable(
    data: ET.Element, number: str, block: CodebookBlock, variable: CodebookVariable
) -> None:
    nature = words.measure_of(block, variable)
    element = _add(data, "var", ID=number, name=variable.name, files="F1", nature=nature)
    _add(element, "labl", variable.label)
    question = _add(element, "qstn")
    _add(question, "qstnLit", block.text)
    if variable.option is not None:
        is_named = variable.option_text != variable.option
        text = f": {variable.option_text}" if is_named else ""
        _add(element, "txt", f"Option {variable.option}{text}")
    for value in variable.values:
        category = _add(element, "catgry")
        _add(category, "catValu", str(value.code))
        _add(category, "labl", value.text)
        if value.option:
            _add(category, "txt", value.option)
    _add(element, "varFormat", type="numeric")
    _add(element, "notes", _channel(block), type="randomization")


def _channel(block: CodebookBlock) -> str:
    """The numbers that correct a variable, which must not be read without them."""
    published = block.published
    text = f"Randomized by {published.mechanism.name}, epsilon {published.epsilon:.6g}."
    if block.keep is None or block.flip is None:
        return text
    return f"{text} p = {float(block.keep)!r}, q = {float(block.flip)!r}."
