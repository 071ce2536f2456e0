package org.apache.hadoop.hbase.regionserver;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Fills the tables of an HBase, takes snapshots, and prints what HBase's own readers find.
 *
 * <pre>
 * RootSession HOST:PORT ROOT SCRATCH    of the registry; hbase.rootdir as a URI; a folder of the same file system
 *
 * namespace NAME
 * alter FAMILY[,KEY=VALUE...]           as in `table`, of an existing family
 * fill CELLS SEED FROM TO               random cells with timestamps from FROM up to TO: see {@link Filling}
 * load FOLDER                           bulk load of FOLDER/FAMILY/FILE
 * compactions on|off                    of all servers
 * compact                               a minor one
 * disable                               the table
 * split ROW | merge ROW                 the region of the row, at it; or with the next region
 * snapshot NAME [SKIPFLUSH] | unsnapshot NAME | clone NAME TABLE | restore NAME
 * dump PLACE scan...                    "rows cells sha256" of what a scan finds: see {@link Dump}
 * lines PLACE FILE scan...              the same, and the cells into a file, one a line
 * time PLACE scan...                    "nanoseconds rows cells"
 * </pre>
 *
 * PLACE is `live`, the current table through its servers; or `snapshot:NAME`, by TableSnapshotScanner. All else is
 * what {@link ClientOracle} knows; `named NAME` makes another table the current one.
 */
public final class RootSession extends ClientOracle {
  private static final long WAIT_SECONDS = 120;

  private final Configuration conf;
  private final Path root;
  private final Path scratch;

  private RootSession(PrintStream out, Connection connection, String root, String scratch) throws Exception {
    super(out, connection);
    this.conf = connection.getConfiguration();
    this.root = new Path(root);
    this.scratch = new Path(scratch);
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = output();
    Configuration conf = configuration(args[0]);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 10);
    // Where the snapshot scanner looks for large values.
    conf.set(HConstants.HBASE_DIR, args[1]);
    conf.set("fs.defaultFS", args[1]);
    // Asks sooner whether the master has finished.
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 10);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      new RootSession(out, connection, args[1], args[2]).serve();
    }
    Runtime.getRuntime().halt(0);
  }

  @Override
  void execute(String[] words) {
    try {
      run(words);
    } catch (Exception error) {
      String message = String.valueOf(error.getMessage());
      out.println("!! " + error.getClass().getSimpleName() + ": " + message.replace('\n', ' '));
    }
  }

  private void run(String[] words) throws Exception {
    switch (words[0]) {
      case "dump":
      case "lines":
      case "time":
        read(words);
        return;
      case "snapshot":
        SnapshotType type = words.length > 2 ? SnapshotType.valueOf(words[2]) : SnapshotType.FLUSH;
        admin.snapshot(words[1], name, type);
        return;
      case "unsnapshot":
        admin.deleteSnapshot(words[1]);
        return;
      case "clone":
        admin.cloneSnapshot(words[1], TableName.valueOf(words[2]));
        return;
      case "restore":
        admin.disableTable(name);
        admin.restoreSnapshot(words[1]);
        admin.enableTable(name);
        return;
      default:
        if (!maintain(words)) {
          super.execute(words);
        }
    }
  }

  private boolean maintain(String[] words) throws Exception {
    switch (words[0]) {
      case "namespace":
        admin.createNamespace(NamespaceDescriptor.create(words[1]).build());
        return true;
      case "alter":
        admin.modifyColumnFamily(name, OracleRegion.family(words[1].split(",")));
        return true;
      case "fill":
        new Filling(connection, name, Long.parseLong(words[2])).write(Long.parseLong(words[1]),
          Long.parseLong(words[3]), Long.parseLong(words[4]));
        return true;
      case "load":
        BulkLoadHFiles.create(conf).bulkLoad(name, new Path(words[1]));
        return true;
      case "compactions":
        admin.compactionSwitch(words[1].equals("on"), Collections.emptyList());
        return true;
      case "disable":
        admin.disableTable(name);
        return true;
      case "compact":
        admin.compact(name);
        waitForCompaction();
        return true;
      case "split":
        byte[] row = Text.bytes(words[1]);
        admin.splitRegionAsync(region(row).getRegionName(), row).get(WAIT_SECONDS, TimeUnit.SECONDS);
        return true;
      case "merge":
        merge(region(Text.bytes(words[1])));
        return true;
      default:
        return false;
    }
  }

  private RegionInfo region(byte[] row) throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getRegionLocation(row, true).getRegion();
    }
  }

  private void merge(RegionInfo region) throws Exception {
    List<RegionInfo> regions = admin.getRegions(name);
    regions.sort(Comparator.comparing(RegionInfo::getStartKey, Bytes.BYTES_COMPARATOR));
    byte[][] pair = { region.getEncodedNameAsBytes(),
      regions.get(regions.indexOf(region) + 1).getEncodedNameAsBytes() };
    admin.mergeRegionsAsync(pair, false).get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  private void read(String[] words) throws Exception {
    boolean isToFile = words[0].equals("lines");
    int begin = Arrays.asList(words).indexOf("scan") + 1;
    Scan scan = Reads.scan(words, begin);
    // By default HBase's servers read families that the filter does not need only for rows that it finds in the others.
    // Rowstone does so on request, and HBase's snapshot scanner never. No server reads backward like this.
    scan.setLoadColumnFamiliesOnDemand(false);
    Places places = new Places(conf, connection, root, scratch);
    if (words[0].equals("time")) {
      out.println(places.time(words[1], name, scan));
      return;
    }
    try (Dump dump = new Dump(isToFile ? words[2] : null)) {
      places.read(words[1], name, scan, dump::add);
      out.println(dump.finish());
    }
  }
}
