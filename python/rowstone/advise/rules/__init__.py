"""The rules, by what they are about; each is a module with a `RULE`."""
