"""Starts a command warm from a shell: `python -IS warm_command.py ADDRESS -m MODULE ...`. See warm_start.py."""

from __future__ import annotations

import json
import os
import select
import socket
import sys


def main(address: str, arguments: list[str]) -> int:
    """Have the warm process fork the command with our streams, and return its exit code as a shell would."""
    order = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as channel:
        channel.connect(f"\0{address}")
        socket.send_fds(channel, [json.dumps(order).encode()], [0, 1, 2])
        pid = int(channel.recv(100))
        select.select([os.pidfd_open(pid)], [], [])
        channel.send(json.dumps({"reap": pid}).encode())
        code = int(channel.recv(100))
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
