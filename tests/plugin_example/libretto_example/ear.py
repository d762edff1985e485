"""An ear more: it says the most usual answer to everything."""

from libretto.listen.ears import Heard, Question


class ExampleEar:
    """An ear that does not listen."""

    name = "example"
    model = False

    def hear(self, question: Question) -> Heard:
        """The constant answer."""
        return Heard(question.form.write(question.trial.kind.constant))


def make_ear(model: str, condition: str) -> ExampleEar:
    """The ear, whatever model and condition are asked for."""
    return ExampleEar()
