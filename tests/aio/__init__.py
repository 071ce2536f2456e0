"""`rowstone.aio`: what the twins promise beyond what the blocking classes do."""
