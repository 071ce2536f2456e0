"""Rules about families: how many, their names, what they share."""
