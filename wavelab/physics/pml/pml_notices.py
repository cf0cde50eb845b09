"""What comes back from the layers of a scene, where that is more than open walls promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wavelab.physics.notices.frequencies import known_frequencies
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.pml.pml_pieces import Piece, edge_lengths
from wavelab.physics.pml.pml_reflection import PROMISED, UP_TO, Layer
from wavelab.scene.model.scene import Scene


def expected(scene: Scene, pieces: Sequence[Piece], operator: MaxwellTM) -> list[str]:
    """A sentence for each open edge that sends back more, with the number to expect."""
    worst: dict[str, tuple[float, str]] = {}
    for piece in pieces:
        edge = float(edge_lengths(operator.discretization)[piece.reached].mean())
        for layer, of_what in _seen(scene, piece, edge, operator):
            returned = layer.with_mesh()
            if returned > PROMISED and returned > worst.get(piece.edge, (0.0, ""))[0]:
                worst[piece.edge] = returned, _sentence(piece, layer, edge, of_what)
    return [text for _, text in worst.values()]


def _seen(
    scene: Scene, piece: Piece, edge: float, operator: MaxwellTM
) -> Iterator[tuple[Layer, str]]:
    """The layer as the longest and the shortest known waves see it."""
    order, elements = operator.discretization.order, piece.side.thickness / edge
    known = known_frequencies(scene)
    if not known:
        yield Layer(order, elements), ""
        return
    speed = float(operator.fastest[piece.reached].max())
    waves = [(f, each.what) for each in known for f in each.main]
    for frequency, what in (min(waves), max(waves)):
        wave = f" of the waves of length {speed / frequency:.3g} of {what}"
        yield Layer(order, elements, edge * frequency / speed), wave


def _sentence(piece: Piece, layer: Layer, edge: float, of_what: str) -> str:
    remedy = "; smaller elements or a higher order let less come back"
    enough = layer.thick_enough()
    if enough is not None:
        thick = f"{enough.elements * edge:.2g}"
        remedy = f"; {thick} thick, or with smaller elements, it keeps to {PROMISED:g}"
    return (
        f'the PML along "{piece.edge}" is {piece.side.thickness:.3g} thick, {layer.elements:.2g} '
        f"elements: up to {layer.with_mesh():.0e}{of_what} may come back at up to {UP_TO:g} "
        f"degrees{remedy}"
    )
