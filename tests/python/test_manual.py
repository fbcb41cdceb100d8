"""The code on the package's page, run as one program."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "apps" / "python" / "README.md"


def test_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
    said = capsys.readouterr().out
    for mistake in ("did you mean 'b2'?", "vdot: expected shape (18,); (3,) came", "did you mean 'canal'?",
                    "LoadError arm.urdf: no such file"):
        assert mistake in said
