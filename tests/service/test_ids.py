"""Ids of requests: in order, well formed, and never drawn twice, not even by a forked process."""

from __future__ import annotations

import os
from uuid import UUID

from fairwitness.service.ids_and_times import new_id


def test_ids_are_uuids_of_version_7_in_order() -> None:
    made = [new_id() for _ in range(1000)]
    assert made == sorted(made)
    assert len({*made}) == len(made)
    assert {(UUID(one).version, UUID(one).variant) for one in made} == {
        (7, "specified in RFC 4122")
    }


def test_a_forked_process_draws_its_own() -> None:
    new_id()  # the parent has some left
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, new_id().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(reading, 36).decode()
    os.close(reading)
    os.close(writing)
    ours = {new_id()[-17:] for _ in range(200)}
    assert theirs[-17:] not in ours
