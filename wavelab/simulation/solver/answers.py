"""What is told in answer to a question about the running wave."""

from __future__ import annotations

from wavelab.simulation.messages.commands import Measure, Question, TakeFields, TakePings
from wavelab.simulation.messages.events import FieldsTaken, MonitorRead, PingsTaken
from wavelab.simulation.solver.run import Run

Answer = MonitorRead | FieldsTaken | PingsTaken


def no_answer(question: Question) -> Answer:
    """Where nothing runs, or where it cannot be found."""
    match question:
        case Measure():
            return MonitorRead(None)
        case TakeFields():
            return FieldsTaken(None, None)
        case TakePings():
            return PingsTaken(None, None, 0.0)


def answer(question: Question, run: Run) -> Answer:
    """What is asked for, of this moment.

    Raises
    ------
    WavelabError : the device cannot be read; so may any error of a driver.
    """
    simulation = run.simulation
    match question:
        case Measure(number) if number < len(simulation.problem.monitors):
            return MonitorRead(simulation.measured_by(number))
        case TakeFields():
            return FieldsTaken(simulation.problem, simulation.state())
        case TakePings():
            return PingsTaken(simulation.problem.scene, run.pings.replay(), simulation.time)
    return no_answer(question)
