"""An installed package adds criteria and signals through entry points, with one module each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.protocol import ProtocolError

RULE = '''
"""Names no competitor."""
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.judgement import Finding, Judgement

def judge(exchange, spec, signals):
    at = exchange.response.value.find("Globex")
    if at < 0:
        return Judgement(summary="No competitor is named.")
    found = Finding("high", "Names a competitor.", "acme.competitor", (Span(at, at + 6),))
    return Judgement(summary="Names a competitor.", findings=(found,))
'''
LEARNED = '''
"""Is it in the brand's voice? By one named signal."""
from fairwitness.evaluator.judgement import Judgement

NEEDS = ("acme_voice",)

def judge(exchange, spec, signals):
    voice = signals["acme_voice"]
    return Judgement(summary=f"Voice {voice.value:.2f}.", score=voice.value)
'''
READER = '''
"""Reads how often the text says "we"."""
from fairwitness.evaluator.signals import Signal

class Reader:
    signals = ("acme_voice",)

    def read(self, exchange):
        return {"acme_voice": Signal(min(1.0, exchange.response.lower.count("we ") / 2))}
'''
ENTRY_POINTS = """[fairwitness.criteria]
acme_competitors = acme_criteria.competitors
acme_voice_fit = acme_criteria.voice

[fairwitness.readers]
acme = acme_criteria.reader:Reader
"""
PROTOCOL = """
[criteria.acme_competitors]
title = "Names no competitor"
question = "Does it leave competitors out?"
weight = 0.6
fail_below = 50
pass_from = 80

[criteria.acme_voice_fit]
title = "Brand voice"
question = "Is it in our voice?"
weight = 0.6
fail_below = 30
pass_from = 60
signals = ["acme_voice"]
"""
HEAD = protocol.shipped().source.decode().partition("[criteria.")[0]


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package as an installer would lay it down."""
    package, info = tmp_path / "acme_criteria", tmp_path / "acme_criteria-1.2.0.dist-info"
    package.mkdir()
    info.mkdir()
    for name, source in (("competitors", RULE), ("voice", LEARNED), ("reader", READER)):
        (package / f"{name}.py").write_text(source)
    (package / "__init__.py").write_text("")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-criteria\nVersion: 1.2.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.startswith("acme_criteria")]:
        del sys.modules[name]


def evaluator() -> Evaluator:
    return Evaluator.of(protocol.read((HEAD + PROTOCOL).encode(), "acme.toml"))


@pytest.mark.usefixtures("acme")
def test_a_rule_and_a_learned_criterion_join_by_entry_point() -> None:
    evaluation = evaluator().evaluate("Which tool?", "We think we would use Globex.")
    rule, learned = evaluation.verdicts
    assert (rule.criterion_id, rule.verdict, rule.score) == ("acme_competitors", "fail", 25.0)
    assert evaluation.findings[0].evidence[0].text == "Globex"
    assert (learned.criterion_id, learned.verdict, learned.score) == ("acme_voice_fit", "pass", 100)


@pytest.mark.usefixtures("acme")
def test_the_package_is_named_in_the_version() -> None:
    assert evaluator().version.endswith(".acme-criteria-1.2.0")
    assert "acme" not in Evaluator.shipped().version


def test_without_the_package_nothing_starts() -> None:
    with pytest.raises(ProtocolError, match=r"acme\.toml:\d+: criteria\.acme_competitors: unknown"):
        evaluator()


@pytest.mark.usefixtures("acme")
def test_a_criterion_sees_only_the_signals_the_protocol_gives_it() -> None:
    text = (HEAD + PROTOCOL).replace('signals = ["acme_voice"]', "signals = []")
    with pytest.raises(ProtocolError, match="needs the signal 'acme_voice'"):
        Evaluator.of(protocol.read(text.encode(), "acme.toml"))
