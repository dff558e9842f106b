"""What a network says when it starts: where it is, who judges, which accounts there are to play with."""

from collections import Counter

from rich.text import Text

from foreman import __version__
from foreman.cli import show
from foreman.cli.stage.evidence import HOST
from foreman.localnet.accounts import DEV_ACCOUNTS, MNEMONIC
from foreman.localnet.serve import Running
from foreman.money import format_gen
from foreman.settings import Settings


def banner(running: Running) -> list[tuple[str, list[str]]]:
    """The sections: a heading, and its lines."""
    node, origin = running.node, running.origin
    settings = node.settings
    judges = Counter(seat["judge"] for seat in node.seats())
    sections = [
        (
            "Network",
            [
                f"Web app    {f'{origin}/' if running.web else 'not built here; `make up` builds it where Node is'}",
                f"RPC        {origin}/api",
                f"Events     {origin}/events",
                f"Chain id   {settings.chain_id}",
                f"State      {settings.state_dir or 'a temporary folder that goes when the network stops'}",
                f"Judges     {', '.join(f'{count} × {name}' for name, count in judges.items())}",
            ],
        ),
        ("Contracts", [f"{name:<16}{address}" for name, address in node.contracts().items()]),
    ]
    if settings.dev:
        sections.append(("Accounts (known to everyone: play money only)", _accounts(running)))
    mapped = [entry for entry in settings.host_map if not entry.startswith(f"{HOST}:")]
    if mapped:
        sections.append(("Host map", mapped))
    if running.samples:
        width = max(len(sample["url"]) for sample in running.samples) + 2
        lines = [f"{sample['url']:<{width}}{sample['note']}" for sample in running.samples]
        sections.append(("Sample deliverables", lines))
    return sections


def _accounts(running: Running) -> list[str]:
    lines = []
    for number, known in enumerate(DEV_ACCOUNTS):
        wei = running.node.balance(bytes.fromhex(known.address[2:]))
        lines.append(f"dev{number}  {known.address}  {format_gen(wei)} GEN\n      0x{known.key}")
    return [*lines, f"Mnemonic   {MNEMONIC}", "Path       m/44'/60'/0'/0/INDEX"]


def warnings(settings: Settings) -> list[str]:
    """What whoever starts this should think about."""
    found = []
    if settings.allow_contracts:
        found.append("Any contract runs here, with the rights of this process. Deploy only code you trust.")
    if settings.test_doubles:
        found.append(
            "Test doubles are taken: a transaction may bring its own jury, pages and date, or ask for one seat."
        )
    return found


def print_banner(running: Running) -> None:
    """Print the sections on stdout."""
    out = show.out()
    out.print(Text(f"Foreman {__version__}: a GenLayer network on this machine", "bold"))
    for heading, lines in banner(running):
        out.print()
        out.print(Text(heading, "bold cyan"))
        for line in lines:
            out.print(Text("  " + line.replace("\n", "\n  ")), soft_wrap=True)
    for warning in warnings(running.node.settings):
        out.print()
        out.print(Text("! " + warning, "bold yellow"), soft_wrap=True)
    out.print(Text("\nListening. Ctrl-C stops it.", "dim"))
