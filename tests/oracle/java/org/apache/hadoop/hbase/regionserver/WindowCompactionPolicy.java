package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;

/**
 * HBase's own selection, except while {@link #window} is set: then exactly those files are taken.
 * A script can so compact a chosen part of the files without tuning their sizes.
 */
public class WindowCompactionPolicy extends ExploringCompactionPolicy {
  /** {first file, number of files}, oldest file first; null means HBase chooses. */
  static int[] window;

  public WindowCompactionPolicy(Configuration conf, StoreConfigInformation store)
    throws IOException {
    super(conf, store);
  }

  @Override
  public List<HStoreFile> applyCompactionPolicy(List<HStoreFile> candidates, boolean mightBeStuck,
    boolean mayUseOffPeak, int minFiles, int maxFiles) {
    if (window == null) {
      return super.applyCompactionPolicy(candidates, mightBeStuck, mayUseOffPeak, minFiles,
        maxFiles);
    }
    int end = window[0] + window[1];
    return end > candidates.size()
      ? new ArrayList<>()
      : new ArrayList<>(candidates.subList(window[0], end));
  }
}
