"""Both languages tell a person the same of what was spent."""

import json
import subprocess
from pathlib import Path

from deniable_sdk.client import Entry, MemoryStorage
from deniable_sdk.testing import RecordingTransport, open_test_client

SDK = Path(__file__).parents[4] / "client_sdk" / "javascript" / "src"
PROGRAM = """
import { spent } from "SDK/inspect.js";
import { memoryStore, openTestClient, recordingTransport } from "SDK/testing.js";
const words = [];
for (const ledger of JSON.parse(process.argv[1])) {
  const storage = memoryStore();
  for (const [order, entry] of ledger.entries()) {
    await storage.add({ ...entry, key: order, order });
  }
  const options = { collector: "https://c", consent: true, transport: recordingTransport({}) };
  const client = await openTestClient({ ...options, storage });
  words.push((await spent(client)).words);
  await client.shutDown();
}
console.log(JSON.stringify(words));
"""
LEDGERS = [
    [],
    ["31735754292/4294967296"],
    ["4294967297/4294967296"],
    ["3/1 7/2", "11/4"],
    [f"{round(1.02**n * 2**32)}/4294967296" for n in range(1, 60)],
]


def entry(number: int, weights: str) -> Entry:
    """An entry that spent this."""
    return Entry(str(number), number, "c", "s", "d", "r", weights, None)


def words(entries: list[Entry]) -> str:
    """What a client says of these."""
    storage = MemoryStorage(entries=entries)
    with open_test_client(RecordingTransport(), storage=storage) as client:
        return client.spent().words


def as_javascript_keeps_it(weights: str) -> dict[str, object]:
    """The same in JavaScript."""
    parts = [
        dict(zip(("high", "low"), map(int, part.split("/")), strict=True))
        for part in weights.split()
    ]
    return {"collector": "c", "slug": "s", "survey": "d", "report": "r", "weights": parts}


def test_the_words_are_the_same() -> None:
    """Of no survey, one and many, the count and the percentage agree."""
    ledgers = [[as_javascript_keeps_it(weights) for weights in ledger] for ledger in LEDGERS]
    program = PROGRAM.replace("SDK", SDK.as_uri())
    command = ["node", "--input-type=module", "--eval", program, "--", json.dumps(ledgers)]
    ran = subprocess.run(command, capture_output=True, check=True, timeout=60)
    wanted = [words([entry(n, weights) for n, weights in enumerate(ledger)]) for ledger in LEDGERS]
    assert json.loads(ran.stdout) == wanted
    assert [said.split(" surveys")[0][-2:] for said in wanted[3:]] == [" 2", "59"]
