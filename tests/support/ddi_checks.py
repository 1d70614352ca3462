"""A strict check of DDI-Codebook 2.5 documents, as far as our files use it.

Written by hand from the XML Schema 2.5.1 of the DDI Alliance (LGPL), which is not copied here.
For each element that we use, the table has all children that the schema allows, in its order.
"""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

NAMESPACE = "ddi:codebook:2_5"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ID, _NAME = r"[A-Za-z_][\w.-]*", r"[\w.-]+"
_KINDS = {
    "string": ".*",
    "ID": _ID,
    "IDREFS": rf"{_ID}( {_ID})*",
    "integer": r"[+-]?[0-9]+",
    "language": r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*",
}
# The attributes of every element.
_GLOBAL = {"ID": "ID", _LANGUAGE: "language"}


@dataclass(frozen=True)
class Model:
    """An element: its children with ?, * or +, whether it has text, and its own attributes.

    The kind of an attribute that must be there begins with "!".
    """

    children: str = ""
    has_text: bool = False
    attributes: tuple[tuple[str, str], ...] = ()


def _text(**attributes: str) -> Model:
    return Model("", has_text=True, attributes=tuple(attributes.items()))


def _inner(children: str, **attributes: str) -> Model:
    return Model(children, attributes=tuple(attributes.items()))


_NOTES = _text(type="string", subject="string", level="string", resp="string")
MODELS = {
    "codeBook": _inner("docDscr* stdyDscr+ fileDscr* dataDscr* otherMat*", version="2\\.5"),
    "docDscr": _inner("citation? guide* docStatus* docSrc* controlledVocabUsed* notes*"),
    "citation": _inner(
        "titlStmt rspStmt? prodStmt? distStmt? serStmt* verStmt* biblCit* holdings* notes*",
        MARCURI="string",
    ),
    "titlStmt": _inner("titl subTitl* altTitl* parTitl* IDNo*"),
    "titl": _text(),
    "IDNo": _text(agency="string", level="string"),
    "rspStmt": _inner("AuthEnty* othId*"),
    "AuthEnty": _text(affiliation="string"),
    "prodStmt": _inner("producer* copyright* prodDate* prodPlac* software* fundAg* grantNo*"),
    "software": _text(date="string", version="string"),
    "stdyDscr": _inner(
        "citation+ studyAuthorization* stdyInfo* studyDevelopment* method* dataAccs* othrStdyMat* "
        "notes*",
        access="IDREFS",
    ),
    "stdyInfo": _inner(
        "studyBudget* subject* abstract* sumDscr* qualityStatement? notes* exPostEvaluation*"
    ),
    "abstract": _text(date="string", contentType="abstract|purpose|mixed"),
    "sumDscr": _inner(
        "timePrd* collDate* nation* geogCover* geogUnit* geoBndBox? boundPoly* anlyUnit* "
        "universe* dataKind*"
    ),
    "anlyUnit": _text(unit="string"),
    "dataKind": _text(type="string"),
    "method": _inner("dataColl* notes* anlyInfo? stdyClas* dataProcessing* codingInstructions*"),
    "dataColl": _inner(
        "timeMeth* dataCollector* collectorTraining* frequenc* sampProc* sampleFrame* "
        "targetSampleSize* deviat* collMode* resInstru* instrumentDevelopment* sources? collSitu* "
        "actMin* ConOps* weight* cleanOps*"
    ),
    "sampProc": _text(),
    "collMode": _text(),
    "anlyInfo": _inner("respRate* EstSmpErr* dataAppr*"),
    "EstSmpErr": _text(),
    "dataAppr": _text(type="string"),
    "fileDscr": _inner(
        "fileTxt* locMap? notes*",
        **dict.fromkeys(("sdatrefs", "methrefs", "pubrefs", "access"), "IDREFS"),
        URI="string",
    ),
    "fileTxt": _inner(
        "fileName* fileCitation? dataFingerprint* fileCont? fileStrc? dimensns? fileType* format* "
        "filePlac* dataChck* ProcStat* dataMsng* software* verStmt*"
    ),
    **{name: _text() for name in ("fileName", "fileCont", "dataMsng", "caseQnty", "varQnty")},
    "fileType": _text(charset="string"),
    "dimensns": _inner("caseQnty* varQnty* logRecL* recPrCas* recNumTot*"),
    "dataDscr": _inner("varGrp* nCubeGrp* var* nCube* notes*"),
    "varGrp": _inner(
        "labl* txt* concept* defntn* universe* notes*",
        type="section|multipleResp|grid|display|repetition|subject|version|iteration|analysis|"
        "pragmatic|record|file|randomized|other",
        otherType="string",
        var="IDREFS",
        varGrp="IDREFS",
        name="string",
    ),
    "labl": _text(level="string", vendor="string", country="string", sdatrefs="IDREFS"),
    "txt": _text(level="string", sdatrefs="IDREFS"),
    "notes": _NOTES,
    "var": _inner(
        "location* labl* imputation* security* embargo* respUnit* anlysUnit* qstn* valrng* "
        "invalrng* undocCod* universe* TotlResp* sumStat* txt* stdCatgry* catgryGrp* catgry* "
        "codInstr* verStmt* concept* derivation? varFormat? geoMap* catLevel* notes*",
        name="!string",
        files="IDREFS",
        intrvl="contin|discrete",
        nature="nominal|ordinal|interval|ratio|percent|other",
        measUnit="string",
        representationType="text|numeric|code|datetime|other",
    ),
    "qstn": Model("preQTxt* qstnLit* postQTxt* forward* backward* ivuInstr*"),
    "qstnLit": _text(callno="string", sdatrefs="IDREFS"),
    "catgry": _inner(
        "catValu? labl* txt* catStat* mrow?",
        missing="Y|N",
        missType="string",
        country="string",
        excls="true|false",
    ),
    "catValu": _text(),
    "varFormat": _text(type="character|numeric", formatname="string", category="string"),
}


