"""Random scripts, and making a failing one small."""
