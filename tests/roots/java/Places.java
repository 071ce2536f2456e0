package org.apache.hadoop.hbase.regionserver;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;

/** A table through its servers, or a snapshot's files without them. */
final class Places {
  private static final String SNAPSHOT = "snapshot:";

  private final Configuration conf;
  private final Connection connection;
  private final Path root;
  private final Path scratch;

  Places(Configuration conf, Connection connection, Path root, Path scratch) {
    this.conf = conf;
    this.connection = connection;
    this.root = root;
    this.scratch = scratch;
  }

  void read(String place, TableName table, Scan scan, Consumer<Result> reader) throws Exception {
    if (place.startsWith(SNAPSHOT)) {
      String snapshot = place.substring(SNAPSHOT.length());
      try (TableSnapshotScanner scanner = new TableSnapshotScanner(conf, root, scratch, snapshot, scan)) {
        readAll(scanner, reader);
      }
      return;
    }
    try (Table opened = connection.getTable(table); ResultScanner scanner = opened.getScanner(scan)) {
      readAll(scanner, reader);
    }
  }

  private static void readAll(ResultScanner scanner, Consumer<Result> reader) throws Exception {
    for (Result result = scanner.next(); result != null; result = scanner.next()) {
      reader.accept(result);
    }
  }

  /** Nanoseconds from before the scanner is opened until it is closed; results and cells. */
  String time(String place, TableName table, Scan scan) throws Exception {
    long[] counts = new long[2];
    long began = System.nanoTime();
    read(place, table, scan, result -> {
      counts[0]++;
      counts[1] += result.size();
    });
    return (System.nanoTime() - began) + " " + counts[0] + " " + counts[1];
  }
}