def root_of(document: bytes) -> ET.Element:
    """The root of a document."""
    return ET.fromstring(document)  # noqa: S314 - our own document


def problems_of(document: bytes) -> list[str]:
    """Everything in a document that the schema does not allow; none if it is valid."""
    root = root_of(document)
    every = list(root.iter())
    found = [] if root.tag == f"{{{NAMESPACE}}}codeBook" else [f"the root is {root.tag}"]
    for element in every:
        found.extend(_problems_of_element(element))
    ids = [each.get("ID") for each in every if each.get("ID") is not None]
    if len(set(ids)) < len(ids):
        found.append("an ID is repeated")
    references = {
        name
        for each in every
        for key in ("var", "files", "sdatrefs")
        for name in (each.get(key) or "").split()
    }
    return [*found, *(f"no element has the ID {name}" for name in references - set(ids))]


def _problems_of_element(element: ET.Element) -> list[str]:
    name = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    model = MODELS.get(name)
    if model is None:
        return [f"{name}: not an element of the table"]
    found = []
    names = "".join(f"{each.tag.removeprefix(f'{{{NAMESPACE}}}')} " for each in element)
    pattern = re.sub(r"(\w+)([?*+]?) ?", r"(?:\1 )\2", model.children)
    if not re.fullmatch(pattern, names):
        found.append(f"{name}: got the children {names}; allowed are {model.children}")
    texts = [element.text, *(each.tail for each in element)]
    if not model.has_text and any((text or "").strip() for text in texts):
        found.append(f"{name}: got text")
    if model.has_text and not (element.text or "").strip() and name != "varFormat":
        found.append(f"{name}: got no text")
    return [*found, *_problems_of_attributes(name, element, dict(model.attributes))]


def _problems_of_attributes(name: str, element: ET.Element, allowed: dict[str, str]) -> list[str]:
    kinds = {**_GLOBAL, **{key: kind.removeprefix("!") for key, kind in allowed.items()}}
    found = [
        f"{name}: misses the attribute {key}"
        for key, kind in allowed.items()
        if kind.startswith("!") and element.get(key) is None
    ]
    for key, value in element.attrib.items():
        kind = kinds.get(key)
        if kind is None:
            found.append(f"{name}: got the attribute {key}")
        elif not re.fullmatch(_KINDS.get(kind, kind), value, re.DOTALL):
            found.append(f"{name}: got {key}={value!r}")
    return found
