"""Commands by group of HBase's help. A command's module is imported when the command is first called."""
