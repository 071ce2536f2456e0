"""The script language: parser, printing, comparison; runners and random scripts in subfolders."""
