"""A real Apache HBase for tests: master, region server and ZooKeeper in one process, on free ports of this machine."""
