"""Draws `docs/images/recording.svg`: a session in a terminal, with the output of real commands.

python docs/_site/recording.py
"""

from __future__ import annotations

import subprocess
import tempfile
from html import escape
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "images/recording.svg"
SHELL = """create 'webtable', {NAME => 'anchor', VERSIONS => 3}
put 'webtable', 'com.cnn.www', 'anchor:cnnsi.com', 'CNN'
scan 'webtable', {ROWPREFIXFILTER => 'com.'}
"""
COMMANDS = {
    "rowstone shell ./crawl": SHELL,
    "rowstone get ./crawl webtable com.cnn.www": "",
    "rowstone check ./crawl": "",
}
PROMPTS = ("$ ", "hbase:")
LINE, LEFT, WIDTH = 19, 16, 760
STYLE = """
    .screen { fill: #f6f8fa; stroke: #d0d7de; } .out { fill: #57606a; } .in { fill: #1f2328; font-weight: 600; }
    g { animation: appear 1ms both; }
    @keyframes appear { from { visibility: hidden; } }
    @media (prefers-reduced-motion: reduce) { g { animation: none; } }
    @media (prefers-color-scheme: dark) {
      .screen { fill: #161b22; stroke: #30363d; } .out { fill: #9da7b3; } .in { fill: #e6edf3; }
    }
"""


def record() -> list[str]:
    """The lines of the session: commands with their prompts, and what they print."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for command, typed in COMMANDS.items():
            done = subprocess.run(
                command.split(), input=typed, capture_output=True, text=True, cwd=folder, check=True, timeout=60
            )
            printed = done.stdout.rstrip().splitlines()
            if typed:  # The greeting before the first prompt, and the prompt after the last command.
                first = next(number for number, line in enumerate(printed) if line.startswith(PROMPTS))
                printed = printed[first:-1]
            lines += [f"$ {command}", *printed]
    return lines


def draw(lines: list[str]) -> str:
    """The lines as a picture, in which one step after the other appears."""
    parts, step = [], -1
    for number, line in enumerate(lines):
        is_input = line.startswith(PROMPTS)
        if is_input:
            step += 1
            parts.append(f'{"</g>" if step else ""}<g style="animation-delay: {step * 1.2:.1f}s">')
        place = f'x="{LEFT}" y="{(number + 1) * LINE + 8}"'
        parts.append(f'<text class="{"in" if is_input else "out"}" {place} xml:space="preserve">{escape(line)}</text>')
    height = len(lines) * LINE + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="A table is created, written and read in HBase\'s shell, and checked" '
        f'font-family="ui-monospace, monospace" font-size="13">\n  <style>{STYLE}  </style>\n'
        f'  <rect class="screen" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="8"/>\n  '
        + "\n  ".join(parts)
        + "</g>\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(record()))
