"""`fairwitness api-keys`: issues, lists and revokes the keys callers may send in `x-api-key`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table

from fairwitness import settings
from fairwitness.cli.output import TEXT, CommandFailed, Output, Result, say
from fairwitness.contract.errors import InvalidRequest
from fairwitness.settings import PREFIX, SettingsError

app = App(name="api-keys", help="Issue, list or revoke API keys, each with quotas of its own.")


@app.command
def issue(
    name: Annotated[str, Parameter(help="Whose key it is; shown in the list.")],
    *,
    quota_per_hour: Annotated[int | None, Parameter(help="Runs in any hour.")] = None,
    quota_per_day: Annotated[int | None, Parameter(help="Runs in any day.")] = None,
    units_per_day: Annotated[int | None, Parameter(help="Generations in any day.")] = None,
    output: Output = TEXT,
) -> Result:
    """Issue a key and print it, this once: only its hash is kept. Quotas not given are those of the settings.

    Exit code: 0, or 2 when keys are off or the file cannot be written.
    """
    from fairwitness.service import api_keys

    quotas = {
        "quota_per_hour": quota_per_hour,
        "quota_per_day": quota_per_day,
        "units_per_day": units_per_day,
    }
    bad = [one for one, value in quotas.items() if value is not None and not 0 <= value <= 10**9]
    if bad or not name.strip():
        options = [f"--{one.replace('_', '-')}: must be from 0 to 1000000000" for one in bad]
        raise InvalidRequest(details=options or ["NAME: must not be empty"])
    key, token = api_keys.issue(_file(), name.strip(), quotas)
    content = {"id": key.id, "name": key.name, "key": token, **_camel(key.quotas)}
    return output.result(content, lambda console: say(console, token))


@app.command(name="list")
def list_(*, output: Output = TEXT) -> Result:
    """List the keys: ids, names, quotas and dates, never the keys.

    Exit code: 0, or 2 when keys are off or the file cannot be read.
    """
    from fairwitness.service import api_keys

    keys = api_keys.read(_file())
    content = [
        {
            "id": key.id,
            "name": key.name,
            "createdAt": key.created_at,
            "revokedAt": key.revoked_at,
            **_camel(key.quotas),
        }
        for key in keys
    ]

    def show(console: Console) -> None:
        table = Table("Id", "Name", "Created", "Revoked", "Quotas")
        for key in keys:
            quotas = ", ".join(f"{name} {value}" for name, value in key.quotas.items())
            table.add_row(key.id, key.name, key.created_at, key.revoked_at or "", quotas)
        console.print(table)

    return output.result({"keys": content}, show)


@app.command
def revoke(
    identity: Annotated[str, Parameter(name="ID", help="The id, as `list` shows it.")],
    *,
    output: Output = TEXT,
) -> Result:
    """Revoke a key; running workers refuse it within a second.

    Exit code: 0, 1 when there is no such key, or 2 when keys are off or the file cannot be written.
    """
    from fairwitness.service import api_keys

    key = api_keys.revoke(_file(), identity)
    if key is None:
        raise CommandFailed(f"no key has the id {identity}")
    content = {"id": key.id, "name": key.name, "revokedAt": key.revoked_at}
    return output.result(content, lambda console: say(console, f"Revoked: {key.id} ({key.name})"))


def _file() -> Path:
    path = settings.load().api_keys
    if path is None:
        raise SettingsError(
            [f"{PREFIX}API_KEYS: not set, so keys are off; name the file that lists them"]
        )
    return path


def _camel(quotas: dict[str, int]) -> dict[str, Any]:
    words = {name: name.split("_") for name in quotas}
    return {
        first + "".join(map(str.capitalize, rest)): quotas[name]
        for name, (first, *rest) in words.items()
    }
