"""Tables of n and k become poles that give them back, and files that are none say why."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.cli import main
from wavelab.errors import SceneError
from wavelab.numerics.spectra.pole_fit import fit_poles
from wavelab.physics.materials.table_fit import fitted
from wavelab.scene.media.library import light_medium, named_entry
from wavelab.scene.media.permittivity import permittivity
from wavelab.scene.media.tables import read_index_table
from wavelab.scene.toml.toml_io import parse_scene

WAVELENGTHS = np.linspace(0.35, 1.6, 50)


def table_of(name: str, path, *, apart: bool = False, separator: str = ","):
    """A file with n and k of a medium of the library, in micrometres."""
    medium = light_medium("light", named_entry("light", name), 1.0)
    root = np.sqrt(permittivity(medium.epsilon, medium.poles, 1 / WAVELENGTHS))
    n, k = root.real, -root.imag
    if apart:
        blocks = [("wl,n", n), ("wl,k", k)]
        text = "\n".join(
            "\n".join(
                [
                    head,
                    *(
                        f"{w!r},{v!r}"
                        for w, v in zip(WAVELENGTHS.tolist(), values.tolist(), strict=True)
                    ),
                    "",
                ]
            )
            for head, values in blocks
        )
    else:
        rows = zip(WAVELENGTHS.tolist(), n.tolist(), k.tolist(), strict=True)
        text = "\n".join(separator.join(map(repr, row)) for row in rows)
    path.write_text(text)
    return read_index_table(path)


@pytest.mark.parametrize("name", ["Silver", "Gold", "Copper", "Aluminium", "Fused silica"])
@pytest.mark.parametrize("length", [1.0, 0.2])
def test_a_measured_medium_is_a_few_poles(name, length, tmp_path):
    table = table_of(name, tmp_path / "it.csv")
    medium, fit = fitted(table, length, most=6, tolerance=0.01)
    assert fit.error < 0.015
    assert len(medium.poles) <= 6
    found = permittivity(medium.epsilon, medium.poles, length / table.wavelength)
    measured = (table.n - 1j * table.k) ** 2
    off = np.abs(found - measured) / np.abs(measured)
    assert np.sqrt(np.mean(off**2)) == pytest.approx(fit.error, rel=0.01)


def test_what_is_poles_is_found_again():
    frequency = np.linspace(0.3, 3, 80)
    w = 2 * np.pi * frequency
    epsilon = 2.5 + 1.7 * (2 * np.pi * 1.4) ** 2 / ((2 * np.pi * 1.4) ** 2 - w**2 + 0.9j * w)
    fit = fit_poles(frequency, epsilon, tolerance=1e-6)
    assert fit.error < 1e-6
    ((resonance, strength, damping),) = fit.bound
    assert (fit.epsilon, resonance, strength, damping) == pytest.approx(
        (2.5, 1.4, 1.7, 0.9), rel=1e-4
    )


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.floats(0.2, 5), st.floats(0, 3)), min_size=3, max_size=6),
    st.floats(0.01, 100),
)
def test_whatever_is_measured_the_fit_gives_no_energy(rows, scale):
    n, k = np.array(rows).T
    frequency = scale * np.linspace(1, 2, len(n))
    fit = fit_poles(frequency, (n - 1j * k) ** 2, most=2)
    everywhere = scale * np.geomspace(1e-3, 1e3, 200)
    assert (fit(everywhere).imag <= 1e-12 * np.abs(fit(everywhere))).all()
    assert np.isfinite(fit.error)


@pytest.mark.parametrize("separator", [",", ";", "\t", "  "])
def test_tables_come_in_many_forms(tmp_path, separator):
    one = table_of("Gold", tmp_path / "a.csv", separator=separator)
    other = table_of("Gold", tmp_path / "b.csv", apart=True)
    for name in ("wavelength", "n", "k"):
        assert np.allclose(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no table"),
        ("wavelength, n, k\n", "no table"),
        ("0.5\n0.6\n0.7", "no table"),
        ("0.5,1\n0.6,1", "2 rows"),
        ("0.5,1\n0.5,1\n0.6,2", "twice"),
        ("0.5,1,0\n0.6,1,0\n0.7,1", "line 3 has 2 numbers"),
        ("0,1\n0.5,1\n0.6,1", "greater than 0"),
        ("0.4,1\n0.5,nan\n0.6,1", "not finite"),
        ("0.4,1\n0.5,-2\n0.6,1", "negative"),
        ("0.4,0\n0.5,0\n0.6,0", "zeros"),
    ],
)
def test_what_is_no_table_says_why(tmp_path, text, words):
    path = tmp_path / "it.csv"
    path.write_text(text)
    with pytest.raises(SceneError, match=words):
        read_index_table(path)


def test_the_command_prints_lines_of_a_scene_and_a_plot(tmp_path, capsys):
    table_of("Silver", tmp_path / "silver.csv")
    plot = tmp_path / "fit.png"
    assert main(["media", "--fit", str(tmp_path / "silver.csv"), "--plot", str(plot)]) == 0
    printed = capsys.readouterr().out
    assert plot.stat().st_size > 1000
    lines = printed[: printed.index("wrote")]
    scene = parse_scene(
        f'[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]\n[background]\n{lines}'
        "[solver]\nelement_size = 0.2\n"
    )
    assert scene.background.poles
    assert main(["media", "gold", "--length", "0.5"]) == 0
    assert "drude" in capsys.readouterr().out
    assert main(["media"]) == 0
    assert "Sea water" in capsys.readouterr().out
    assert main(["media", "gould"]) == 2
    assert "Gold" in capsys.readouterr().err
