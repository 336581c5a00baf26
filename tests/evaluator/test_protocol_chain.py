"""Protocol files that extend others: what is laid over what, the digest of a chain, and chains that are wrong."""

from __future__ import annotations

import hashlib
import os
import tomllib
from importlib import resources
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.protocol import Protocol, ProtocolError

HEAD = 'name = "acme"\nversion = "1.2.0"\nextends = "fairwitness"\n'
SHIPPED = protocol.shipped()
START = (
    resources.files("fairwitness.evaluator.protocols").joinpath("starting_point.toml").read_text()
)
ALONE = SHIPPED.source.decode().partition("[criteria.")[0]


def write(folder: Path, **files: str) -> Path:
    """Write files by name, and return the first."""
    paths = [folder / name.replace("__", ".") for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    return paths[0]


def read(text: str, path: str = "acme.toml") -> Protocol:
    return protocol.read(text.encode(), path)


def test_a_file_that_changes_nothing_judges_as_the_one_it_extends() -> None:
    same = read(HEAD)
    assert (same.overall, same.severity, same.criteria) == (
        SHIPPED.overall,
        SHIPPED.severity,
        SHIPPED.criteria,
    )
    assert (same.name, same.version, same.source) == ("acme", "1.2.0", HEAD.encode())


def test_keys_options_and_numbers_are_replaced_one_by_one() -> None:
    mine = read(
        HEAD + '[overall]\npass_from = 70\n[severity]\nlow = 0.2\n[criteria.respect]\nweight = 0.9\ntitle = "Kind"\n'
        "[criteria.respect.options]\nmin_words = 7\n"
    )  # fmt: skip
    before, after = SHIPPED["respect"], mine["respect"]
    assert (after.weight, after.title, after.signals) == (0.9, "Kind", before.signals)
    assert after.options == {**before.options, "min_words": 7}
    assert (mine.overall.pass_from, mine.overall.fail_below) == (70, SHIPPED.overall.fail_below)
    assert mine.severity == {**SHIPPED.severity, "low": 0.2}
    assert [spec.id for spec in mine.criteria] == [spec.id for spec in SHIPPED.criteria]
    Evaluator.of(mine)


def test_criteria_are_dropped_by_name() -> None:
    mine = read(HEAD + 'without = ["calculation", "privacy"]\n')
    kept = [spec.id for spec in SHIPPED.criteria if spec.id not in {"calculation", "privacy"}]
    assert [spec.id for spec in mine.criteria] == kept
    found = Evaluator.of(mine).evaluate("How do I reach them?", "Write to jane.roe@gmail.com.")
    assert [item.criterion_id for item in found.verdicts] == kept


def test_a_chain_of_files_is_read_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    base = tmp_path / "base.toml"
    base.write_text(HEAD + "[criteria.privacy]\nweight = 0.7\nfail_below = 45\n")
    mine = write(
        tmp_path / "team",
        mine__toml='name = "team"\nversion = "2"\nextends = "../base.toml"\n[criteria.privacy]\nweight = 0.9\n',
    )
    loaded = protocol.load(mine)
    assert (loaded["privacy"].weight, loaded["privacy"].fail_below) == (0.9, 45)
    assert [Path(file.path).name for file in loaded.files] == [
        "mine.toml",
        "base.toml",
        "fairwitness.toml",
    ]
    lines = "".join(
        hashlib.sha256(content).hexdigest() + "\n"
        for content in (mine.read_bytes(), base.read_bytes(), SHIPPED.source)
    )
    assert loaded.digest == hashlib.sha256(lines.encode()).hexdigest()
    base.write_text(base.read_text() + "# a note\n")
    assert protocol.load(mine).digest != loaded.digest


def test_yaml_says_the_same_as_toml() -> None:
    as_toml = read(HEAD + 'without = ["calculation"]\n[criteria.privacy]\nweight = 0.9\n')
    as_yaml = read(
        "name: acme\nversion: 1.2.0\nextends: fairwitness\nwithout: [calculation]\n"
        "criteria:\n  privacy:\n    weight: 0.9\n",
        "acme.yaml",
    )
    assert as_yaml.criteria == as_toml.criteria
    assert (as_yaml.name, as_yaml.version) == (as_toml.name, as_toml.version)


def test_the_shipped_protocol_written_as_yaml_gives_the_same_evaluation(tmp_path: Path) -> None:
    copy = tmp_path / "copy.yml"
    copy.write_text(yaml.safe_dump(tomllib.loads(SHIPPED.source.decode()), sort_keys=False))
    extended = write(tmp_path, again__toml='name = "a"\nversion = "1"\nextends = "copy.yml"\n')
    exchange = ("How do I reach them?", "Write to jane.roe@gmail.com. " * 3)
    expected = Evaluator.shipped().evaluate(*exchange).to_json()
    for path in (copy, extended):
        assert Evaluator.of(protocol.load(path)).evaluate(*exchange).to_json() == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "[criteria.privacy]\nweight = 1e308\n", "acme.toml:5: criteria.privacy.weight: must be a number from 0 to 1, not 1e+308"),
        (HEAD + "[criteria.privacy]\nweight = 1e309\n", "acme.toml:5: criteria.privacy.weight: must be a finite number"),
        (HEAD + "[criteria.privacy]\nfail_below = 90\n", "acme.toml:4: criteria.privacy: needs 0 < fail_below"),
        (HEAD + "[criteria.privacy]\npass_from = 1\n", "acme.toml:4: criteria.privacy: needs 0 < fail_below"),
        (HEAD + '[criteria.new]\ntitle = "New"\nweight = 1\n', "acme.toml:4: criteria.new: question, fail_below, pass_from are missing"),
        (HEAD + '[criteria.new]\ntitel = "New"\nweight = 1\n', "acme.toml:5: criteria.new.titel: unknown key; known keys: title,"),
        (ALONE + "[criteria.privacy]\nweight = 0.9\n", "criteria.privacy: title, question, fail_below, pass_from are missing; only a file that extends another"),
        (HEAD + 'without = ["privcy"]\n', "acme.toml:4: without: 'privcy' is not a criterion of the extended file; known criteria: harm_avoidance,"),
        (HEAD + 'without = ["privacy"]\n[criteria.privacy]\nweight = 1\n', "acme.toml:5: criteria.privacy: is also dropped by `without`"),
        (HEAD.replace("extends", "# extends") + 'without = ["privacy"]\n', "acme.toml:4: without: 'privacy' is not a criterion"),
        (HEAD.replace("fairwitness", "none.toml"), "acme.toml:3: extends: none.toml: No such file or directory"),
        (HEAD.replace("fairwitness", "acme.toml"), "acme.toml:3: extends: acme.toml extends this file: a cycle"),
        (HEAD.replace("fairwitness", "none\\u0000"), "acme.toml:3: extends: contains a control"),
        (HEAD + '[criteria.privacy]\ntitle = "a\\u001b[31m"\n', "acme.toml:5: criteria.privacy.title: contains a control"),
        (HEAD + '[criteria.privacy]\ntitle = "a\\u202eb"\n', "acme.toml:5: criteria.privacy.title: contains a control or invisible character"),
        (HEAD + '[criteria."a\\u0007b"]\nweight = 1\n', "acme.toml:4: criteria: has a key with a control character"),
        (HEAD + '[criteria."a b"]\nweight = 1\n', "acme.toml:4: criteria.a b: a criterion's name may have only"),
        (HEAD + "[criteria.overall]\nweight = 1\n", "acme.toml:4: criteria.overall: this name is reserved for the overall verdict"),
        (HEAD + "".join(f"[criteria.c{n}]\nweight = 1\n" for n in range(10_000)), "acme.toml:4: criteria: more than 100 criteria"),
        (HEAD + '[[examples]]\nprompt = "a"\nresponse = "b"\nexpect = { privcy = "pass" }\n', "acme.toml:7: examples[0].expect.privcy: unknown criterion"),
        (HEAD + '[[examples]]\nprompt = "a"\nresponse = "b"\nexpect = { privacy = "good" }\n', "acme.toml:7: examples[0].expect.privacy: must be one of fail, needs_review, not_applicable, pass, not \"good\""),
        (HEAD + '[[examples]]\nprompt = "a"\nresponse = "b"\nexpect = { overall = "not_applicable" }\n', "acme.toml:7: examples[0].expect.overall: must be one of pass,"),
        (HEAD + '[[examples]]\nprompt = "a"\n', "acme.toml:4: examples[0]: response is missing"),
        (HEAD + "a" + ".a" * 50_000 + " = 1\n", "acme.toml: has a key of more than 40 parts"),
        (HEAD + "a = " + "[" * 200_000, "acme.toml: nests deeper than 20"),
        (HEAD + "[criteria.privacy]\noptions = " + "{a = " * 30 + "1" + "}" * 30, "acme.toml:5: criteria.privacy.options: nests deeper than 20"),
        (HEAD + "a = " + "1" * 5_000, "acme.toml: has a number with too many digits"),
        (HEAD + "# " + "x" * 1_000_000, "acme.toml: is longer than 1,000,000 bytes"),
        (HEAD + "[criteria]\nprivacy = 1\n", "acme.toml:5: criteria.privacy: must be a table, not 1"),
    ],
    ids=range(29),
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_line(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProtocolError) as refusal:
        read(text)
    assert said in str(refusal.value)
    assert str(refusal.value).startswith("acme.toml")
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600


LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "acme.yaml: name is missing"),
        ("- name\n", "acme.yaml: is not valid YAML: the top level is not a mapping"),
        ("name: [a\n", "acme.yaml: is not valid YAML: line 2: "),
        (LAUGHS, "acme.yaml: is not valid YAML: line 2: an alias (*a0); write the value out"),
        ("a: " + "[" * 100_000, "acme.yaml: is not valid YAML: line 1: nests deeper than 20"),
        ("- " * 100_000, "acme.yaml: is not valid YAML: line 1: nests deeper than 20"),
        ("name: a\nname: b\n", "acme.yaml: is not valid YAML: line 2: duplicate key name"),
        ("1: a\n", "acme.yaml: is not valid YAML: line 1: a key that is not a string"),
        ("name: !!python/object/apply:os.system [ls]\n", "acme.yaml: is not valid YAML: line 1: could not determine a constructor"),
        ("name: a\nversion: 1.0\n", "acme.yaml:2: version: must be a text of 1 to 200 characters, not 1.0"),
        ("name: a\nversion: 2026-01-01\n", "acme.yaml:2: version: "),
        ("name: a\x07b\n", "acme.yaml: is not valid YAML: a character that YAML does not allow"),
        ('name: "a\\u0007b"\nversion: "1"\n', "acme.yaml:1: name: contains a control"),
        ("name: a\nversion: '1'\nextends: fairwitness\ncriteria:\n  privacy:\n    weight: .inf\n", "acme.yaml:6: criteria.privacy.weight: must be a finite number"),
        ("name: a\nversion: '1'\nextends: fairwitness\ncriteria:\n  privacy:\n    weigth: 1\n", "acme.yaml:6: criteria.privacy.weigth: unknown key; known keys:"),
        ("name: a\n--- \nname: b\n", "acme.yaml: is not valid YAML: line 2: but found another document"),
        ("a: [" + "1," * 250_000 + "]", "acme.yaml: is not valid YAML: more than 200,000 values"),
        ("a: " + "1" * 5_000, "acme.yaml: is not valid YAML: a value cannot be read: "),
    ],
    ids=range(18),
)  # fmt: skip
def test_hostile_yaml_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ProtocolError) as refusal:
        read(text, "acme.yaml")
    assert str(refusal.value).startswith(said)
    assert "\n" not in str(refusal.value)


