package org.apache.hadoop.hbase;

/** Stands for the cluster that tests start; see {@link HBaseTestingUtility}. */
public final class MiniHBaseCluster {
  public boolean waitForActiveAndReadyMaster() {
    return true;
  }
}
