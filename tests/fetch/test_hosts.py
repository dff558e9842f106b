"""The host map is exact, and a wrong entry is told apart from a right one."""

import pytest

from foreman.errors import BadInput
from foreman.fetch.hosts import HostMap, Place
from foreman.fetch.target import parse


def test_an_entry_serves_exactly_its_name_and_port() -> None:
    hosts = HostMap.parse(["Demo.Example.org:443:127.0.0.1:8080", "six.example.org:80:[::1]:81"])
    assert hosts.find(parse("https://demo.example.org/x")) == Place("127.0.0.1", 8080)
    assert str(hosts.find(parse("http://six.example.org/"))) == "[::1]:81"
    for other in ("http://demo.example.org/", "https://sub.demo.example.org/", "https://demo.example.org:8443/"):
        assert hosts.find(parse(other)) is None


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "demo",
        "demo:443",
        "demo:443:127.0.0.1",
        "demo:443:localhost:80",
        "demo:0:127.0.0.1:80",
        "demo:443:127.0.0.1:70000",
        "demo:443:127.0.0.1.1:80",
        "demo:443:127.1:80",
        "de mo:443:127.0.0.1:80",
        "demo:443:[zz]:80",
        "https://demo:443:127.0.0.1:80",
    ],
)
def test_a_wrong_entry_is_explained(entry: str) -> None:
    with pytest.raises(BadInput) as refusal:
        HostMap.parse([entry])
    assert refusal.value.code == "bad_host_map"
    assert "host:port:address:port" in refusal.value.hint or "port" in refusal.value.sentence


def test_one_name_leads_to_one_place() -> None:
    entry = "demo.example.org:443:127.0.0.1:8080"
    assert len(HostMap.parse([entry, entry]).places) == 1
    with pytest.raises(BadInput, match="mapped twice"):
        HostMap.parse([entry, "demo.example.org:443:127.0.0.1:8081"])
