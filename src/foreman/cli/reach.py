"""`foreman doctor --network NAME`: does that network answer as itself, and what can be done there from here?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from foreman.address import checksum
from foreman.cli import show
from foreman.cli.finding import Finding, State
from foreman.cli.table import gen
from foreman.cli.wallet import default_account, party
from foreman.errors import ForemanError

if TYPE_CHECKING:
    from foreman.sdk.client import Client
    from foreman.sdk.foreman import Foreman

PATIENCE = 5.0
"""Seconds for one answer: whoever looks whether something works does not want to wait for what does not."""


def reach(name: str) -> Iterator[Finding]:
    """Every check of a network; after one that never answered the others would only say so again."""
    from foreman.cli.session import Remembering
    from foreman.sdk.client import Client
    from foreman.sdk.networks import find_network
    from foreman.sdk.transport import Transport

    try:
        network = find_network(name)
    except ForemanError as problem:
        yield Finding("answers", State.BROKEN, problem.sentence, problem.hint)
        return
    with Client(name, Transport(network.url, patience=PATIENCE)) as client:
        try:
            found = answers(client)
        except ForemanError as problem:
            hint = problem.hint or "is this the address of a GenLayer network's JSON-RPC?"
            found = Finding("answers", State.BROKEN, problem.sentence, hint)
        yield found
        if found.state is State.BROKEN:
            return
        foreman = Remembering(client, None, {})
        for title, check in (("contracts", contracts), ("writes", writes), ("account", account)):
            try:
                yield check(foreman)
            except ForemanError as problem:
                yield Finding(title, State.BROKEN, problem.sentence, problem.hint)


def answers(client: "Client") -> Finding:
    """Does it answer as a GenLayer network, and is it the one its name stands for?"""
    version, expected = client.call("web3_clientVersion"), client.network.chain_id
    sentence = f"{client.network.url} answers: chain {client.chain_id}, {show.plain(version, 60)}"
    if expected not in (None, client.chain_id) and not client.embedded:
        hint = f"{client.network.name} is chain {expected}; is another network behind this address?"
        return Finding("answers", State.BROKEN, sentence, hint)
    return Finding("answers", State.WORKS, sentence)


def contracts(foreman: "Foreman") -> Finding:
    """Is it known where the contracts stand there, and does each answer?"""
    names, network = sorted(foreman.contracts), foreman.client.network
    if not names:
        hint = f"`foreman deploy foreman --network {network.name} --account NAME`, or --contract ADDRESS"
        return Finding("contracts", State.MISSING, f"no contract is known on {network.name}", hint)
    asked = {"foreman": lambda: foreman.orders.count(), "verdict_escrow": lambda: foreman.agreements.count()}
    silent = []
    for name in names:
        try:
            asked.get(name, int)()
        except ForemanError as problem:
            silent.append(f"{name} at {foreman.contracts[name]}: {problem.sentence}")
    if silent:
        hint = f"`foreman deploy NAME --network {network.name}` puts a new one there"
        return Finding("contracts", State.BROKEN, "; ".join(silent), hint)
    told = [name for name in names if name in asked]
    return Finding("contracts", State.WORKS, f"{', '.join(told) or 'none of ours'} answer")


def writes(foreman: "Foreman") -> Finding:
    """May one write there, and what becomes of the value of a call that fails?"""
    client = foreman.client
    if client.network.rollup:
        return Finding("writes", State.MISSING, "read only from here", "write with genlayer-py or the genlayer CLI")
    if client.keeps_failed_value:
        hint = "appeals and bonds ask for --yes there"
        return Finding("writes", State.WORKS, "writes; the value of a failed call may stay with the contract", hint)
    faucet = "a faucet and known accounts" if client.config.get("dev") else "no faucet"
    return Finding("writes", State.WORKS, f"writes; a failed call gives its value back; {faucet}")


def account(foreman: "Foreman") -> Finding:
    """Who would be meant when nobody is named, and what that account holds there."""
    from foreman.sdk.known import is_known

    network = foreman.client.network
    try:
        name = default_account()
        address = party(name)
    except ForemanError as problem:
        return Finding("account", State.MISSING, problem.sentence, problem.hint)
    held = foreman.client.balance(address)
    sentence = f"{show.plain(name, 80)} {checksum(address)} holds {gen(held)}"
    if network.live and is_known(address):
        hint = "make one of your own: `foreman account new NAME`"
        return Finding("account", State.BROKEN, f"{name} is known to everyone, and refused on {network.name}", hint)
    if not held:
        return Finding("account", State.MISSING, sentence, f"`foreman account fund --network {network.name}`")
    return Finding("account", State.WORKS, sentence)
