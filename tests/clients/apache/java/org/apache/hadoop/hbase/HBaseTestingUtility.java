package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * Stand-in for the class of this name in HBase's test jars: "starts" a cluster by connecting to one that runs.
 *
 * The address is in the configuration on the class path. Every helper works through the client's API. Helpers that
 * return objects of a server's JVM return null or do not exist, so that tests that need them fail.
 */
public class HBaseTestingUtility extends HBaseZKTestingUtility {
  public static final byte[] fam1 = Bytes.toBytes("colfamily11");
  public static final byte[] fam2 = Bytes.toBytes("colfamily21");
  public static final byte[] fam3 = Bytes.toBytes("colfamily31");
  public static final byte[][] COLUMNS = { fam1, fam2, fam3 };
  public static final char FIRST_CHAR = 'a';
  public static final char LAST_CHAR = 'z';
  public static final String START_KEY = "aaa";
  public static final byte[] START_KEY_BYTES = Bytes.toBytes(START_KEY);
  public static final Collection<Object[]> BLOOM_AND_COMPRESSION_COMBINATIONS = List.of();

  /** The keys aaa, aab, ... zzz. */
  public static final byte[][] ROWS = threeLetterKeys();
  /** Split keys bbb, ccc, ... zzz. */
  public static final byte[][] KEYS_FOR_HBA_CREATE_TABLE = repeatedLetterKeys('b', 'z');
  /** Start keys of the regions between bbb, ccc, ... yyy. */
  public static final byte[][] KEYS = startKeys();

  private static final int DEFAULT_VERSIONS = 3;
  private static final long WAIT_MS = 60_000;

  private Connection connection;
  private Admin admin;

  public HBaseTestingUtility() {
    this(HBaseConfiguration.create());
  }

  public HBaseTestingUtility(Configuration conf) {
    super(conf);
  }

  private static byte[][] threeLetterKeys() {
    List<byte[]> keys = new ArrayList<>();
    for (byte first = 'a'; first <= 'z'; first++) {
      for (byte second = 'a'; second <= 'z'; second++) {
        for (byte third = 'a'; third <= 'z'; third++) {
          keys.add(new byte[] { first, second, third });
        }
      }
    }
    return keys.toArray(new byte[0][]);
  }

  private static byte[][] repeatedLetterKeys(char first, char last) {
    List<byte[]> keys = new ArrayList<>();
    for (char letter = first; letter <= last; letter++) {
      keys.add(Bytes.toBytes(("" + letter).repeat(3)));
    }
    return keys.toArray(new byte[0][]);
  }

  private static byte[][] startKeys() {
    List<byte[]> keys = new ArrayList<>(Arrays.asList(repeatedLetterKeys('b', 'y')));
    keys.add(0, HConstants.EMPTY_BYTE_ARRAY);
    return keys.toArray(new byte[0][]);
  }

  // The cluster.

  public MiniHBaseCluster startMiniCluster() throws Exception {
    RunTests.prepareServer(conf);
    return startMiniHBaseCluster();
  }

  public MiniHBaseCluster startMiniCluster(int servers) throws Exception {
    return startMiniCluster();
  }

  public MiniHBaseCluster startMiniCluster(StartMiniClusterOption option) throws Exception {
    return startMiniCluster();
  }

  public MiniHBaseCluster startMiniHBaseCluster() throws IOException, InterruptedException {
    getConnection();
    return null;
  }

  public MiniHBaseCluster startMiniHBaseCluster(StartMiniClusterOption option)
    throws IOException, InterruptedException {
    return startMiniHBaseCluster();
  }

  @Override
  public MiniZooKeeperCluster startMiniZKCluster() {
    return null;
  }

  @Override
  public MiniZooKeeperCluster startMiniZKCluster(int count, int... ports) {
    return null;
  }

  @Override
  public void shutdownMiniZKCluster() {
    // It belongs to the running cluster.
  }

  public void shutdownMiniCluster() throws IOException {
    shutdownMiniHBaseCluster();
  }

  public void shutdownMiniHBaseCluster() throws IOException {
    closeConnection();
  }

  public MiniHBaseCluster getMiniHBaseCluster() {
    return null;
  }

