import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/** A day in the life of HBase's own client: what it asks a server for, step by step, and what must come back. */
public final class ClientSession {
  private static final TableName NAME = TableName.valueOf("session");
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");
  private static final byte[] Q = b("q");

  private final Connection connection;
  private final Admin admin;
  private int steps = 0;

  private ClientSession(Connection connection) throws IOException {
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  /** rpc|zk HOST RPC_PORT ZK_PORT [codec|compressor]. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 5);
    conf.setInt("hbase.client.operation.timeout", 60_000);
    conf.setInt("hbase.client.meta.operation.timeout", 60_000);
    if (args[0].equals("rpc")) {
      conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
      conf.set("hbase.client.bootstrap.servers", args[1] + ":" + args[2]);
    } else {
      conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
      conf.set("hbase.zookeeper.quorum", args[1]);
      conf.set("hbase.zookeeper.property.clientPort", args[3]);
    }
    if (args.length > 4) {
      conf.set("hbase.client.rpc.compressor", args[4]);
    }
    ClientSession session;
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      session = new ClientSession(connection);
      session.tables();
      session.rows();
      session.conditions();
      session.batches();
      session.scans();
      session.filters();
      session.large();
      session.asynchronous(conf);
      session.maintenance();
      session.end();
    }
    System.out.println("done: " + session.steps + " steps");
    System.exit(0);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /** One step: what it is, what must come of it, and how. */
  private void step(String name, Object expected, Callable<Object> work) throws Exception {
    Object found = work.call();
    if (!Objects.equals(String.valueOf(expected), String.valueOf(found))) {
      throw new AssertionError(name + ": expected " + expected + ", found " + found);
    }
    steps++;
    System.out.println("ok " + name);
  }

  private void fails(String name, Class<? extends Throwable> kind, Callable<Object> work) throws Exception {
    Throwable thrown = null;
    try {
      work.call();
    } catch (Throwable error) {
      thrown = error;
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause) || String.valueOf(cause.getMessage()).contains(kind.getSimpleName())) {
        steps++;
        System.out.println("ok " + name);
        return;
      }
    }
    throw new AssertionError(name + ": expected " + kind.getName(), thrown);
  }

  private static String value(Result result, byte[] family, byte[] qualifier) {
    byte[] value = result.getValue(family, qualifier);
    return value == null ? "-" : Bytes.toString(value);
  }

  private static List<String> rowsOf(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static Put put(String row, byte[] family, String qualifier, String value) {
    return new Put(b(row)).addColumn(family, b(qualifier), b(value));
  }

  private void tables() throws Exception {
    step("no table yet", false, () -> admin.tableExists(NAME));
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(NAME)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G));
    step("create", null, () -> {
      admin.createTable(builder.build(), new byte[][] { b("h"), b("p") });
      return null;
    });
    step("exists", true, () -> admin.tableExists(NAME));
    step("is enabled", true, () -> admin.isTableEnabled(NAME));
    step("is available", true, () -> admin.isTableAvailable(NAME));
    fails("create again", TableExistsException.class, () -> {
      admin.createTable(builder.build());
      return null;
    });
    step("list", "[session]", () -> Arrays.asList(admin.listTableNames()));
    step("versions of a family", 3, () -> admin.getDescriptor(NAME).getColumnFamily(F).getMaxVersions());
    step("regions", 3, () -> admin.getRegions(NAME).size());
    step("locations", 3, () -> {
      try (RegionLocator locator = connection.getRegionLocator(NAME)) {
        List<HRegionLocation> all = locator.getAllRegionLocations();
        return all.size();
      }
    });
    step("a server", 1, () -> admin.getClusterMetrics().getLiveServerMetrics().size());
    step("master", true, () -> admin.getClusterMetrics().getMasterName() != null);
  }

  private void rows() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      step("put", null, () -> {
        table.put(put("a", F, "q", "1"));
        return null;
      });
      step("get", "1", () -> value(table.get(new Get(b("a"))), F, Q));
      step("get nothing", true, () -> table.get(new Get(b("nothing"))).isEmpty());
      step("exists", true, () -> table.exists(new Get(b("a"))));
      step("exists, many", "[true, false]",
        () -> Arrays.toString(table.exists(Arrays.asList(new Get(b("a")), new Get(b("z"))))));
      step("put many", null, () -> {
        List<Put> puts = new ArrayList<>();
        for (String row : "b c d i j q r z".split(" ")) {
          puts.add(put(row, F, "q", row));
        }
        table.put(puts);
        return null;
      });
      step("get many", "[b, q, -]", () -> {
        List<String> values = new ArrayList<>();
        for (Result result : table.get(Arrays.asList(new Get(b("b")), new Get(b("q")), new Get(b("x"))))) {
          values.add(value(result, F, Q));
        }
        return values;
      });
      step("versions", 3, () -> {
        for (int version = 1; version <= 4; version++) {
          table.put(new Put(b("v")).addColumn(F, Q, version, Bytes.toBytes(version)));
        }
        return table.get(new Get(b("v")).readAllVersions()).size();
      });
      step("time range", 1, () -> table.get(new Get(b("v")).setTimeRange(2, 3).readAllVersions()).size());
      step("delete a version", 3, () -> {
        table.delete(new Delete(b("v")).addColumn(F, Q, 4));
        return table.get(new Get(b("v")).readAllVersions()).size();
      });
      step("delete a column", true, () -> {
        table.delete(new Delete(b("v")).addColumns(F, Q));
        return table.get(new Get(b("v"))).isEmpty();
      });
      step("delete a family", "1", () -> {
        table.put(new Put(b("v")).addColumn(F, Q, b("0")).addColumn(G, Q, b("1")));
        table.delete(new Delete(b("v")).addFamily(F));
        return value(table.get(new Get(b("v"))), G, Q);
      });
      step("delete a row", false, () -> {
        table.delete(new Delete(b("v")));
        return table.exists(new Get(b("v")));
      });
      step("delete many", false, () -> {
        table.put(put("w", F, "q", "1"));
        table.delete(new ArrayList<>(Collections.singletonList(new Delete(b("w")))));
        return table.exists(new Get(b("w")));
      });
      step("increment", 5L, () -> table.incrementColumnValue(b("n"), F, b("n"), 5));
      step("increment again", 7L, () -> {
        Result result = table.increment(new Increment(b("n")).addColumn(F, b("n"), 2));
        return Bytes.toLong(result.getValue(F, b("n")));
      });
      step("append", "ab", () -> {
        table.append(new Append(b("n")).addColumn(F, b("s"), b("a")));
        return value(table.append(new Append(b("n")).addColumn(F, b("s"), b("b"))), F, b("s"));
      });
      step("append without result", true, () -> {
        Result result = table.append(new Append(b("n")).addColumn(F, b("s"), b("c")).setReturnResults(false));
        return result == null || result.isEmpty();
      });
      fails("no such family", NoSuchColumnFamilyException.class, () -> {
        table.put(put("a", b("nope"), "q", "1"));
        return null;
      });
      fails("no such table", TableNotFoundException.class,
        () -> connection.getTable(TableName.valueOf("missing")).get(new Get(b("a"))));
    }
  }

  private void conditions() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      step("check, absent", true, () -> table.checkAndMutate(CheckAndMutate.newBuilder(b("k"))
        .ifNotExists(F, Q).build(put("k", F, "q", "5"))).isSuccess());
      step("check, fails", false, () -> table.checkAndMutate(CheckAndMutate.newBuilder(b("k"))
        .ifEquals(F, Q, b("4")).build(put("k", F, "q", "6"))).isSuccess());
      // The given value is compared with the stored one: 9 > 5.
      step("check, greater", true, () -> table.checkAndMutate(CheckAndMutate.newBuilder(b("k"))
        .ifMatches(F, Q, CompareOperator.GREATER, b("9")).build(put("k", F, "q", "7"))).isSuccess());
      step("check with a filter", true, () -> table.checkAndMutate(CheckAndMutate.newBuilder(b("k"))
        .ifMatches(new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, b("7")))
        .build(new Delete(b("k")).addColumns(F, Q))).isSuccess());
      step("check many mutations", "8", () -> {
        RowMutations mutations = new RowMutations(b("k"));
        mutations.add((org.apache.hadoop.hbase.client.Mutation) put("k", F, "q", "8"));
        mutations.add((org.apache.hadoop.hbase.client.Mutation) new Increment(b("k")).addColumn(F, b("n"), 3));
        table.checkAndMutate(CheckAndMutate.newBuilder(b("k")).ifNotExists(F, Q).build(mutations));
        return value(table.get(new Get(b("k"))), F, Q);
      });
      step("row mutations", 4L, () -> {
        RowMutations mutations = new RowMutations(b("k"));
        mutations.add((org.apache.hadoop.hbase.client.Mutation) new Delete(b("k")).addColumns(F, Q));
        mutations.add((org.apache.hadoop.hbase.client.Mutation) new Increment(b("k")).addColumn(F, b("n"), 1));
        return Bytes.toLong(table.mutateRow(mutations).getValue(F, b("n")));
      });
    }
  }

  private void batches() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      step("batch", "[true, 2, 1]", () -> {
        List<Row> actions = new ArrayList<>();
        actions.add(put("ba", F, "q", "1"));
        actions.add(new Increment(b("bb")).addColumn(F, b("n"), 2));
        actions.add(new Get(b("a")));
        Object[] results = new Object[3];
        table.batch(actions, results);
        return "[" + (results[0] instanceof Result) + ", " + Bytes.toLong(((Result) results[1]).getValue(F, b("n")))
          + ", " + value((Result) results[2], F, Q) + "]";
      });
      step("batch with one that fails", "[false, true]", () -> {
        Object[] results = new Object[2];
        try {
          table.batch(Arrays.asList(put("ba", b("nope"), "q", "1"), put("z", F, "q", "z")), results);
        } catch (IOException expected) {
          return "[" + (results[0] instanceof Result) + ", " + (results[1] instanceof Result) + "]";
        }
        return "no exception";
      });
      step("buffered", 1000, () -> {
        try (BufferedMutator mutator = connection.getBufferedMutator(NAME)) {
          for (int number = 0; number < 1000; number++) {
            mutator.mutate(put(String.format("m%04d", number), G, "q", "" + number));
          }
        }
        return rowsOf(table, new Scan().withStartRow(b("m")).withStopRow(b("n"))).size();
      });
    }
  }

  private void scans() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      Scan range = new Scan().withStartRow(b("c")).withStopRow(b("j"), true).addFamily(F);
      step("scan", "[c, d, i, j]", () -> rowsOf(table, new Scan(range)));
      step("scan, small steps", "[c, d, i, j]", () -> rowsOf(table, new Scan(range).setCaching(1)));
      step("scan with limit", "[c, d, i]", () -> rowsOf(table, new Scan(range).setLimit(3)));
      step("scan backward", "[j, i, d, c]", () -> rowsOf(table,
        new Scan().withStartRow(b("j")).withStopRow(b("c"), true).addFamily(F).setReversed(true)));
      step("scan backward with limit", "[z, r, q]",
        () -> rowsOf(table, new Scan().addColumn(F, Q).setReversed(true).setLimit(3)));
      step("scan without start", "[d, i]", () -> rowsOf(table,
        new Scan().withStartRow(b("c"), false).withStopRow(b("j")).addFamily(F)));
      step("scan in little bytes", 1000, () -> rowsOf(table,
        new Scan().withStartRow(b("m")).withStopRow(b("n")).setMaxResultSize(200)).size());
      step("scan in batches", "[2, 2, 1]", () -> {
        Put wide = new Put(b("wide"));
        for (int column = 0; column < 5; column++) {
          wide.addColumn(F, b("c" + column), b("x"));
        }
        table.put(wide);
        List<Integer> sizes = new ArrayList<>();
        Scan scan = new Scan().withStartRow(b("wide")).withStopRow(b("wide"), true).setBatch(2);
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result result : scanner) {
            sizes.add(result.size());
          }
        }
        return sizes;
      });
      step("raw scan", true, () -> {
        try (ResultScanner scanner = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
          for (Result result : scanner) {
            for (org.apache.hadoop.hbase.Cell cell : result.rawCells()) {
              if (org.apache.hadoop.hbase.CellUtil.isDelete(cell)) {
                return true;
              }
            }
          }
        }
        return false;
      });
      step("scan that is left early", "c", () -> {
        try (ResultScanner scanner = table.getScanner(new Scan(range).setCaching(1))) {
          return Bytes.toString(scanner.next().getRow());
        }
      });
      // Since 3.0 the client renews leases by itself, and says no to who asks for it.
      step("lease renewed", VersionInfo.getVersion().startsWith("2."), () -> {
        try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1).setMaxResultSize(1))) {
          scanner.next();
          return scanner.renewLease();
        }
      });
    }
  }

  private void filters() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      step("prefix filter", 1000, () -> rowsOf(table, new Scan().setFilter(new PrefixFilter(b("m")))).size());
      step("page filter", 5,
        () -> rowsOf(table, new Scan().withStartRow(b("m")).withStopRow(b("n")).setFilter(new PageFilter(5))).size());
      step("value filter", "[m0042]", () -> {
        SingleColumnValueFilter filter = new SingleColumnValueFilter(G, Q, CompareOperator.EQUAL, b("42"));
        filter.setFilterIfMissing(true);
        return rowsOf(table, new Scan().setFilter(filter));
      });
      step("filter list", "[a, b]", () -> rowsOf(table, new Scan().addFamily(F).setFilter(new FilterList(
        new RowFilter(CompareOperator.LESS, new BinaryComparator(b("ba"))), new FirstKeyOnlyFilter()))));
    }
  }

  private void large() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      step("a large value", 5_000_000, () -> {
        table.put(new Put(b("large")).addColumn(F, Q, new byte[5_000_000]));
        return table.get(new Get(b("large"))).getValue(F, Q).length;
      });
      step("a wide row, whole", 30_000, () -> {
        for (int part = 0; part < 3; part++) {
          Put wide = new Put(b("very wide"));
          for (int column = 0; column < 10_000; column++) {
            wide.addColumn(G, b(String.format("%d%05d", part, column)), new byte[200]);
          }
          table.put(wide);
        }
        try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(b("very wide")).addFamily(G))) {
          return scanner.next().size();
        }
      });
    }
  }

  private void asynchronous(Configuration conf) throws Exception {
    try (AsyncConnection async = ConnectionFactory.createAsyncConnection(conf).get()) {
      step("many at once", 500, () -> {
        List<CompletableFuture<Result>> answers = new ArrayList<>();
        for (int number = 0; number < 500; number++) {
          answers.add(async.getTable(NAME).get(new Get(b(String.format("m%04d", number)))));
        }
        int found = 0;
        for (CompletableFuture<Result> answer : answers) {
          found += answer.get().isEmpty() ? 0 : 1;
        }
        return found;
      });
      fails("no such table", TableNotFoundException.class, () -> {
        try {
          return async.getTable(TableName.valueOf("missing")).get(new Get(b("a"))).get();
        } catch (ExecutionException error) {
          throw (Exception) error.getCause();
        }
      });
    }
  }

  private void maintenance() throws Exception {
    step("flush", null, () -> {
      admin.flush(NAME);
      return null;
    });
    step("major compaction", null, () -> {
      admin.majorCompact(NAME);
      return null;
    });
    step("add a family", 3, () -> {
      admin.addColumnFamily(NAME, ColumnFamilyDescriptorBuilder.of("h"));
      return admin.getDescriptor(NAME).getColumnFamilyCount();
    });
    step("modify a family", 9, () -> {
      admin.modifyColumnFamily(NAME,
        ColumnFamilyDescriptorBuilder.newBuilder(b("h")).setMaxVersions(9).build());
      return admin.getDescriptor(NAME).getColumnFamily(b("h")).getMaxVersions();
    });
    step("delete a family", 2, () -> {
      admin.deleteColumnFamily(NAME, b("h"));
      return admin.getDescriptor(NAME).getColumnFamilyCount();
    });
    step("namespaces", true, () -> {
      admin.createNamespace(NamespaceDescriptor.create("own").addConfiguration("a", "b").build());
      return Arrays.asList(admin.listNamespaces()).contains("own");
    });
    step("a namespace", "b", () -> admin.getNamespaceDescriptor("own").getConfigurationValue("a"));
    step("delete a namespace", null, () -> {
      admin.deleteNamespace("own");
      return null;
    });
    fails("no such namespace", NamespaceNotFoundException.class, () -> admin.getNamespaceDescriptor("own"));
    step("snapshots", 0, () -> admin.listSnapshots().size());
  }

  private void end() throws Exception {
    step("disable", true, () -> {
      admin.disableTable(NAME);
      return admin.isTableDisabled(NAME);
    });
    fails("get while disabled", TableNotEnabledException.class, () -> {
      try (Table table = connection.getTable(NAME)) {
        return table.get(new Get(b("a")));
      }
    });
    step("enable", true, () -> {
      admin.enableTable(NAME);
      return admin.isTableEnabled(NAME);
    });
    step("truncate", 3, () -> {
      admin.disableTable(NAME);
      admin.truncateTable(NAME, true);
      try (Table table = connection.getTable(NAME)) {
        if (!rowsOf(table, new Scan()).isEmpty()) {
          return "rows left";
        }
      }
      return admin.getRegions(NAME).size();
    });
    step("delete", false, () -> {
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
      return admin.tableExists(NAME);
    });
  }
}
