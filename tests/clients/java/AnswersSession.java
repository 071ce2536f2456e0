import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** What a Java client is answered where Rowstone once answered otherwise than HBase: each line is one answer. */
public final class AnswersSession {
  private static final byte[] F = b("f");

  interface Step {
    Object run() throws Exception;
  }

  private AnswersSession() {
  }

  /** HOST:PORT. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 2);
    conf.setInt("hbase.client.pause", 50);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      markersInPuts(connection, admin);
      filtersThatEnd(connection, admin);
      rowsUnderRowFilters(connection, admin);
      new AdminAnswers(connection, admin).run();
    }
  }

  // Delete markers in a Put.

  private static void markersInPuts(Connection connection, Admin admin) throws Exception {
    try (Table table = create(connection, admin, "markers")) {
      for (KeyValue.Type type : new KeyValue.Type[] { KeyValue.Type.Delete, KeyValue.Type.DeleteColumn,
        KeyValue.Type.DeleteFamily, KeyValue.Type.DeleteFamilyVersion }) {
        for (long timestamp : new long[] { HConstants.LATEST_TIMESTAMP, 5 }) {
          String name = type + (timestamp == 5 ? " at 5" : "");
          say("put with " + name, () -> {
            byte[] row = b("put " + name);
            fill(table, row);
            table.put(marker(row, type, timestamp));
            return row(table, row);
          });
          say("batch with " + name, () -> {
            byte[] row = b("batch " + name);
            fill(table, row);
            table.put(Arrays.asList(marker(row, type, timestamp), new Put(b("other")).addColumn(F, b("q"), b("v"))));
            return row(table, row);
          });
          say("row mutations with " + name, () -> {
            byte[] row = b("mutations " + name);
            fill(table, row);
            RowMutations both = new RowMutations(row);
            both.add(marker(row, type, timestamp));
            both.add(new Delete(row).addColumn(F, b("none"), 3));
            table.mutateRow(both);
            return row(table, row);
          });
          say("checked put with " + name, () -> {
            byte[] row = b("checked " + name);
            fill(table, row);
            boolean done = table.checkAndMutate(CheckAndMutate.newBuilder(row).ifEquals(F, b("c"), b("5"))
              .build(marker(row, type, timestamp))).isSuccess();
            return done + " " + row(table, row);
          });
        }
      }
      say("put of a value and its marker", () -> {
        byte[] row = b("both");
        Put put = new Put(row, 7).addColumn(F, b("c"), b("new")).addColumn(F, b("d"), b("kept"));
        put.add(new KeyValue(row, F, b("c"), 7, KeyValue.Type.DeleteColumn));
        table.put(put);
        return row(table, row);
      });
    }
  }

  private static void fill(Table table, byte[] row) throws IOException {
    for (long timestamp = 4; timestamp <= 6; timestamp++) {
      table.put(new Put(row, timestamp).addColumn(F, b("c"), b("" + timestamp)).addColumn(F, b("d"), b("x")));
    }
    table.put(new Put(row, 5).addColumn(F, b("c"), b("5")));
    table.delete(new Delete(row).addColumns(F, b("nothing"), 1));
    table.delete(new Delete(row).addColumn(F, b("c"), 6));
  }

  private static Put marker(byte[] row, KeyValue.Type type, long timestamp) throws IOException {
    boolean ofFamily = type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    Put put = new Put(row);
    put.add(new KeyValue(row, F, ofFamily ? new byte[0] : b("c"), timestamp, type));
    return put;
  }

  private static String row(Table table, byte[] row) throws IOException {
    List<String> all = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(row).withStopRow(row, true).setRaw(true).readAllVersions())) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          String time = cell.getTimestamp() < 100 ? "" + cell.getTimestamp() : "now";
          all.add(s(CellUtil.cloneQualifier(cell)) + "/" + time + "/" + cell.getType() + "/" + s(CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells(table.get(new Get(row).readVersions(9))) + " of " + all;
  }

  // Filters that end a scan, over regions and over calls.

  private static void filtersThatEnd(Connection connection, Admin admin) throws Exception {
    TableName name = TableName.valueOf("ends");
    admin.createTable(TableDescriptorBuilder.newBuilder(name)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build(), new byte[][] { b("m") });
    try (Table table = connection.getTable(name)) {
      for (String row : "a b c d n o p q".split(" ")) {
        table.put(new Put(b(row)).addColumn(F, b("q"), b(row)).addColumn(F, b("r"), b("2")));
      }
      for (int caching = 1; caching <= 5; caching++) {
        for (boolean reversed : new boolean[] { false, true }) {
          for (int size = 1; size <= 5; size++) {
            rows(table, "page of " + size, new PageFilter(size), caching, reversed);
          }
          rows(table, "while page of 2", new WhileMatchFilter(new PageFilter(2)), caching, reversed);
          rows(table, "while before c", new WhileMatchFilter(before("c")), caching, reversed);
          rows(table, "while before p", new WhileMatchFilter(before("p")), caching, reversed);
          rows(table, "while not o", new WhileMatchFilter(
            new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("o")))), caching, reversed);
          rows(table, "prefix b", new PrefixFilter(b("b")), caching, reversed);
          rows(table, "page of 2 and before p", new FilterList(new PageFilter(2), before("p")), caching, reversed);
          rows(table, "page of 2 or before b",
            new FilterList(FilterList.Operator.MUST_PASS_ONE, new PageFilter(2), before("b")), caching, reversed);
        }
      }
    }
  }

  private static RowFilter before(String row) {
    return new RowFilter(CompareOperator.LESS, new BinaryComparator(b(row)));
  }

  private static void rows(Table table, String what, Filter filter, int caching, boolean reversed) {
    say(what + ", " + caching + " at once" + (reversed ? ", reversed" : ""), () -> {
      List<String> found = new ArrayList<>();
      Scan scan = new Scan().setFilter(filter).setCaching(caching).setReversed(reversed);
      try (ResultScanner scanner = table.getScanner(scan)) {
        scanner.forEach(result -> found.add(s(result.getRow())));
      }
      return found;
    });
  }

  // Partial results where a filter decides on whole rows.

  private static void rowsUnderRowFilters(Connection connection, Admin admin) throws Exception {
    try (Table table = create(connection, admin, "partial")) {
      for (String row : "a b c".split(" ")) {
        Put put = new Put(b(row));
        for (int column = 0; column < 5; column++) {
          put.addColumn(F, b("q" + column), b(row.equals("b") && column == 0 ? "other" : "value"));
        }
        table.put(put);
      }
      ValueFilter equal = new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("value")));
      partial(table, "none", null);
      partial(table, "values", equal);
      partial(table, "qualifiers", new QualifierFilter(CompareOperator.GREATER, new BinaryComparator(b("q1"))));
      partial(table, "skip", new SkipFilter(equal));
      partial(table, "while", new WhileMatchFilter(equal));
      partial(table, "page", new PageFilter(2));
      partial(table, "one column", new SingleColumnValueFilter(F, b("q0"), CompareOperator.EQUAL, b("value")));
      partial(table, "list", new FilterList(new PageFilter(2), equal));
      partial(table, "list without rows", new FilterList(equal, equal));
    }
  }

  private static void partial(Table table, String what, Filter filter) {
    say("partial results with " + what, () -> {
      List<String> found = new ArrayList<>();
      Scan scan = new Scan().setAllowPartialResults(true).setMaxResultSize(1).setFilter(filter);
      try (ResultScanner scanner = table.getScanner(scan)) {
        scanner.forEach(result -> found.add(s(result.getRow()) + result.size() + (result.mayHaveMoreCellsInRow() ? "+" : "")));
      }
      return found;
    });
  }

  // What all use.

  private static Table create(Connection connection, Admin admin, String name) throws IOException {
    TableName table = TableName.valueOf(name);
    admin.createTable(TableDescriptorBuilder.newBuilder(table)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(9).build()).build());
    return connection.getTable(table);
  }

  private static String cells(Result result) {
    List<String> found = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      found.add(s(CellUtil.cloneQualifier(cell)) + "=" + s(CellUtil.cloneValue(cell)));
    }
    return found.toString();
  }

  static void say(String what, Step step) {
    String answer;
    try {
      answer = String.valueOf(step.run());
    } catch (Throwable error) {
      answer = error.getClass().getSimpleName();
    }
    System.out.println(what + ": " + answer);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  private static String s(byte[] bytes) {
    return Bytes.toStringBinary(bytes);
  }
}
