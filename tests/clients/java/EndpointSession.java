import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.AggregationClient;
import org.apache.hadoop.hbase.client.coprocessor.BigDecimalColumnInterpreter;
import org.apache.hadoop.hbase.client.coprocessor.DoubleColumnInterpreter;
import org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter;
import org.apache.hadoop.hbase.coprocessor.ColumnInterpreter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.Bytes;

/** Services that HBase's own clients call by name: aggregations of columns, rows of a region changed at once. */
public final class EndpointSession {
  private static final TableName NAME = TableName.valueOf("endpoints");
  private static final byte[] F = b("f");

  private EndpointSession() {
  }

  /** HOST:PORT. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 2);
    conf.setInt("hbase.client.pause", 50);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
        .setCoprocessor("org.apache.hadoop.hbase.coprocessor.AggregateImplementation")
        .setCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build(), new byte[][] { b("h"), b("p") });
      try (Table table = connection.getTable(NAME); AggregationClient client = new AggregationClient(conf)) {
        fill(table);
        aggregate(client, "long", new LongColumnInterpreter(), "nothing", "weight");
        aggregate(client, "double", new DoubleColumnInterpreter(), "double", "nothing");
        aggregate(client, "decimal", new BigDecimalColumnInterpreter(), "decimal", "share");
        tell("no decimal", () -> client.sum(NAME, new BigDecimalColumnInterpreter(), columns("short")));
        together(table);
      }
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
    }
    System.exit(0);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /** What the client does throws everything. */
  private interface Work {
    Object call() throws Throwable;
  }

  private static void tell(String what, Work work) {
    Object found;
    try {
      found = work.call();
    } catch (Throwable error) {
      found = "fails";
      System.err.println(what + ": " + error);
    }
    System.out.println(what + ": " + found);
  }

  private static void fill(Table table) throws IOException {
    List<Put> puts = new ArrayList<>();
    String rows = "abcghijklmnopqrstuvwxyz";
    for (int number = 0; number < rows.length(); number++) {
      Put put = new Put(b(rows.substring(number, number + 1)));
      put.addColumn(F, b("long"), Bytes.toBytes((number * 37L) % 23 - 11));
      put.addColumn(F, b("weight"), Bytes.toBytes(number % 4 + 1L));
      put.addColumn(F, b("double"), Bytes.toBytes(number * 0.375 - 3));
      put.addColumn(F, b("decimal"), Bytes.toBytes(new BigDecimal(number * number + ".12500").negate()));
      put.addColumn(F, b("share"), Bytes.toBytes(new BigDecimal("1." + number)));
      puts.add(put);
    }
    puts.add(new Put(b("large")).addColumn(F, b("decimal"), Bytes.toBytes(new BigDecimal("12345678901234567890123.455")))
      .addColumn(F, b("share"), Bytes.toBytes(new BigDecimal("3e4"))));
    puts.add(new Put(b("short")).addColumn(F, b("long"), b("no")).addColumn(F, b("short"), b("no")));
    table.put(puts);
  }

  private static Scan columns(String... columns) {
    Scan scan = new Scan();
    for (String column : columns) {
      scan.addColumn(F, b(column));
    }
    return scan;
  }

  private static <R, S, P extends com.google.protobuf.Message, Q extends com.google.protobuf.Message,
    T extends com.google.protobuf.Message> void aggregate(AggregationClient client, String column,
      ColumnInterpreter<R, S, P, Q, T> numbers, String other, String weight) {
    tell(column + " rows", () -> client.rowCount(NAME, numbers, columns(column)));
    tell(column + " rows of all", () -> client.rowCount(NAME, numbers, new Scan().addFamily(F)));
    tell(column + " max", () -> client.max(NAME, numbers, columns(column)));
    tell(column + " min", () -> client.min(NAME, numbers, columns(column)));
    tell(column + " sum", () -> client.sum(NAME, numbers, columns(column)));
    tell(column + " average", () -> client.avg(NAME, numbers, columns(column)));
    tell(column + " deviation", () -> client.std(NAME, numbers, columns(column)));
    tell(column + " median", () -> client.median(NAME, numbers, columns(column)));
    tell(column + " weighted median", () -> client.median(NAME, numbers, columns(column, weight)));
    tell(column + " sum of a range", () -> client.sum(NAME, numbers,
      columns(column).withStartRow(b("b")).withStopRow(b("q"))));
    tell(column + " sum under a filter", () -> client.sum(NAME, numbers,
      columns(column).setFilter(new PrefixFilter(b("g")))));
    tell(column + " sum of nothing", () -> client.sum(NAME, numbers, columns("none")));
    tell(column + " max of nothing", () -> client.max(NAME, numbers, columns("none")));
    tell(column + " max of two columns", () -> client.max(NAME, numbers, columns(column, other)));
    tell(column + " min without a family", () -> client.min(NAME, numbers, new Scan()));
  }

  private static String mutate(Table table, String row, Mutation... mutations) throws IOException, ServiceException {
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (Mutation mutation : mutations) {
      MutationType type = mutation instanceof Put ? MutationType.PUT : MutationType.DELETE;
      request.addMutationRequest(ProtobufUtil.toMutation(type, mutation));
    }
    MultiRowMutationService.newBlockingStub(table.coprocessorService(b(row))).mutateRows(null, request.build());
    return "done";
  }

  private static List<String> cells(Table table, String prefix) throws IOException {
    List<String> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan().setStartStopRowForPrefixScan(b(prefix)))) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          found.add(Bytes.toString(CellUtil.cloneRow(cell)) + "/" + Bytes.toString(CellUtil.cloneQualifier(cell)) + "="
            + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return found;
  }

  private static void together(Table table) {
    tell("two rows", () -> mutate(table, "b1", new Put(b("b1")).addColumn(F, b("q"), b("1")),
      new Put(b("b2")).addColumn(F, b("q"), b("2")).addColumn(F, b("r"), b("3"))));
    tell("what is there", () -> cells(table, "b"));
    tell("a put and a delete", () -> mutate(table, "b1", new Put(b("b3")).addColumn(F, b("q"), b("4")),
      new Delete(b("b2")).addColumns(F, b("q"))));
    tell("what is there then", () -> Arrays.asList(cells(table, "b2"), cells(table, "b3")));
    tell("rows of two regions", () -> mutate(table, "b1", new Put(b("b4")).addColumn(F, b("q"), b("5")),
      new Put(b("z4")).addColumn(F, b("q"), b("5"))));
    tell("a family that is not there", () -> mutate(table, "b1", new Put(b("b5")).addColumn(F, b("q"), b("6")),
      new Put(b("b6")).addColumn(b("none"), b("q"), b("6"))));
    tell("what is left", () -> Arrays.asList(cells(table, "b4"), cells(table, "b5"), cells(table, "z4")));
    tell("a get", () -> table.get(new Get(b("b3"))).size());
  }
}
