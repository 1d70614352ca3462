"""What every test can ask for: seeded randomness that --fresh-seed renews."""

import gc
import os
import random
from collections.abc import Callable, Generator, Iterator

import pytest
from hypothesis import settings

from compiled_templates import keep_compiled_templates
from postgres_server import WITHOUT, PostgresServer, running_server
from sampling_checks import ALPHA, SEED, checks_run

_SEED = pytest.StashKey[int]()
_CHECKS = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --fresh-seed, for whoever wants more than the seeded run."""
    parser.addoption(
        "--fresh-seed",
        action="store_true",
        help="draw the seed of sampled tests from the operating system, and print it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed once, also for the workers of a parallel run; compile no page twice."""
    fresh = config.getoption("--fresh-seed")
    given = getattr(config, "workerinput", {}).get("sampling_seed")
    drawn = int.from_bytes(os.urandom(6), "big") if fresh else SEED
    config.stash[_SEED] = drawn if given is None else given
    config.stash[_CHECKS] = 0
    settings.register_profile("deniable", deadline=None, derandomize=not fresh, database=None)
    settings.load_profile("deniable")
    keep_compiled_templates()


def pytest_report_header(config: pytest.Config) -> str:
    """Print the seed, so that a failure can be looked into."""
    return f"seed of sampled tests: {config.stash[_SEED]}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave the tests out of what is searched for garbage: there are 17,000, and all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# Before pytest itself leaves out what is marked as deep.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all cases of a sweep but the first and the last to `make deep`.

    In a browser, where a case takes seconds, all but the last.
    """
    sweeps: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sweep"):
            sweeps.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in sweeps.values():
        for case in cases[:-1] if cases[0].get_closest_marker("browser") else cases[1:-1]:
            case.add_marker("deep")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Give every parallel worker the seed of the run."""
    node.workerinput["sampling_seed"] = node.config.stash[_SEED]  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Add up what the parallel workers have checked."""
    output = getattr(node, "workeroutput", {})
    node.config.stash[_CHECKS] += output.get("sampled_checks", 0)  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the run, from a parallel worker, how much was checked."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["sampled_checks"] = checks_run()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """State how likely a false alarm was in the whole run."""
    count = checks_run() + config.stash[_CHECKS]
    if count:
        terminalreporter.write_line(
            f"{count} sampled checks at {ALPHA:g} each: all of them accept a right program "
            f"but once in {1 / (count * ALPHA):,.0f} runs"
        )


@pytest.fixture
def random_source(request: pytest.FixtureRequest) -> random.Random:
    """A seeded generator of this test's own."""
    return random.Random(f"{request.config.stash[_SEED]}/{request.node.name}")


@pytest.fixture
def read_bytes(random_source: random.Random) -> Callable[[int], bytes]:
    """A seeded reader of random bytes, to be given where os.urandom is read."""
    return random_source.randbytes


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A running PostgreSQL server, one for each parallel worker."""
    if os.environ.get(WITHOUT) == "1":
        pytest.skip(f"{WITHOUT}=1 leaves out what needs a PostgreSQL server")
    with running_server() as server:
        yield server
