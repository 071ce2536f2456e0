"""A bad and a good example for each rule, by what the rule is about."""
