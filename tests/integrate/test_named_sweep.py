"""Sweeps as the command writes them run in Python too; what is no place for a store is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main


def test_the_template_of_the_command_runs_in_python(tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    assert main(["new", str(file), "--sweep"]) == 0
    found = nh.sweep(file)
    assert found.sizes["member"] == 8 and (tmp_path / "many.zarr").is_dir()
    sleigh = nh.gallery.get("chaplygin-sleigh")
    alone = nh.simulate(
        sleigh.system, {"v": 0.5, "omega": 0.5}, 5.0, {**sleigh.parameters, "m": 1.0, "a": 0.2}, t_eval="end"
    )
    assert float(found["final_theta"][0]) == alone.final["theta"]


def test_a_name_that_is_no_system_is_refused(tmp_path: Path) -> None:
    words = {"until": 1.0, "grid": {"a": [0.1, 0.2]}}
    with pytest.raises(nh.ModelError, match="did you mean 'chaplygin-sleigh'"):
        nh.sweep({**words, "system": "chaplygin-sliegh"}, store=tmp_path / "s.zarr")
    with pytest.raises(nh.ModelError, match="string is a field"):
        nh.sweep({**words, "system": "string"}, store=tmp_path / "s.zarr")


@pytest.mark.parametrize("store", [5, 2.5, True, ""])
def test_a_number_is_no_place_for_a_store(store: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = {"system": "chaplygin-sleigh", "until": 1.0, "grid": {"a": [0.1, 0.2]}}
    with pytest.raises(nh.ModelError, match="give the name of a folder"):
        nh.sweep(words, store=store)  # type: ignore[arg-type]
    with pytest.raises(nh.ModelError, match=r"until = 'None'; give a number"):
        nh.sweep({**words, "until": None}, store="s.zarr")
    assert list(tmp_path.iterdir()) == []
