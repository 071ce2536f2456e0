import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** What a Java client is answered where Rowstone answers otherwise than HBase, and means to: each line is one class of it. */
public final class DifferentAnswers {
  private static final byte[] F = b("f");

  private DifferentAnswers() {
  }

  /** HOST:PORT. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.client.pause", 50);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      batches(connection, admin);
      filters(connection, admin);
      administration(admin);
    }
  }

  private static void batches(Connection connection, Admin admin) throws Exception {
    try (Table table = create(connection, admin, "batches", "1000")) {
      AnswersSession.say("get after put of its row in a batch", () -> {
        Object[] results = new Object[2];
        table.batch(Arrays.asList(put("r", "q", "v"), new Get(b("r"))), results);
        return show((Result) results[1]);
      });
      AnswersSession.say("batch with one cell that is too large", () -> {
        Object[] results = new Object[2];
        List<Row> puts = Arrays.asList(put("s", "q", "v"), new Put(b("l")).addColumn(F, b("q"), new byte[2000]));
        try {
          table.batch(puts, results);
        } catch (IOException each) {
          // What failed is in the results.
        }
        return results[0].getClass().getSimpleName() + ", " + results[1].getClass().getSimpleName();
      });
    }
  }

  private static void filters(Connection connection, Admin admin) throws Exception {
    try (Table table = create(connection, admin, "filters", "0")) {
      table.put(new Put(b("d"), 5).addColumn(F, b("ab"), b("deleted")));
      table.delete(new Delete(b("d")).addFamily(F, 6));
      table.put(new Put(b("d"), 7).addColumn(F, b(""), b("empty")));
      scan(table, "ColumnPrefixFilter past an empty qualifier", new ColumnPrefixFilter(b("ab")), false);
      scan(table, "MultipleColumnPrefixFilter past an empty qualifier",
        new MultipleColumnPrefixFilter(new byte[][] { b("ab") }), false);
      scan(table, "ColumnRangeFilter past an empty qualifier", new ColumnRangeFilter(b("aa"), true, b("b"), true), false);
    }
    try (Table table = create(connection, admin, "counted", "0")) {
      for (String row : "r s".split(" ")) {
        table.put(new Put(b(row)).addColumn(F, b("a"), b("1")).addColumn(F, b("b"), b("2")));
      }
      scan(table, "LongComparator on a value of one byte",
        new ValueFilter(CompareOperator.GREATER, new LongComparator(0)), false);
      scan(table, "MultiRowRangeFilter over an empty range, reversed", new MultiRowRangeFilter(
        Arrays.asList(new MultiRowRangeFilter.RowRange(b("s"), false, b("s"), true))), true);
    }
    try (Table table = create(connection, admin, "fuzzy", "0")) {
      for (String row : "a aa aab ab b ba bab bb".split(" ")) {
        table.put(put(row, "q", "v"));
      }
      scan(table, "FuzzyRowFilter reversed over shorter rows", new FuzzyRowFilter(
        Arrays.asList(new Pair<>(b("ab"), new byte[] { 0, 0 }))), true);
    }
  }

  private static void administration(Admin admin) {
    AnswersSession.say("bad namespace name", () -> done(() -> admin.createNamespace(NamespaceDescriptor.create("a-b").build())));
    AnswersSession.say("table in the namespace hbase", () -> done(() -> admin.createTable(described("hbase:own").build())));
    AnswersSession.say("alter hbase:meta", () -> done(() -> admin.modifyTable(TableDescriptorBuilder
      .newBuilder(admin.getDescriptor(TableName.META_TABLE_NAME)).setMaxFileSize(1L << 40).build())));
    AnswersSession.say("drop hbase:meta", () -> done(() -> admin.deleteTable(TableName.META_TABLE_NAME)));
    AnswersSession.say("state of a missing replication peer", () -> admin.isReplicationPeerEnabled("1"));
    AnswersSession.say("close a region", () -> done(() ->
      admin.unassign(admin.getRegions(TableName.valueOf("fuzzy")).get(0).getRegionName())));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static String done(Work work) throws Exception {
    work.run();
    return "done";
  }

  private static void scan(Table table, String what, Filter filter, boolean reversed) {
    AnswersSession.say(what, () -> {
      List<String> found = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(new Scan().setFilter(filter).setReversed(reversed))) {
        scanner.forEach(result -> found.add(s(result.getRow()) + " " + show(result)));
      }
      return found;
    });
  }

  private static Table create(Connection connection, Admin admin, String name, String limit) throws IOException {
    admin.createTable(described(name).setValue("hbase.server.keyvalue.maxsize", limit).build());
    return connection.getTable(TableName.valueOf(name));
  }

  private static TableDescriptorBuilder described(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name)).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
  }

  private static Put put(String row, String qualifier, String value) {
    return new Put(b(row)).addColumn(F, b(qualifier), b(value));
  }

  private static String show(Result result) {
    List<String> found = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      found.add(s(CellUtil.cloneQualifier(cell)) + "=" + s(CellUtil.cloneValue(cell)));
    }
    return found.toString();
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  private static String s(byte[] bytes) {
    return Bytes.toStringBinary(bytes);
  }
}
