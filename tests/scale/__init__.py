"""Much data, little memory."""
