"""Pages are looked at where there is a browser; where they have to be, its absence is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOOKING = """
from browser import in_browser, seen

@in_browser
def test_page(tmp_path):
    seen(tmp_path / "page.html", 1280)
"""


@pytest.mark.parametrize(("pages", "outcome"), [("", "1 skipped"), ("required", "1 failed")])
def test_pages_that_nobody_can_look_at_fail_where_they_are_required(
    tmp_path: Path, pages: str, outcome: str
) -> None:
    (tmp_path / "test_looking.py").write_text(LOOKING)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rsf", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env=os.environ
        | {"PATH": str(tmp_path), "CAROM_PAGES": pages, "COLUMNS": "200"}
        | {"PYTHONPATH": str(ROOT / "tests" / "documentation")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert outcome in done.stdout, done.stdout + done.stderr
    assert "`make browser` installs one" in done.stdout


def install(path: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """Run .ci/browser where only these commands, and what shell scripts always have, are found."""
    for name in ("env", "mktemp", "rm", "tail", "timeout", "touch", "chmod"):
        (path / name).symlink_to(shutil.which(name) or f"no {name}")
    for name, script in commands.items():
        (path / name.replace("_", "-")).write_text(f"#!/bin/sh\n{script}\n")
        (path / name.replace("_", "-")).chmod(0o755)
    return subprocess.run(
        [shutil.which("bash") or "bash", str(ROOT / ".ci" / "browser")],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="apt-get is Debian's")
class TestInstalling:
    ROOT_USER = "echo 0"
    SOMEBODY = "echo 1000"

    def test_a_browser_that_is_there_is_taken(self, tmp_path: Path) -> None:
        done = install(tmp_path, google_chrome="exit 0")
        assert done.returncode == 0
        assert f"in {tmp_path}/google-chrome." in done.stdout

    def test_what_apt_installs_is_found(self, tmp_path: Path) -> None:
        chromium = tmp_path / "chromium"
        apt = f'case "$*" in *install*chromium) touch {chromium}; chmod +x {chromium};; esac'
        done = install(tmp_path, id=self.ROOT_USER, apt_get=apt)
        assert done.returncode == 0, done.stderr
        assert str(chromium) in done.stdout

    def test_what_apt_says_when_it_fails_is_shown(self, tmp_path: Path) -> None:
        done = install(tmp_path, id=self.ROOT_USER, apt_get="echo no such host >&2; exit 100")
        assert done.returncode == 1
        assert "no such host" in done.stderr
        assert "apt-get install ended with status 100" in done.stderr

    def test_a_package_without_a_browser_is_a_failure(self, tmp_path: Path) -> None:
        done = install(tmp_path, id=self.ROOT_USER, apt_get="exit 0")
        assert done.returncode == 1
        assert "no browser is on PATH" in done.stderr

    def test_who_may_not_install_is_told(self, tmp_path: Path) -> None:
        done = install(tmp_path, id=self.SOMEBODY, apt_get="exit 0")
        assert done.returncode == 1
        assert "only root may install it" in done.stderr

    def test_systems_without_apt_are_told_what_to_install(self, tmp_path: Path) -> None:
        done = install(tmp_path)
        assert done.returncode == 1
        assert "no apt-get" in done.stderr and "Install chromium or Google Chrome" in done.stderr
