"""Choose what happens at an edge: point at one, click it, and say what kind of wall it is."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.tools.tool import GRAB_PIXELS, LineMark, Overlay, PointerEvent, Tool, line_marks
from wavelab.output.edge_lines import EdgeLines, middle, nearest_edge


class WallTool(Tool):
    """Click picks an edge; while a partner is looked for, it picks the other edge of a pair.

    Shift and a click pick one more, a double click all of an outline.  Tab goes from edge to edge
    (from partner to partner), Enter picks, Escape lets go.

    Parameters
    ----------
    picked : called with the name of the edge that was picked, None when it is let go.
    glue : called with the two edges of a periodic pair.
    open_panel : called when Enter is pressed on the picked edge: the keys go to the panel.
    edges : returns the lines of all edges by name.
    describe : returns in words what an edge is now.
    partners : returns, of the other edges, why each cannot be glued to the given one, "" if it can.
    """

    label, icon, shortcut = "Wall", "ph.bounding-box", "W"
    tooltip = "Choose what happens at an edge: click one, then its kind of wall"
    gestures = (
        ("Click", "Pick an edge, or the partner of a periodic one"),
        ("Shift + click", "Pick one more, or one less"),
        ("Double click", "Pick all edges of an outline"),
        ("Tab", "The next edge, or the next partner that fits"),
        ("Enter", "Choose the wall of the edge that is picked"),
        ("Esc", "Let go of the edge"),
    )

    def __init__(
        self,
        picked: Callable[[str | None], None],
        *,
        glue: Callable[[str, str], object] = lambda *_: None,
        open_panel: Callable[[], None] = lambda: None,
        edges: Callable[[], EdgeLines] = dict,
        describe: Callable[[str], str] = lambda _: "conductor",
        partners: Callable[[str], dict[str, str]] = lambda _: {},
    ) -> None:
        self._picked_up = picked
        self._glue = glue
        self._open_panel = open_panel
        self._edges = edges
        self._describe = describe
        self._partners = partners
        self._under: str | None = None
        self.picked: str | None = None  #: the last
        self._others: tuple[str, ...] = ()
        self.gluing = False

    @property
    def all_picked(self) -> tuple[str, ...]:
        """All edges that are picked, the last at the end."""
        return () if self.picked is None else (*self._others, self.picked)

    def pick_all(self) -> None:
        """All edges of the outline or obstacle that the picked one belongs to."""
        if self.picked is not None:
            owner, dot, _ = self.picked.partition(".")
            names = [name for name in self._edges() if dot and name.startswith(f"{owner}.")]
            self._others = tuple(name for name in names if name != self.picked)
            self.gluing = False
            self._picked_up(self.picked)

    @property
    def hint(self) -> str:
        if self.gluing and self.picked is not None:
            reason = self._reason(self._under)
            if reason:
                return f"{reason}; Esc gives up"
            if self._under is not None and self._under != self.picked:
                return f"Click to glue {self.picked} to {self._under}; Esc gives up"
            if not any(why == "" for why in self._partners(self.picked).values()):
                return f"No other straight edge is as long as {self.picked}; Esc gives up"
            return (
                f"Click the edge to glue {self.picked} to; Tab: the next that fits, Enter: this one"
            )
        if self._under is not None and self._under != self.picked:
            return f"{self._under}: {self._describe(self._under)}. Click to choose another wall"
        if self._others:
            return (
                f"{len(self.all_picked)} edges are picked. Choose their wall at the right (Enter)"
            )
        if self.picked is not None:
            return (
                f"{self.picked}: {self._describe(self.picked)}. Choose at the right (Enter); Shift+"
                "click: one more, double click: all of the outline"
            )
        return "Click an edge to choose what happens there; Tab: from edge to edge"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._under = self._nearest(event)
        if event.shift and not self.gluing:
            self._toggle(self._under)
        elif event.double and not self.gluing and self._under == self.picked:
            self.pick_all()
        else:
            self._take()

    def move(self, event: PointerEvent) -> None:
        self._under = self._nearest(event)

    def leave(self) -> None:
        self._under = None

    def wants_key(self, name: str) -> bool:
        if name == "Escape":
            return self.gluing or self.picked is not None
        return name in ("Tab", "Enter") and bool(self._edges())

    def use_key(self, name: str) -> None:
        if name == "Tab":
            self._next()
        elif name == "Enter":
            if self._under is None or self._under == self.picked:
                self._open_panel()
            else:
                self._take()
        elif self.gluing:
            self.gluing = False
            self._picked_up(self.picked)
        else:
            self._pick(None)

    def look_for_partner(self) -> None:
        """From now on a click picks the other edge of a periodic pair."""
        self.gluing, self._under = self.picked is not None, None

    def overlay(self) -> Overlay:
        lines = self._edges()
        strokes: list[LineMark] = []
        if self.gluing and self.picked is not None:
            for name, why in self._partners(self.picked).items():
                tone = "faint" if why else "fitting"
                strokes += line_marks(lines.get(name, ()), tone)
        picked = [(edge, "picked") for edge in self.all_picked]
        for edge, tone in ((self._under, "hover"), *picked):
            if edge is None or edge not in lines or (edge == self._under and self._reason(edge)):
                continue
            strokes += line_marks(lines[edge], tone)
        shown = self._under or self.picked
        if shown is None or shown not in lines:
            return Overlay(strokes=tuple(strokes))
        label = f"{shown}: {self._describe(shown)}"
        return Overlay(strokes=tuple(strokes), label=label, label_at=middle(lines[shown]))

    def let_go(self) -> None:
        """Nothing is picked."""
        if self.picked is not None:
            self._pick(None)

    def forget_lost(self) -> None:
        """Let go of what is no longer there."""
        known = self._edges()
        if self.picked is not None and self.picked not in known:
            self._pick(None)
        self._others = tuple(edge for edge in self._others if edge in known)

    def _take(self) -> None:
        """Pick what is under the pointer, or glue it to what was picked."""
        if not self.gluing or self.picked is None:
            self._pick(self._under)
        elif (
            self._under is not None and self._under != self.picked and not self._reason(self._under)
        ):
            one, other = self.picked, self._under
            self.gluing = False
            self._glue(one, other)
            self._picked_up(one)

    def _toggle(self, edge: str | None) -> None:
        """One more, or one less."""
        picked = self.all_picked
        if edge is None:
            return
        left = tuple(other for other in picked if other != edge)
        picked = left if edge in picked else (*picked, edge)
        self._pick(picked[-1] if picked else None)
        self._others = picked[:-1]
        self._picked_up(self.picked)

    def _pick(self, edge: str | None) -> None:
        self.picked, self._others, self.gluing = edge, (), False
        self._picked_up(edge)

    def _next(self) -> None:
        names = list(self._edges())
        if self.gluing and self.picked is not None:
            names = [name for name, why in self._partners(self.picked).items() if not why]
        if names:
            now = self._under if self._under in names else self.picked
            self._under = names[(names.index(now) + 1) % len(names) if now in names else 0]
            if not self.gluing:
                self._pick(self._under)

    def _reason(self, edge: str | None) -> str:
        """Why an edge cannot be the partner that is looked for."""
        if not self.gluing or self.picked is None or edge is None:
            return ""
        return self._partners(self.picked).get(edge, "")

    def _nearest(self, event: PointerEvent) -> str | None:
        return nearest_edge(self._edges(), event.x, event.y, GRAB_PIXELS * event.pixel)
