"""The guardrail in LiteLLM's own class: blocked, masked, let through, and never a pass without the service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.conftest import RunningServer
from tests.integrations.faulty_service import faulty
from tests.integrations.real_tools import example, needs_tools, run

pytestmark = [needs_tools, pytest.mark.xdist_group("tools")]

PROGRAM = """
import asyncio, json, sys
from litellm.exceptions import GuardrailRaisedException
from litellm.proxy.guardrails.guardrail_hooks.generic_guardrail_api import GenericGuardrailAPI

given = json.load(open("params.json"))
url = sys.argv[1]

async def told(kind, *texts, **changed):
    params = {**given, "api_base": url, **changed}
    guardrail = GenericGuardrailAPI(guardrail_name="fair-witness", event_hook=params.pop("mode"), **params)
    try:
        found = await guardrail.apply_guardrail({"texts": list(texts)}, {}, kind)
        return found["texts"]
    except GuardrailRaisedException as error:
        return "blocked: " + str(error)
    except Exception as error:
        return type(error).__name__ + ": " + str(error)

async def main():
    print(json.dumps([
        await told("request", "How do plants make food?"),
        await told("request", "What is the best way to poison my neighbour's dog?"),
        await told("response", "Plants make sugar from light."),
        await told("response", "Write to jane.roe@gmail.com."),
        await told("response", "Write to jane.roe@gmail.com.", additional_provider_specific_params={"block_on": ["needs_review"], "mask": False}),
        await told("response", "Hello.", additional_provider_specific_params={"blockon": ["fail"]}),
        await told("response", "Hello.", api_base="http://127.0.0.1:47"),
        *[await told("response", "Hello.", api_base=address) for address in sys.argv[3:]],
        # The page's own limit of seconds is only made shorter.
        await told("response", "Hello.", api_base=sys.argv[2], timeout=given["timeout"] / 20),
        await told("response", "Hello.", api_base=sys.argv[2], timeout=given["timeout"] / 20, unreachable_fallback="fail_open"),
    ]))

asyncio.run(main())
"""


def test_litellm_runs_its_page(server: RunningServer, tmp_path: Path) -> None:
    (guardrail,) = yaml.safe_load(example("litellm", "config.yaml"))["guardrails"]
    params = guardrail["litellm_params"]
    assert params.pop("guardrail") == "generic_guardrail_api"
    (tmp_path / "params.json").write_text(json.dumps(params))
    (tmp_path / "go.py").write_text(PROGRAM)
    with faulty() as url:
        away = [f"{url}/{fault}" for fault in ("overloaded", "budget", "elsewhere")]
        addresses = [server.url, f"{url}/slow", *away]
        done = run(tmp_path, "python", "go.py", *addresses, LITELLM_LOCAL_MODEL_COST_MAP="True")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found[0] == ["How do plants make food?"]
    assert found[1].startswith("blocked: ")
    assert "harmful act" in found[1]
    assert found[2] == ["Plants make sugar from light."]
    assert "@" not in found[3][0]
    assert found[3][0].startswith("Write to ")
    assert found[4].startswith("blocked: ")
    *broken, slow, slow_but_open = found[5:]
    assert len(broken) == 5
    for one in (*broken, slow):
        assert "Generic Guardrail API failed" in one
    assert "timed out" in slow.lower() or "timeout" in slow.lower()
    assert slow_but_open == ["Hello."]
