"""`fairwitness protocol package`: writes a package with a criterion of your own, ready to install and test."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.contract.errors import InvalidRequest

# Each file of the package, and the template it is made from.
FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "protocol.toml": "protocol.toml",
    "src/{module}/__init__.py": "init.py",
    "src/{module}/example.py": "example.py",
    "tests/test_example.py": "test_example.py",
}


def package(
    folder: Annotated[
        Path, Parameter(help="A new folder; its name becomes the package's, such as acme-criteria.")
    ],
    /,
    *,
    output: Output = TEXT,
) -> Result:
    """Write a package that adds a criterion: its code, a protocol that uses it, and tests.

    Exit code: 0 written, 2 the folder is there already or its name cannot be a package's.
    """
    name = folder.name.lower()
    module = name.replace("-", "_")
    if not (module.isascii() and module.isidentifier()):
        raise InvalidRequest(details=[f"{folder}: the name may have letters, digits and - only"])
    if folder.exists():
        raise InvalidRequest(details=[f"{folder}: already exists"])
    templates = resources.files("fairwitness.evaluator.protocols").joinpath("package")
    written = []
    for path, template in FILES.items():
        source = templates.joinpath(f"{template}.txt").read_text(encoding="utf-8")
        file = folder / path.format(module=module)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source.format(name=name, module=module), encoding="utf-8")
        written.append(str(file))
    text = f"{folder} written. Next: pip install -e {folder} && fairwitness protocol test {folder}/protocol.toml"
    return output.result({"written": written}, lambda console: say(console, text))
