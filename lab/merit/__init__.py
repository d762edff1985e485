"""Better and worse, learnt: pairs whose order is known, what is weighed, and how often the weighing is right."""
