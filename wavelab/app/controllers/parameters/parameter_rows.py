"""What the sliders of the parameters show."""

from __future__ import annotations

from wavelab.app.panels.fields.value_slider import Notches
from wavelab.app.panels.parameter_panel import ShownParameter
from wavelab.app.session.session import Session
from wavelab.scene.editing.parameter_edits import usual_range, usual_step
from wavelab.scene.editing.typed_values import shown as as_typed
from wavelab.scene.editing.typed_values import shown_number
from wavelab.scene.model.parameter import Parameter
from wavelab.scene.model.scene import Scene


class ParameterRows:
    """Keeps the ends that sliders have where the scene does not say them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, tuple[Parameter, Notches]] = {}

    def forget(self) -> None:
        """Another scene runs."""
        self._known = {}

    def shown(self, scene: Scene, p: Parameter) -> ShownParameter:
        text = as_typed(p.value)
        if not p.settable:
            tip = f"{p.name} = {text}, so it follows and has no slider"
            return ShownParameter(
                p.name, p.title, shown_number(float(p.value)), float(p.value), p.unit, tip, None
            )
        notches = self.notches(scene, p)
        ends = f"From {shown_number(notches.low)} to {shown_number(notches.high)}"
        by = f" in steps of {shown_number(notches.step)}" if notches.step else ""
        lines = [f"{p.name}: {p.label}" if p.label else p.name, f"{ends}{by}"]
        if p.range is None:
            lines.append("(the scene gives no range: Properties does, by the right button)")
        if (saved := self.saved(p.name)) is not None:
            lines.append(f"Double click: back to {shown_number(saved)}, as it is saved")
        tip = "\n".join(lines)
        return ShownParameter(p.name, p.title, text, float(p.value), p.unit, tip, notches)

    def notches(self, scene: Scene, p: Parameter) -> Notches:
        """They stay while the value moves, also where the scene does not say them."""
        asked = (p.range, p.step)
        if (known := self._known.get(p.name)) is not None:
            before, notches = known
            inside = notches.low <= p.value <= notches.high
            if (before.range, before.step) == asked and inside:
                return notches
        low, high = p.range or usual_range(scene, p.name)
        step = p.step or usual_step(scene, p.name)
        notches = Notches(float(low), float(high), step if step is None else float(step))
        self._known[p.name] = (p, notches)
        return notches

    def saved(self, name: str) -> float | None:
        """The value on disk."""
        found = next((p for p in self._session.saved.parameters if p.name == name), None)
        return float(found.value) if found is not None and found.settable else None