  public MiniHBaseCluster getHBaseCluster() {
    return null;
  }

  public HBaseCluster getHBaseClusterInterface() {
    return null;
  }

  public boolean ensureSomeRegionServersAvailable(int count) {
    return false;
  }

  public boolean ensureSomeNonStoppedRegionServersAvailable(int count) {
    return false;
  }

  // Connections.

  public synchronized Connection getConnection() throws IOException {
    if (connection == null || connection.isClosed()) {
      connection = ConnectionFactory.createConnection(conf);
      admin = null;
    }
    return connection;
  }

  public synchronized Admin getAdmin() throws IOException {
    Connection open = getConnection();
    if (admin == null) {
      admin = open.getAdmin();
    }
    return admin;
  }

  public HBaseAdmin getHBaseAdmin() throws IOException {
    return (HBaseAdmin) getAdmin();
  }

  public Hbck getHbck() throws IOException {
    return getConnection().getHbck();
  }

  public synchronized void closeConnection() throws IOException {
    if (connection != null) {
      connection.close();
    }
    connection = null;
    admin = null;
  }

  public void invalidateConnection() throws IOException {
    closeConnection();
  }

  public String getClusterKey() {
    return conf.get(HConstants.ZOOKEEPER_QUORUM) + ":" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT) + ":"
      + conf.get(HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT);
  }

  // Files.

  public FileSystem getTestFileSystem() throws IOException {
    return FileSystem.get(conf);
  }

  public Path getDataTestDirOnTestFS(String name) {
    return getDataTestDir(name);
  }

  public Path getDataTestDirOnTestFS() {
    return getDataTestDir();
  }

  public Path getDefaultRootDirPath() {
    return new Path(conf.get(HConstants.HBASE_DIR));
  }

  // Descriptors.

  public HTableDescriptor createTableDescriptor(TableName name) {
    return createTableDescriptor(name, ColumnFamilyDescriptorBuilder.DEFAULT_MIN_VERSIONS, DEFAULT_VERSIONS,
      HConstants.FOREVER, ColumnFamilyDescriptorBuilder.DEFAULT_KEEP_DELETED);
  }

  public HTableDescriptor createTableDescriptor(String name) {
    return createTableDescriptor(TableName.valueOf(name));
  }

  public HTableDescriptor createTableDescriptor(TableName name, int minVersions, int versions, int timeToLive,
    KeepDeletedCells keepDeleted) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : COLUMNS) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family).setMinVersions(minVersions)
        .setMaxVersions(versions).setKeepDeletedCells(keepDeleted).setBlockCacheEnabled(false)
        .setTimeToLive(timeToLive).build());
    }
    return new HTableDescriptor(builder.build());
  }

  public void verifyTableDescriptorIgnoreTableName(TableDescriptor one, TableDescriptor other) {
    TableDescriptor renamed = TableDescriptorBuilder.copy(other.getTableName(), one);
    if (TableDescriptor.COMPARATOR.compare(renamed, other) != 0) {
      throw new AssertionError(one + " differs from " + other);
    }
  }

  private static ColumnFamilyDescriptorBuilder family(byte[] name, int versions) {
    // The tests that count block reads know no Bloom filters.
    return ColumnFamilyDescriptorBuilder.newBuilder(name).setMaxVersions(versions).setBloomFilterType(BloomType.NONE);
  }

  // Creation of tables.

  private Table create(TableDescriptorBuilder builder, byte[][] splitKeys) throws IOException {
    TableDescriptor descriptor = builder.build();
    getAdmin().createTable(descriptor, splitKeys);
    return opened(descriptor.getTableName());
  }

  private Table opened(TableName name) throws IOException {
    waitUntilAllRegionsAssigned(name);
    return getConnection().getTable(name);
  }

  private static TableDescriptorBuilder table(TableName name, byte[][] families, int versions) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (byte[] each : families) {
      builder.setColumnFamily(family(each, versions).build());
    }
    return builder;
  }

  public Table createTable(TableName name, String family) throws IOException {
    return createTable(name, new String[] { family });
  }

  public Table createTable(TableName name, String[] families) throws IOException {
    return createTable(name, Arrays.stream(families).map(Bytes::toBytes).toArray(byte[][]::new));
  }

  public Table createTable(TableName name, byte[] family) throws IOException {
    return createTable(name, new byte[][] { family });
  }

  public Table createTable(TableName name, byte[][] families) throws IOException {
    return createTable(name, families, (byte[][]) null);
  }

  public Table createTable(TableName name, byte[] family, byte[][] splitKeys) throws IOException {
    return createTable(name, new byte[][] { family }, splitKeys);
  }

  public Table createTable(TableName name, byte[][] families, byte[][] splitKeys) throws IOException {
    return create(table(name, families, ColumnFamilyDescriptorBuilder.DEFAULT_MAX_VERSIONS), splitKeys);
  }

  public Table createTable(TableName name, byte[][] families, byte[][] splitKeys, int replicas) throws IOException {
    return createTable(name, families, splitKeys, replicas, conf);
  }

  public Table createTable(TableName name, byte[][] families, byte[][] splitKeys, int replicas, Configuration conf)
    throws IOException {
    TableDescriptorBuilder builder = table(name, families, ColumnFamilyDescriptorBuilder.DEFAULT_MAX_VERSIONS);
    return create(builder.setRegionReplication(replicas), splitKeys);
  }

  public Table createTable(TableName name, byte[] family, int versions) throws IOException {
    return createTable(name, new byte[][] { family }, versions);
  }

  public Table createTable(TableName name, byte[][] families, int versions) throws IOException {
    return createTable(name, families, versions, (byte[][]) null);
  }

  public Table createTable(TableName name, byte[][] families, int versions, byte[][] splitKeys) throws IOException {
    return create(table(name, families, versions), splitKeys);
  }

  public Table createTable(TableName name, byte[][] families, int[] versions) throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (int index = 0; index < families.length; index++) {
      builder.setColumnFamily(family(families[index], versions[index]).build());
    }
    return create(builder, null);
  }

  public Table createTable(TableName name, byte[][] families, int versions, byte[] start, byte[] end, int regions)
    throws IOException {
    getAdmin().createTable(table(name, families, versions).build(), start, end, regions);
    return opened(name);
  }

  public Table createTable(TableName name, byte[][] families, int versions, int blockBytes) throws IOException {
    return createTable(name, families, versions, blockBytes, null);
  }

  public Table createTable(TableName name, byte[][] families, int versions, int blockBytes, String coprocessor)
    throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (byte[] each : families) {
      builder.setColumnFamily(family(each, versions).setBlocksize(blockBytes).build());
    }
    if (coprocessor != null) {
      builder.setCoprocessor(coprocessor);
    }
    return create(builder, null);
  }

  public Table createTable(TableDescriptor descriptor, byte[][] splitKeys) throws IOException {
    return create(TableDescriptorBuilder.newBuilder(descriptor), splitKeys);
  }

  public Table createTable(TableDescriptor descriptor, byte[][] families, Configuration conf) throws IOException {
    return createTable(descriptor, families, null, conf);
  }

  public Table createTable(TableDescriptor descriptor, byte[][] families, byte[][] splitKeys, Configuration conf)
    throws IOException {
    return createTable(descriptor, families, splitKeys, BloomType.NONE, HConstants.DEFAULT_BLOCKSIZE, conf);
  }

  public Table createTable(TableDescriptor descriptor, byte[][] families, byte[][] splitKeys, BloomType bloom,
    int blockBytes, Configuration conf) throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(descriptor);
    for (byte[] each : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(each).setBloomFilterType(bloom)
        .setBlocksize(blockBytes).build());
    }
    return create(builder, splitKeys);
  }

  public Table createMultiRegionTable(TableName name, byte[] family) throws IOException {
    return createTable(name, family, KEYS_FOR_HBA_CREATE_TABLE);
  }

  public Table createMultiRegionTable(TableName name, byte[][] families) throws IOException {
    return createTable(name, families, KEYS_FOR_HBA_CREATE_TABLE);
  }

  public Table createMultiRegionTable(TableName name, int replicas, byte[][] families) throws IOException {
    return createTable(name, families, KEYS_FOR_HBA_CREATE_TABLE, replicas);
  }

  public Table createMultiRegionTable(TableName name, byte[][] families, int versions) throws IOException {
    return createTable(name, families, versions, KEYS_FOR_HBA_CREATE_TABLE);
  }

  public Table createMultiRegionTable(TableName name, byte[] family, int regions) throws IOException {
    if (regions < 3) {
      throw new IOException("a table of several regions has at least 3");
    }
    byte[][] splitKeys = Bytes.split(Bytes.toBytes("aaaaa"), Bytes.toBytes("zzzzz"), regions - 3);
    return createTable(name, family, splitKeys);
  }

  // Changes of tables.

  public void deleteTable(TableName name) throws IOException {
    if (getAdmin().isTableEnabled(name)) {
      getAdmin().disableTable(name);
    }
    getAdmin().deleteTable(name);
  }

  public void deleteTableIfAny(TableName name) throws IOException {
    if (getAdmin().tableExists(name)) {
      deleteTable(name);
    }
  }

  public Table truncateTable(TableName name) throws IOException {
    return truncateTable(name, false);
  }

  public Table truncateTable(TableName name, boolean preserveSplits) throws IOException {
    if (!getAdmin().isTableDisabled(name)) {
      getAdmin().disableTable(name);
    }
    getAdmin().truncateTable(name, preserveSplits);
    return getConnection().getTable(name);
  }

  public static void modifyTableSync(Admin admin, TableDescriptor descriptor) throws IOException {
    admin.modifyTable(descriptor);
  }

  public static void setReplicas(Admin admin, TableName name, int count) throws IOException {
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setRegionReplication(count).build());
  }

  public static void setReplicas(AsyncAdmin admin, TableName name, int count) {
    TableDescriptor old = admin.getDescriptor(name).join();
    admin.modifyTable(TableDescriptorBuilder.newBuilder(old).setRegionReplication(count).build()).join();
  }

  public void flush() throws IOException {
    for (TableName name : getAdmin().listTableNames()) {
      if (getAdmin().isTableEnabled(name)) {
        flush(name);
      }
    }
  }

  public void flush(TableName name) throws IOException {
    getAdmin().flush(name);
  }

  public void compact(TableName name, boolean major) throws IOException {
    try {
      if (major) {
        getAdmin().majorCompact(name);
      } else {
        getAdmin().compact(name);
      }
      waitFor(WAIT_MS, 100, () -> "NONE".equals(getAdmin().getCompactionState(name).name()));
    } catch (Exception error) {
      throw new IOException(error);
    }
  }

  // Rows.

  public int loadTable(Table table, byte[] family) throws IOException {
    return loadTable(table, new byte[][] { family });
  }

  public int loadTable(Table table, byte[] family, boolean writeToLog) throws IOException {
    return loadTable(table, new byte[][] { family }, null, writeToLog);
  }

  public int loadTable(Table table, byte[][] families) throws IOException {
    return loadTable(table, families, null);
  }

  public int loadTable(Table table, byte[][] families, byte[] value) throws IOException {
    return loadTable(table, families, value, true);
  }

  public int loadTable(Table table, byte[][] families, byte[] value, boolean writeToLog) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (byte[] row : ROWS) {
      Put put = new Put(row).setDurability(writeToLog ? Durability.USE_DEFAULT : Durability.SKIP_WAL);
      for (byte[] family : families) {
        put.addColumn(family, null, value == null ? row : value);
      }
      puts.add(put);
    }
    table.put(puts);
    return puts.size();
  }

  public void loadNumericRows(Table table, byte[] family, int first, int end) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int number = first; number < end; number++) {
      byte[] text = Bytes.toBytes(String.valueOf(number));
      puts.add(new Put(text).addColumn(family, null, text));
    }
    table.put(puts);
  }

  public void loadRandomRows(Table table, byte[] family, int rowBytes, int count) throws IOException {
    byte[] row = new byte[rowBytes];
    List<Put> puts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Bytes.random(row);
      puts.add(new Put(row.clone()).addColumn(family, new byte[] { 0 }, new byte[] { 0 }));
    }
    table.put(puts);
  }

  public int countRows(Table table) throws IOException {
    return countRows(table, new Scan());
  }

  public int countRows(TableName name) throws IOException {
    try (Table table = getConnection().getTable(name)) {
      return countRows(table);
    }
  }

  public int countRows(Table table, byte[]... families) throws IOException {
    Scan scan = new Scan();
    for (byte[] family : families) {
      scan.addFamily(family);
    }
    return countRows(table, scan);
  }

  public int countRows(Table table, Scan scan) throws IOException {
    int count = 0;
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        count++;
      }
    }
    return count;
  }

  // Waiting.

  private void await(long timeoutMs, Waiter.Predicate<IOException> condition) throws IOException {
    waitFor(timeoutMs, 50, condition);
  }

  public void waitTableAvailable(TableName name) throws IOException {
    waitTableAvailable(name, WAIT_MS);
  }

  public void waitTableAvailable(byte[] name, long timeoutMs) throws IOException {
    waitTableAvailable(TableName.valueOf(name), timeoutMs);
  }

  public void waitTableAvailable(TableName name, long timeoutMs) throws IOException {
    await(timeoutMs, () -> getAdmin().isTableAvailable(name));
  }

  public void waitTableEnabled(TableName name) throws IOException {
    waitTableEnabled(name, WAIT_MS);
  }

  public void waitTableEnabled(TableName name, long timeoutMs) throws IOException {
    await(timeoutMs, () -> getAdmin().isTableEnabled(name) && getAdmin().isTableAvailable(name));
  }

  public void waitTableDisabled(byte[] name) throws IOException {
    waitTableDisabled(TableName.valueOf(name), WAIT_MS);
  }

  public void waitTableDisabled(TableName name, long timeoutMs) throws IOException {
    await(timeoutMs, () -> getAdmin().isTableDisabled(name));
  }

  public void waitUntilAllRegionsAssigned(TableName name) throws IOException {
    waitUntilAllRegionsAssigned(name, WAIT_MS);
  }

  public void waitUntilAllRegionsAssigned(TableName name, long timeoutMs) throws IOException {
    if (!TableName.isMetaTableName(name)) {
      await(timeoutMs, () -> getAdmin().isTableAvailable(name));
    }
  }

  public void waitUntilNoRegionsInTransition() throws IOException {
    waitUntilNoRegionsInTransition(WAIT_MS);
  }

  public void waitUntilNoRegionsInTransition(long timeoutMs) throws IOException {
    await(timeoutMs, predicateNoRegionsInTransition());
  }

  public Waiter.ExplainingPredicate<IOException> predicateNoRegionsInTransition() {
    return new Waiter.ExplainingPredicate<IOException>() {
      @Override
      public boolean evaluate() throws IOException {
        return regionsInTransition().isEmpty();
      }

      @Override
      public String explainFailure() throws IOException {
        return "regions in transition: " + regionsInTransition();
      }
    };
  }

  private Collection<?> regionsInTransition() throws IOException {
    Set<ClusterMetrics.Option> options = Set.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION);
    return getAdmin().getClusterMetrics(java.util.EnumSet.copyOf(options)).getRegionStatesInTransition();
  }

  public Waiter.Predicate<IOException> predicateTableAvailable(TableName name) {
    return () -> getAdmin().isTableAvailable(name);
  }

  // Regions.

  private boolean isOn(RegionInfo region, ServerName server) throws IOException {
    try (RegionLocator locator = getConnection().getRegionLocator(region.getTable())) {
      return server.equals(locator.getRegionLocation(region.getStartKey(), region.getReplicaId(), true).getServerName());
    }
  }

  public void assertRegionOnServer(RegionInfo region, ServerName server, long timeoutMs) throws IOException {
    if (waitFor(timeoutMs, 50, false, () -> isOn(region, server)) < 0) {
      throw new AssertionError(region + " is not on " + server);
    }
  }

  public void moveRegionAndWait(RegionInfo region, ServerName server) throws IOException {
    getAdmin().move(region.getEncodedNameAsBytes(), server);
    await(WAIT_MS, () -> isOn(region, server));
  }
}
