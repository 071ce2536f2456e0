"""One table from 100,000 to a billion cells: rate of the load, memory, amplification, cost of reads, time to open."""
