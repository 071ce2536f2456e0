"""The rules, a module for each subject. A rule is a check under the decorator `rowstone.schema.advise._rule.rule`."""
