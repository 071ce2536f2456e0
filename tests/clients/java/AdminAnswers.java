import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The part of {@link AnswersSession} about tables' descriptions, results that nobody wants, and what an operator asks. */
final class AdminAnswers {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final String LIMIT = "hbase.server.keyvalue.maxsize";

  private final Connection connection;
  private final Admin admin;

  AdminAnswers(Connection connection, Admin admin) {
    this.connection = connection;
    this.admin = admin;
  }

  void run() throws Exception {
    configurationOfTables();
    splitsThatAreDisabled();
    majorCompactions();
    resultsNotWanted();
    emptyAnswers();
    descriptions();
    refusals();
    new TrackerAnswers(admin).run();
  }

  // A table's configuration, sent as the table's own values.

  private void configurationOfTables() throws Exception {
    cells("limit of 1000", "1000");
    cells("limit of 0", "0");
    cells("limit of -1", "-1");
    TableName name = TableName.valueOf("configured");
    admin.createTable(TableDescriptorBuilder.newBuilder(name).setValue("my.own", "x").setValue("MY_OWN", "y")
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setValue("their.own", "z")
        .setConfiguration("hbase.hstore.compaction.min", "4").setValue("hbase.hstore.blockingStoreFiles", "20").build())
      .build());
    say("values of a table", () -> show(admin.getDescriptor(name)));
    say("a limit by alter", () -> {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setValue(LIMIT, "1000").build());
      return show(admin.getDescriptor(name)) + " " + put(name, 2000);
    });
    say("and without it", () -> {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).removeValue(LIMIT).build());
      return show(admin.getDescriptor(name)) + " " + put(name, 2000);
    });
  }

  private void cells(String what, String limit) throws Exception {
    TableName name = TableName.valueOf(what.replace(' ', '_').replace("-", "minus"));
    admin.createTable(described(name).setValue(LIMIT, limit).build());
    try (Table table = connection.getTable(name)) {
      say(what + ", put of 900", () -> put(name, 900));
      say(what + ", put of 2000", () -> put(name, 2000));
      say(what + ", append", () -> {
        table.put(sized("row", 900));
        return table.append(new Append(Bytes.toBytes("row")).addColumn(F, Q, new byte[500])).size();
      });
      say(what + ", checked put", () -> table.checkAndMutate(CheckAndMutate.newBuilder(Bytes.toBytes("none"))
        .ifNotExists(F, Q).build(sized("none", 2000))).isSuccess());
    }
  }

  private static Put sized(String row, int bytes) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, new byte[bytes]);
  }

  private String put(TableName name, int bytes) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(sized("row", bytes));
      return table.get(new Get(Bytes.toBytes("row"))).getValue(F, Q).length + " bytes";
    } catch (IOException error) {
      return error.getClass().getSimpleName();
    }
  }

  // Splits and merges that a table does not want.

  private void splitsThatAreDisabled() throws Exception {
    split("by policy", described(TableName.valueOf("never_split"))
      .setRegionSplitPolicyClassName("org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"));
    split("by flag", described(TableName.valueOf("not_split")).setSplitEnabled(false));
    split("by configuration", described(TableName.valueOf("unsplit")).setValue(
      "hbase.regionserver.region.split.policy", "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"));
    split("not", described(TableName.valueOf("split")));
    TableName merged = TableName.valueOf("not_merged");
    admin.createTable(described(merged).setMergeEnabled(false).build(), new byte[][] { Bytes.toBytes("m") });
    say("merges disabled by flag", () -> {
      byte[][] names = admin.getRegions(merged).stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
      admin.mergeRegionsAsync(names, false).get();
      return admin.getRegions(merged).size();
    });
  }

  private void split(String what, TableDescriptorBuilder builder) throws Exception {
    TableDescriptor table = builder.build();
    admin.createTable(table);
    put(table.getTableName(), 10);
    say("splits disabled " + what, () -> {
      RegionInfo region = admin.getRegions(table.getTableName()).get(0);
      admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes("m")).get();
      return admin.getRegions(table.getTableName()).size();
    });
    say("regions of splits disabled " + what, () -> admin.getRegions(table.getTableName()).size());
  }

  // When a table was last compacted as a whole.

  private void majorCompactions() throws Exception {
    TableName name = TableName.valueOf("compacted");
    admin.createTable(described(name).build());
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    long began = System.currentTimeMillis();
    for (int i = 0; i < 2; i++) {
      put(name, 10);
      admin.flush(name);
    }
    say("major compaction of a table that has had none", () -> admin.getLastMajorCompactionTimestamp(name));
    admin.majorCompact(name);
    while (admin.getLastMajorCompactionTimestampForRegion(region) == 0) {
      Thread.sleep(20);
    }
    say("major compaction of a region", () -> admin.getLastMajorCompactionTimestampForRegion(region) >= began);
  }

  // Increments and appends whose new values nobody wants.

  private void resultsNotWanted() throws Exception {
    TableName name = TableName.valueOf("unwanted");
    admin.createTable(described(name).build());
    byte[] row = Bytes.toBytes("row");
    try (Table table = connection.getTable(name)) {
      for (boolean wanted : new boolean[] { true, false }) {
        String what = wanted ? " with result" : " without result";
        Append append = new Append(row).addColumn(F, Q, Bytes.toBytes("x")).setReturnResults(wanted);
        Increment increment = new Increment(row).addColumn(F, Bytes.toBytes("n"), 1).setReturnResults(wanted);
        say("append" + what, () -> show(table.append(append)));
        say("increment" + what, () -> show(table.increment(increment)));
        say("batch" + what, () -> {
          Object[] results = new Object[3];
          table.batch(Arrays.asList(append, increment, new Put(row).addColumn(F, Bytes.toBytes("p"), F)), results);
          List<String> all = new ArrayList<>();
          for (Object each : results) {
            all.add(show((Result) each));
          }
          return all;
        });
        say("row mutations" + what, () -> show(table.mutateRow(RowMutations.of(Arrays.asList(append, increment)))));
        for (byte[] compared : new byte[][] { F, Q }) {
          String with = compared == F ? "" : " in vain";
          CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row).ifEquals(F, Bytes.toBytes("p"), compared);
          say("checked" + with + " append" + what, () -> show(table.checkAndMutate(check.build(append))));
          say("checked" + with + " increment" + what, () -> show(table.checkAndMutate(check.build(increment))));
        }
        say("checked put", () -> show(table.checkAndMutate(CheckAndMutate.newBuilder(row)
          .ifEquals(F, Bytes.toBytes("p"), F).build(new Put(row).addColumn(F, Bytes.toBytes("p"), F)))));
        say("increment of nothing" + what, () -> show(table.append(
          new Append(Bytes.toBytes("other")).addColumn(F, Q, new byte[0]).setReturnResults(wanted))));
      }
    }
  }

  private static String show(CheckAndMutateResult checked) {
    return checked.isSuccess() + " " + show(checked.getResult());
  }

  private static String show(Result result) {
    return result == null ? "null" : result.isEmpty() ? "empty" : result.size() + " cells";
  }

  // What an operator asks.

  private void emptyAnswers() throws Exception {
    TableName name = TableName.valueOf("unwanted");
    TableName missing = TableName.valueOf("missing");
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    say("replication peers", () -> admin.listReplicationPeers());
    say("replication peers by pattern", () -> admin.listReplicationPeers(Pattern.compile("a.*")));
    say("a replication peer", () -> admin.getReplicationPeerConfig("1"));
    say("remove a replication peer", () -> done(() -> admin.removeReplicationPeer("1")));
    say("disable a replication peer", () -> done(() -> admin.disableReplicationPeer("1")));
    say("peer modification", () -> admin.isReplicationPeerModificationEnabled());
    say("switch peer modification off", () -> admin.replicationPeerModificationSwitch(false));
    say("peer modification after that", () -> admin.isReplicationPeerModificationEnabled());
    say("switch peer modification on", () -> admin.replicationPeerModificationSwitch(true));
    say("replicated tables", () -> admin.listReplicatedTableCFs());
    say("last major compaction", () -> admin.getLastMajorCompactionTimestamp(name));
    say("last major compaction of a missing table", () -> admin.getLastMajorCompactionTimestamp(missing));
    say("last major compaction of a region", () -> admin.getLastMajorCompactionTimestampForRegion(region));
    say("last major compaction of a missing region",
      () -> admin.getLastMajorCompactionTimestampForRegion(Bytes.toBytes("missing,,1.00000000000000000000000000000000.")));
    for (String type : new String[] { "BALANCER_DECISION", "BALANCER_REJECTION" }) {
      say("log of " + type, () -> admin.getLogEntries(null, type, ServerType.MASTER, 10, null));
    }
    say("catalog janitor", () -> admin.runCatalogJanitor() >= 0);
    say("cleaner chore", () -> admin.runCleanerChore());
    say("unknown servers", () -> admin.listUnknownServers());
    say("dead servers", () -> admin.listDeadServers());
    say("clear dead servers", () -> admin.clearDeadServers(new ArrayList<>()));
    say("decommissioned", () -> admin.listDecommissionedRegionServers());
    say("maintenance mode", () -> admin.isMasterInMaintenanceMode());
    say("balance", () -> admin.balance());
    say("normalizer", () -> admin.isNormalizerEnabled());
    say("split switch", () -> admin.isSplitEnabled());
    say("locks", () -> admin.getLocks());
    say("regions in transition", () -> admin.getClusterMetrics().getRegionStatesInTransition());
    say("assign", () -> done(() -> admin.assign(region)));
    say("assign a missing region", () -> done(() -> admin.assign(Bytes.toBytes("missing"))));
    say("compaction switch", () -> new ArrayList<>(admin.compactionSwitch(true, new ArrayList<>()).values()));
    say("update configuration", () -> done(() -> admin.updateConfiguration()));
    say("tables of namespace", () -> Arrays.toString(admin.listTableNamesByNamespace("default")).contains("unwanted"));
    say("load of hbase:meta", () -> admin.getRegionMetrics(server(), TableName.META_TABLE_NAME).size());
    say("regions without load", () -> admin.getRegions(server()).size() - admin.getRegionMetrics(server()).size());
    say("regions without load in the cluster's status", () -> admin.getRegions(server()).size()
      - admin.getClusterMetrics().getLiveServerMetrics().get(server()).getRegionMetrics().size() <= 0);
    say("quota", () -> admin.getQuota(new QuotaFilter()));
  }

  private ServerName server() throws IOException {
    return admin.getRegionServers().iterator().next();
  }

  // Descriptions.

  private void descriptions() throws Exception {
    TableName name = TableName.valueOf("described");
    TableDescriptor wanted = TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build();
    admin.createTable(wanted);
    say("a table", () -> show(admin.getDescriptor(name)));
    say("a table as it was wanted", () -> TableDescriptor.COMPARATOR.compare(
      TableDescriptorBuilder.newBuilder(wanted).setValue("hbase.store.file-tracker.impl", "DEFAULT").build(),
      admin.getDescriptor(name)));
    say("hbase:meta", () -> show(admin.getDescriptor(TableName.META_TABLE_NAME)));
  }

  static String show(TableDescriptor table) {
    List<String> all = new ArrayList<>();
    all.add(show(table.getValues()));
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      all.add(family.getNameAsString() + show(family.getValues()) + new TreeMap<>(family.getConfiguration()));
    }
    return all.toString();
  }

  private static String show(Map<Bytes, Bytes> values) {
    TreeMap<String, String> texts = new TreeMap<>();
    values.forEach((key, value) -> texts.put(Bytes.toStringBinary(key.get()), Bytes.toStringBinary(value.get())));
    return texts.toString();
  }

  // What is refused, and how.

  private void refusals() throws Exception {
    TableName missing = TableName.valueOf("missing");
    TableName meta = TableName.META_TABLE_NAME;
    TableName name = TableName.valueOf("described");
    tell("table in an unknown namespace", () -> done(() -> admin.createTable(described(TableName.valueOf("nowhere:t")).build())));
    tell("unknown namespace", () -> admin.getNamespaceDescriptor("nowhere"));
    tell("drop an unknown namespace", () -> done(() -> admin.deleteNamespace("nowhere")));
    tell("alter an unknown namespace", () -> done(() -> admin.modifyNamespace(NamespaceDescriptor.create("nowhere").build())));
    tell("tables of an unknown namespace", () -> Arrays.toString(admin.listTableNamesByNamespace("nowhere")));
    tell("descriptors of an unknown namespace", () -> admin.listTableDescriptorsByNamespace(Bytes.toBytes("nowhere")));
    tell("create a system namespace", () -> done(() -> admin.createNamespace(NamespaceDescriptor.create("hbase").build())));
    say("drop a system namespace", () -> done(() -> admin.deleteNamespace("hbase")));
    say("drop the default namespace", () -> done(() -> admin.deleteNamespace("default")));
    say("snapshot of a missing table", () -> done(() -> admin.snapshot("snapped", missing)));
    say("bad snapshot name", () -> done(() -> admin.snapshot("a b", name)));
    say("delete a missing snapshot", () -> done(() -> admin.deleteSnapshot("nothing")));
    say("clone a missing snapshot", () -> done(() -> admin.cloneSnapshot("nothing", TableName.valueOf("clone"))));
    say("restore a missing snapshot", () -> done(() -> admin.restoreSnapshot("nothing")));
    say("create hbase:meta", () -> done(() -> admin.createTable(described(meta).build())));
    say("disable hbase:meta", () -> done(() -> admin.disableTable(meta)));
    say("enable hbase:meta", () -> done(() -> admin.enableTable(meta)));
    say("truncate hbase:meta", () -> done(() -> admin.truncateTable(meta, true)));
    say("disable a missing table", () -> done(() -> admin.disableTable(missing)));
    say("enable a missing table", () -> done(() -> admin.enableTable(missing)));
    say("truncate a missing table", () -> done(() -> admin.truncateTable(missing, true)));
    say("truncate an enabled table", () -> done(() -> admin.truncateTable(name, true)));
    say("flush a missing table", () -> done(() -> admin.flush(missing)));
    say("compact a missing table", () -> done(() -> admin.majorCompact(missing)));
    say("flush an unknown family", () -> done(() -> admin.flush(name, Bytes.toBytes("none"))));
    tell("compact an unknown family", () -> done(() -> admin.majorCompact(name, Bytes.toBytes("none"))));
    tell("a coprocessor that cannot be loaded", () -> done(() -> admin.createTable(
      described(TableName.valueOf("unloadable")).setCoprocessor("no.such.Coprocessor").build())));
    tell("alter to a coprocessor that cannot be loaded", () -> done(() -> admin.modifyTable(
      TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setCoprocessor("no.such.Coprocessor").build())));
    say("a split policy that cannot be loaded", () -> done(() -> admin.createTable(
      described(TableName.valueOf("unloadable")).setRegionSplitPolicyClassName("no.such.Policy").build())));
    say("table without families", () -> done(() -> admin.createTable(TableDescriptorBuilder.newBuilder(missing).build())));
  }

  // What all use.

  private static TableDescriptorBuilder described(TableName name) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
  }

  interface Work {
    void run() throws Exception;
  }

  static String done(Work work) throws Exception {
    work.run();
    return "done";
  }

  private static void say(String what, AnswersSession.Step step) {
    AnswersSession.say(what, step);
  }

  /** The same, with what an error says. */
  private static void tell(String what, AnswersSession.Step step) {
    AnswersSession.say(what, () -> {
      try {
        return step.run();
      } catch (Exception error) {
        String text = String.valueOf(error.getMessage()).split("\n")[0];
        text = text.replaceAll("^(org|java)\\.[A-Za-z.]+: ", "").replaceAll(",,[0-9]+\\.[0-9a-f]{32}\\.", ",,ID.HASH.");
        return error.getClass().getSimpleName() + ": " + text;
      }
    });
  }
}
