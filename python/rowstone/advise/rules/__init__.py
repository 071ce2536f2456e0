"""The rules, a module for each subject. A rule is a check under the decorator `rowstone.advise._rule.rule`."""
