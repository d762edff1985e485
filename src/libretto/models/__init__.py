"""Language models and whoever else answers in words: clients by name, their cost, every call on paper."""