def test_a_fault_names_the_file_of_the_chain_it_is_in(tmp_path: Path) -> None:
    mine = write(
        tmp_path,
        mine__toml=HEAD.replace("fairwitness", "base.yaml") + "[criteria.respect]\nweight = 0.5\n",
        base__yaml="name: base\nversion: '1'\nextends: fairwitness\ncriteria:\n  respect:\n    weight: 0.4\n    options:\n      min_wrds: 3\n",
    )
    with pytest.raises(ProtocolError, match=r"base\.yaml:8: criteria\.respect\.options\.min_wrds"):
        Evaluator.of(protocol.load(mine))


def test_a_circle_and_a_long_chain_are_refused(tmp_path: Path) -> None:
    one = write(
        tmp_path,
        one__toml=HEAD.replace("fairwitness", "two.toml"),
        two__toml=HEAD.replace("fairwitness", "./one.toml"),
    )
    with pytest.raises(ProtocolError, match=r"two\.toml:3: extends: \./one\.toml .*a cycle"):
        protocol.load(one)
    chain = {f"f{n}__toml": HEAD.replace("fairwitness", f"f{n + 1}.toml") for n in range(12)}
    with pytest.raises(ProtocolError, match=r"f7\.toml:3: extends: a chain of more than 8 files"):
        protocol.load(write(tmp_path, **chain))
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    looped = write(tmp_path, x__toml=HEAD.replace("fairwitness", "loop.toml"))
    with pytest.raises(ProtocolError, match="Too many levels of symbolic links"):
        protocol.load(looped)


def test_only_a_regular_file_is_read_and_no_more_of_it_than_allowed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", Path("/dev/zero")):
        with pytest.raises(ProtocolError, match="is not a regular file"):
            protocol.load(path)
    (tmp_path / "long.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(ProtocolError, match=r"long.toml: is longer than 1,000,000 bytes"):
        protocol.load(tmp_path / "long.toml")


def test_a_byte_order_mark_is_no_fault() -> None:
    plain = b'name = "a"\nversion = "1"\nextends = "fairwitness"\n'
    assert protocol.read(b"\xef\xbb\xbf" + plain, "a.toml").name == "a"
    assert protocol.read(b"\xef\xbb\xbfname: a\nversion: '1'\nextends: fairwitness\n", "a.yaml").name == "a"  # fmt: skip


BITS = st.sampled_from(
    "[ { \" ' \n = . : - nan 1e999 -1 true [[examples]] &a *a !!binary 2020-01-01 \\u0000 <<: checks kind [] {}".split(
        " "
    )
)


@pytest.mark.parametrize("path", ["acme.toml", "acme.yaml"])
@settings(max_examples=150, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 30), BITS), min_size=1, max_size=4))  # fmt: skip
def test_any_file_is_read_or_refused_in_one_line(
    path: str, cuts: list[tuple[int, int, str]]
) -> None:
    text = START if path.endswith("toml") else yaml.safe_dump(tomllib.loads(START))
    for start, length, put in cuts:
        at = start % len(text)
        text = text[:at] + put + text[at + length :]
    try:
        Evaluator.of(read(text, path))
    except ProtocolError as refusal:
        assert str(refusal).startswith(path)
        assert "\n" not in str(refusal)
