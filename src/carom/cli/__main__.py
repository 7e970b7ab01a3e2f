"""``python -m carom.cli``, where the command ``carom`` is not on the path."""

from carom.cli import main

main()
