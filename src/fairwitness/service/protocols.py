"""The protocols a deployment publishes, by name, and the evaluator of each; the first is the one of contract 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType

from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocol_module
from fairwitness.evaluator.protocol import Protocol, ProtocolError
from fairwitness.settings import PREFIX, Settings, SettingsError

_SHIPPED = "fairwitness"
_ADDRESSABLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Protocols:
    """The evaluators of a deployment, in the order its operator gave the protocols."""

    evaluators: tuple[Evaluator, ...]
    max_tokens_read: int

    @classmethod
    def of(
        cls, settings: Settings, on_failure: Callable[[str, Exception], None] | None = None
    ) -> Protocols:
        """Load the protocols the settings name, or the shipped one; raise SettingsError where one is wrong."""
        try:
            loaded = [_load(name) for name in settings.protocols or (_SHIPPED,)]
            most = settings.max_tokens_read
            evaluators = tuple(Evaluator.of(protocol, on_failure, most) for protocol in loaded)
        except ProtocolError as error:
            raise SettingsError([f"{PREFIX}PROTOCOLS: {error}"]) from None
        if faults := _faults(loaded):
            raise SettingsError([f"{PREFIX}PROTOCOLS: {fault}" for fault in faults])
        return cls(evaluators, settings.max_tokens_read)

    @property
    def first(self) -> Evaluator:
        """The evaluator of the default protocol, which is the only one of contract 1."""
        return self.evaluators[0]

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """The name and digest of each."""
        return tuple((one.protocol.name, one.protocol.digest) for one in self.evaluators)

    def choose(self, name: str | UnsetType, digest: str | UnsetType = UNSET) -> Evaluator:
        """Return the evaluator a request asks for; raise InvalidRequest where there is none with that name or digest."""
        found = (
            self.first
            if name is UNSET
            else next((one for one in self.evaluators if one.protocol.name == name), None)
        )
        if found is None:
            known = ", ".join(one.protocol.name for one in self.evaluators)
            raise InvalidRequest(details=[f"protocol: unknown; this service publishes: {known}"])
        if digest is not UNSET and digest != found.protocol.digest:
            told = f"{found.protocol.name} here has the digest {found.protocol.digest}"
            raise InvalidRequest(details=[f"protocolDigest: does not match; {told}"])
        return found

    def published(self, base: str = "") -> dict[str, Any]:
        """Return the content of /docs/protocols.json, its paths under the deployment's base."""
        return {
            "protocols": [
                {
                    "name": one.protocol.name,
                    "version": one.protocol.version,
                    "digest": one.protocol.digest,
                    "criteria": [spec.id for spec in one.protocol.criteria],
                    "thresholds": _thresholds(one.protocol),
                    "files": [f"{base}/docs/protocol/{path}" for path in _files(one.protocol)],
                }
                for one in self.evaluators
            ],
            "maxTokensRead": self.max_tokens_read,
        }

    def files(self) -> dict[str, bytes]:
        """Return the bytes of each protocol file, and of those it extends, by path under /docs/protocol/."""
        return {
            path: file for one in self.evaluators for path, file in _files(one.protocol).items()
        }


def _thresholds(protocol: Protocol) -> dict[str, Any]:
    """Return what a reader of a result needs to see why a score got its verdict."""
    overall = protocol.overall
    return {
        "overall": {
            "failBelow": overall.fail_below,
            "passFrom": overall.pass_from,
            "noise": overall.noise,
        },
        "criteria": {
            spec.id: {
                "question": spec.question,
                "weight": spec.weight,
                "critical": spec.critical,
                "criticalWhen": spec.critical_when,
                "failBelow": spec.fail_below,
                "passFrom": spec.pass_from,
            }
            for spec in protocol.criteria
        },
    }


def _files(protocol: Protocol) -> dict[str, bytes]:
    extended = {
        f"{protocol.name}/extends/{number}": base.source
        for number, base in enumerate(protocol.bases, 1)
    }
    return {protocol.name: protocol.source, **extended}


def _load(name: str) -> Protocol:
    """Read a protocol file, or the shipped one by its name where no such file is there."""
    if name == _SHIPPED and not Path(name).is_file():
        return protocol_module.shipped()
    return protocol_module.load(Path(name))


def name_fault(name: str) -> str | None:
    """Return why no protocol can be served under a name; None where one can."""
    if _ADDRESSABLE.fullmatch(name):
        return None
    return (
        f"the name {name!r} cannot be part of an address; a served protocol's name begins with a letter, digit or _ "
        "and has only these, . and -"
    )


def _faults(protocols: Sequence[Protocol]) -> list[str]:
    """Return why these cannot be served together."""
    names = [protocol.name for protocol in protocols]
    faults = [
        f"two protocols are called {name}; each needs a name of its own"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    faults += [fault for name in names if (fault := name_fault(name))]
    # Contract 1 never spends for a direct evaluation.
    if judged := getattr(protocols[0], "judged", ()):
        criteria = ", ".join(spec.id for spec in judged)
        faults.append(
            f"{names[0]} asks models ({criteria}), and contract 1.0.0 judges by the first protocol "
            "without spending; put a protocol without judged criteria first, such as fairwitness"
        )
    return faults
