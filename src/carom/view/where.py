"""Where Python runs: beside the browser, or on another machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

# What tells, by the variables that they set, that Python is not where the browser is.
ELSEWHERE = {
    "JUPYTERHUB_SERVICE_PREFIX": "JupyterHub",
    "JUPYTERHUB_USER": "JupyterHub",
    "COLAB_RELEASE_TAG": "Colab",
    "KAGGLE_KERNEL_RUN_TYPE": "Kaggle",
    "BINDER_SERVICE_HOST": "Binder",
    "DATABRICKS_RUNTIME_VERSION": "Databricks",
    "CODESPACES": "a codespace",
    "REMOTE_CONTAINERS": "a container of VS Code",
    "SSH_CONNECTION": "another machine, over ssh",
}
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def elsewhere(variables: Mapping[str, str] = os.environ) -> str:
    """The kind of place that Python runs in, if the browser is on another machine."""
    return next((place for name, place in ELSEWHERE.items() if variables.get(name)), "")


def has_screen(variables: Mapping[str, str] = os.environ) -> bool:
    """Whether a browser can open a window here; one for text would take over the terminal."""
    return sys.platform != "linux" or any(variables.get(name) for name in SCREENS)
