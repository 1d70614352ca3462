"""Bundled modules do the same as before, and modules without the plain form are refused."""

import subprocess
from pathlib import Path

import pytest

from deniable_web.pages.bundles import NotPlain, bundle

MODULES = {
    "a/main.js": (
        '/** What it is. */\nimport "./side.js";\n'
        'import { one as first, Two } from "../b/more.js";\n'
        'import * as all from "../b/index.js";\n\n'
        "const first_again = await Promise.resolve(first);\n"
        "console.log(first_again, new Two().name, all.three(), Object.keys(all).join());\n"
    ),
    "a/side.js": 'console.log("side");\nexport {};\n',
    "b/more.js": (
        "let hidden = 1;\nexport const one = hidden;\n"
        'export class Two {\n  name = "import { x } from \\"./no.js\\";";\n}\n'
    ),
    "b/index.js": (
        'export { one, Two as Deux } from "./more.js";\n'
        'import { one } from "./more.js";\nexport async function three() {}\n'
        "export function* four() {\n  yield one;\n}\n"
    ),
}


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    """Node runs both alike."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "bundle.js").write_text(bundle("a/main.js", MODULES.__getitem__))
    whole, parts = (
        subprocess.run(
            ["node", tmp_path / name], capture_output=True, text=True, check=True
        ).stdout
        for name in ("bundle.js", "a/main.js")
    )
    assert "side" in parts
    assert sorted(whole.replace(",", " ").split()) == sorted(parts.replace(",", " ").split())


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;\n",
        "export let one = 1;\n",
        'export * from "./b.js";\n',
        'import one from "./b.js";\n',
        'import { one } from "elsewhere";\n',
        "export { one };\n",
    ],
)
def test_what_is_not_plain_is_refused(text: str) -> None:
    """Nothing is put together by guessing."""
    with pytest.raises(NotPlain, match=r"main.js: got '.*'; allowed are named relative imports"):
        bundle("main.js", {"main.js": text, "b.js": ""}.__getitem__)


def test_what_nobody_imports_is_not_exported() -> None:
    """A phone does not load the names of what other users of the modules need."""
    modules = {
        "main.js": 'import { one } from "./a.js";\nimport * as b from "./b.js";\none(b);\n',
        "a.js": 'export { three } from "./b.js";\nexport const one = 1;\nexport const two = 2;\n',
        "b.js": "export const three = 3;\nexport const four = 4;\n",
    }
    made = bundle("main.js", modules.__getitem__)
    assert [line for line in made.splitlines() if line.startswith("return")] == [
        "return {three, four};",
        "return {one};",
    ]


def test_a_circle_is_refused() -> None:
    """Modules that import each other have no order to stand in."""
    modules = {
        "main.js": 'import { a } from "./a.js";\n',
        "a.js": 'import { b } from "./b.js";\nexport const a = b;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
    }
    with pytest.raises(NotPlain, match=r"a.js: is imported in a circle"):
        bundle("main.js", modules.__getitem__)
