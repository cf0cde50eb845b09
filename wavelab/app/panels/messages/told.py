"""What a message bar has to say: the errors, and the news, that came together."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Errors that are kept at once.
MOST_ERRORS = 4


@dataclass
class Told:
    """Attributes
    ----------
    errors : each with its remedy, the newest first.
    news : a line each, the newest last.
    """

    errors: list[tuple[str, str]] = field(default_factory=list)
    news: list[str] = field(default_factory=list)

    def complain(self, text: str, remedy: str, *, together: bool) -> None:
        """Another error; in place of the news, and of errors unless it came ``together`` with
        them."""
        others = [error for error in self.errors if error != (text, remedy)]
        self.errors = [(text, remedy), *(others if together else [])][:MOST_ERRORS]
        self.news = []

    def inform(self, text: str, *, together: bool) -> None:
        """Another line of news; in place of the older ones unless it came ``together`` with them.

        What ends in an ellipsis has come to an end when there is more to say.
        """
        still = self._still() if together else []
        self.news = list(dict.fromkeys([*still, *text.splitlines()]))

    def withdraw(self, text: str) -> bool:
        """Take an error away, or lines of news if all of them are there; whether they were."""
        errors = [error for error in self.errors if error[0] != text]
        gone = set(text.splitlines())
        news = [line for line in self.news if line not in gone]
        if len(errors) < len(self.errors):
            self.errors = errors
        elif gone and gone <= set(self.news):
            self.news = news
        else:
            return False
        return True

    def newest(self, room: list[int], most: int) -> list[str]:
        """The last of the news, as many as fit.

        Parameters
        ----------
        room : lines of text that each takes.
        most : lines of text that there are; the newest is shown even if it takes more.
        """
        first = len(self.news)
        while first and (sum(room[first - 1 :]) <= most or first == len(self.news)):
            first -= 1
        return self.news[first:]

    def _still(self) -> list[str]:
        return [line for line in self.news if not line.endswith("\u2026")]

    def __bool__(self) -> bool:
        return bool(self.errors or self.news)
