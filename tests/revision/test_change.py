"""What a change is measured to leave, in any script, and a diff that can be applied to any text."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.revision.text_change import MIN_KEPT_SHARE, kept_share, removes_much, unified_diff
from tests.revision.patching import NO_END, patched

CHINESE = "天空是蓝色的，因为空气散射短波光。请写信到某处获取更多信息，我们会尽快答复您的来信。"
ENDS = [
    "one\ntwo\n",
    "one\ntwo",
    "one\r\ntwo\r\n",
    "one\r\ntwo",
    "one\rtwo\r",
    "",
    "\n",
    "\r\n",
    "\n\n",
]
pieces = st.sampled_from(
    [
        "a",
        "b",
        "😀",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\x0b",
        "\x85",
        "-",
        "+",
        "@@",
        "\\",
        " ",
        "𝒳",
        NO_END,
    ]
)
texts = st.lists(pieces, max_size=14).map("".join)


@given(texts, texts)
def test_the_diff_of_any_two_texts_applies(before: str, after: str) -> None:
    assert patched(before, unified_diff(before, after)) == after


@pytest.mark.parametrize("before", ENDS)
@pytest.mark.parametrize("after", ENDS)
def test_a_change_of_line_ends_alone_is_a_change(before: str, after: str) -> None:
    diff = unified_diff(before, after)
    assert bool(diff) == (before != after)
    assert patched(before, diff) == after


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@pytest.mark.parametrize("after", ["one\ntwo\nthree", "one\n2\r\n", "😀\ntwo\n\n", "two\n"])
def test_patch_itself_applies_it(tmp_path: Path, after: str) -> None:
    before = "one\ntwo\n"
    (tmp_path / "text").write_bytes(before.encode())
    subprocess.run(
        ["patch", "--binary", "-s", str(tmp_path / "text")],
        input=unified_diff(before, after).encode(),
        check=True,
        cwd=tmp_path,
    )
    assert (tmp_path / "text").read_bytes().decode() == after


def test_a_small_edit_leaves_most_of_a_text_without_spaces() -> None:
    assert kept_share(CHINESE, CHINESE.replace("某处", "[地址]")) > 0.8
    assert kept_share(CHINESE, CHINESE[: len(CHINESE) // 4]) < MIN_KEPT_SHARE
    assert not removes_much(CHINESE, CHINESE[:10], "")
    assert removes_much(CHINESE, CHINESE[:20], "")


def test_one_very_long_word_is_most_of_a_text() -> None:
    junk = "q7Zk" * 200 + "plain" * 20
    text = f"Here is the key you asked me for: {junk} and that is all."
    assert removes_much(text, junk, "")
    assert kept_share(text, text.replace(junk, "")) < 0.9


def test_many_letters_count_as_much_as_many_words() -> None:
    text = "It is a so to be on at my constitutionally internationalisation incomprehensibilities"
    long_ones = text[text.index("constitutionally") :]
    assert removes_much(text, long_ones, "")
    assert not removes_much(text, "It is a", "")


def test_what_was_said_twice_is_not_lost() -> None:
    assert kept_share("Plants need light. " * 5, "Plants need light.") == 1.0
    assert removes_much("Plants need light. " * 5, "Plants need light. " * 4, "")
