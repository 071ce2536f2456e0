package org.apache.hadoop.hbase.regionserver;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;

/** One region of one table on the local file system, its log, its clock and its open scanners. */
final class OracleRegion {
  static final long FIRST_NOW = 1000000L;

  final Map<String, RegionScannerImpl> scanners = new HashMap<>();
  final Path root;
  final WAL wal;
  private final WALFactory wals;
  Configuration conf;
  RegionInfo info;
  HRegion region;
  TableDescriptor table;
  long now = FIRST_NOW;

  OracleRegion(String directory) throws Exception {
    root = new Path("file://" + directory);
    conf = base();
    ChunkCreator.initialize(MemStoreLAB.CHUNK_SIZE_DEFAULT, false, 0, 0, 0, null,
      MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    EnvironmentEdgeManager.injectEdge(() -> now);
    wals = new WALFactory(conf, "oracle,1,1");
    wal = wals.getWAL(RegionInfoBuilder.newBuilder(TableName.valueOf("x")).build());
  }

  private Configuration base() {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", root.toString());
    conf.set("fs.defaultFS", "file:///");
    conf.set("hbase.wal.dir", root.toString());
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set("hbase.wal.provider", "filesystem");
    conf.setInt("hbase.hstore.compaction.min", 2);
    conf.setLong("hbase.hregion.majorcompaction", 0);
    conf.setLong("hbase.hstore.blockingStoreFiles", 100);
    conf.set("hbase.hstore.defaultengine.compactionpolicy.class",
      WindowCompactionPolicy.class.getName());
    for (String key : System.getProperties().stringPropertyNames()) {
      if (key.startsWith("hbase.")) {
        conf.set(key, System.getProperty(key));
      }
    }
    return conf;
  }

  /** Back to the state at the start: no table, the first clock, the base configuration. */
  void reset() throws Exception {
    close();
    conf = base();
    now = FIRST_NOW;
    WindowCompactionPolicy.window = null;
  }

  /** {@code table name f,KEY=value,... [TABLE,key=value,...]} */
  void create(String[] words) throws Exception {
    close();
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf(words[1]));
    for (int i = 2; i < words.length; i++) {
      String[] parts = words[i].split(",");
      if (parts[0].equals("TABLE")) {
        for (int j = 1; j < parts.length; j++) {
          String[] pair = parts[j].split("=");
          builder.setValue(pair[0], pair[1]);
        }
      } else {
        builder.setColumnFamily(family(parts));
      }
    }
    table = builder.build();
    info = RegionInfoBuilder.newBuilder(table.getTableName()).setRegionId(1).build();
    FileSystem files = FileSystem.get(conf);
    files.delete(CommonFSUtils.getTableDir(root, table.getTableName()), true);
    new FSTableDescriptors(files, root).createTableDescriptor(table);
    region = HRegion.createHRegion(info, root, conf, table, wal);
  }

  static ColumnFamilyDescriptor family(String[] parts) {
    ColumnFamilyDescriptorBuilder builder =
      ColumnFamilyDescriptorBuilder.newBuilder(Text.bytes(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      String[] pair = parts[i].split("=");
      switch (pair[0]) {
        case "VERSIONS":
          builder.setMaxVersions(Integer.parseInt(pair[1]));
          break;
        case "MINV":
          builder.setMinVersions(Integer.parseInt(pair[1]));
          break;
        case "TTL":
          builder.setTimeToLive(Integer.parseInt(pair[1]));
          break;
        case "KDC":
          builder.setKeepDeletedCells(KeepDeletedCells.valueOf(pair[1]));
          break;
        case "NVB":
          builder.setNewVersionBehavior(Boolean.parseBoolean(pair[1]));
          break;
        case "BLOOM":
          builder.setBloomFilterType(BloomType.valueOf(pair[1]));
          break;
        case "ENC":
          builder.setDataBlockEncoding(DataBlockEncoding.valueOf(pair[1]));
          break;
        case "COMP":
          builder.setCompressionType(Compression.Algorithm.valueOf(pair[1]));
          break;
        case "MOB":
          builder.setMobEnabled(true).setMobThreshold(Long.parseLong(pair[1]));
          break;
        case "BLOCKSIZE":
          builder.setBlocksize(Integer.parseInt(pair[1]));
          break;
        default:
          builder.setConfiguration(pair[0], pair[1]);
      }
    }
    return builder.build();
  }

  void reopen() throws Exception {
    close();
    region = HRegion.openHRegion(root, info, table, wal, conf);
  }

  /** Forgets the region without closing it: what was not flushed is lost. */
  void crash() {
    region = null;
    scanners.clear();
  }

  private void close() throws Exception {
    for (Iterator<RegionScannerImpl> it = scanners.values().iterator(); it.hasNext();) {
      it.next().close();
      it.remove();
    }
    if (region != null) {
      region.close();
      region = null;
    }
  }

  void shutdown() throws Exception {
    close();
    wals.close();
  }
}
