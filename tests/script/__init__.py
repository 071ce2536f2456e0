"""The script language: parser, runners, printing, comparison, random scripts and shrinking."""
