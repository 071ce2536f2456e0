"""Areas of `Admin`: each a class, with the classes of its results."""
