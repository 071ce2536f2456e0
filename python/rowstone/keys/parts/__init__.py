"""Parts of row keys: numbers, text, times, hashes, buckets, and HBase's OrderedBytes."""
