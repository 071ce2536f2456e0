"""Files that HBase wrote, and HBase as the judge of those that we write."""
