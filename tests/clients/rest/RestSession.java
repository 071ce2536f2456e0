import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.rest.client.Client;
import org.apache.hadoop.hbase.rest.client.Cluster;
import org.apache.hadoop.hbase.rest.client.RemoteAdmin;
import org.apache.hadoop.hbase.rest.client.RemoteHTable;
import org.apache.hadoop.hbase.rest.model.NamespacesInstanceModel;
import org.apache.hadoop.hbase.rest.model.NamespacesModel;
import org.apache.hadoop.hbase.rest.model.TableInfoModel;
import org.apache.hadoop.hbase.util.Bytes;

/** What HBase's own Java client for REST asks a gateway for, step by step, and what must come back. */
public final class RestSession {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final String PROTOBUF = "application/x-protobuf";

  private final Client client;
  private final Configuration configuration;
  private int steps = 0;

  private RestSession(Client client, Configuration configuration) {
    this.client = client;
    this.configuration = configuration;
  }

  /** HOST PORT. */
  public static void main(String[] args) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setInt("hbase.rest.client.max.retries", 1);
    Cluster cluster = new Cluster().add(args[0], Integer.parseInt(args[1]));
    RestSession session = new RestSession(new Client(cluster, configuration, false), configuration);
    try {
      session.schema();
      session.rows();
      session.scans();
      session.rest();
      System.out.println("done: " + session.steps + " steps");
      System.exit(0);
    } catch (Exception | AssertionError error) {
      error.printStackTrace();
      System.exit(1);
    }
  }

  private void schema() throws Exception {
    RemoteAdmin admin = new RemoteAdmin(client, configuration);
    equal("a missing table", false, () -> admin.isTableAvailable("session"));
    HTableDescriptor table = new HTableDescriptor(TableName.valueOf("session"));
    table.addFamily(new HColumnDescriptor("f").setMaxVersions(3));
    table.addFamily(new HColumnDescriptor("g").setTimeToLive(86400));
    admin.createTable(table);
    equal("a table", true, () -> admin.isTableAvailable("session"));
    equal("list of tables", "session", () -> admin.getTableList().get(0).getName());
    equal("rest version", "0.0.3", () -> admin.getRestVersion().getRESTVersion());
    equal("cluster version", "2.6.4", () -> admin.getClusterVersion().getVersion());
    equal("servers", 1, () -> admin.getClusterStatus().getLiveNodes().size());
    equal("regions", 1, () -> admin.getClusterStatus().getLiveNodes().get(0).getRegions().size());
    RemoteHTable remote = table();
    equal("families", 2, () -> remote.getTableDescriptor().getFamilies().size());
    equal("versions", 3, () -> remote.getTableDescriptor().getFamily(F).getMaxVersions());
    equal("ttl", 86400, () -> remote.getTableDescriptor().getFamily(Bytes.toBytes("g")).getTimeToLive());
  }

  private RemoteHTable table() {
    return new RemoteHTable(client, configuration, "session");
  }

  private static Put put(String row, String qualifier, long time, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes(qualifier), time, Bytes.toBytes(value));
  }

  private String value(RemoteHTable table, String row, String qualifier) throws Exception {
    Get get = new Get(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes(qualifier));
    return Bytes.toString(table.get(get).getValue(F, Bytes.toBytes(qualifier)));
  }

  private void rows() throws Exception {
    RemoteHTable table = table();
    table.put(put("r1", "q", 100, "one"));
    equal("a put", "one", () -> value(table, "r1", "q"));
    table.put(put("r1", "q", 200, "two"));
    Get versions = new Get(Bytes.toBytes("r1")).setMaxVersions(5);
    equal("versions", 2, () -> table.get(versions).size());
    Get old = new Get(Bytes.toBytes("r1")).setTimeRange(50, 150).setMaxVersions(5);
    equal("a range of times", "one", () -> Bytes.toString(table.get(old).getValue(F, Q)));
    equal("a missing row", true, () -> table.get(new Get(Bytes.toBytes("none"))).isEmpty());
    equal("exists", true, () -> table.exists(new Get(Bytes.toBytes("r1"))));
    table.put(Arrays.asList(put("r2", "q", 100, "2"), put("r3", "q", 100, "3"), put("r3", "x", 100, "4")));
    Result[] found = table.get(Arrays.asList(new Get(Bytes.toBytes("r3")), new Get(Bytes.toBytes("r2"))));
    equal("a multiget", 2, () -> found.length);
    equal("a row of it", 2, () -> found[0].size());
    byte[] odd = {0, (byte) 0xc3, (byte) 0xbc, '/', ' ', '+', '%'};
    table.put(new Put(odd).addColumn(F, Q, 100, odd));
    equal("a key of signs", true, () -> Arrays.equals(odd, table.get(new Get(odd)).getValue(F, Q)));
    table.delete(new Delete(odd));
    equal("a delete", true, () -> table.get(new Get(odd)).isEmpty());
    Delete column = new Delete(Bytes.toBytes("r3")).addColumns(F, Bytes.toBytes("x"));
    table.delete(Arrays.asList(column, new Delete(Bytes.toBytes("r2"))));
    equal("a delete of a column", 1, () -> table.get(new Get(Bytes.toBytes("r3"))).size());
    byte[] r1 = Bytes.toBytes("r1");
    equal("a check", true, () -> table.checkAndMutate(r1, F).qualifier(Q).ifEquals(Bytes.toBytes("two"))
        .thenPut(put("r1", "q", 300, "three")));
    equal("a check that fails", false, () -> table.checkAndMutate(r1, F).qualifier(Q)
        .ifEquals(Bytes.toBytes("two")).thenPut(put("r1", "q", 400, "four")));
    equal("after the checks", "three", () -> value(table, "r1", "q"));
    Delete q = new Delete(r1).addColumns(F, Q);
    equal("a check before a delete", true, () -> table.checkAndMutate(r1, F).qualifier(Q)
        .ifEquals(Bytes.toBytes("three")).thenDelete(q));
    equal("a family that is not there", "IOException",
        () -> failure(() -> table.put(new Put(r1).addColumn(Bytes.toBytes("no"), Q, Q))));
  }

  private void scans() throws Exception {
    RemoteHTable table = table();
    List<Put> puts = new ArrayList<>();
    for (int number = 0; number < 500; number++) {
      puts.add(put(String.format("s%03d", number), "q", 100, "v" + number));
    }
    table.put(puts);
    equal("a scan", 500, () -> count(table, new Scan(Bytes.toBytes("s"), Bytes.toBytes("t"))));
    equal("a scan of batches", 500, () -> count(table, new Scan(Bytes.toBytes("s"), Bytes.toBytes("t")).setBatch(7)));
    equal("a scan with a filter", 100, () -> count(table, new Scan().setFilter(new PrefixFilter(Bytes.toBytes("s1")))));
    FilterList both = new FilterList(new PrefixFilter(Bytes.toBytes("s1")),
        new QualifierFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(Q)));
    equal("a scan with filters", 0, () -> count(table, new Scan().setFilter(both)));
    equal("a scan of a column", 500, () -> count(table, new Scan(Bytes.toBytes("s")).addColumn(F, Q)));
  }

  private static int count(RemoteHTable table, Scan scan) throws Exception {
    int count = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        count += result.size();
      }
    }
    return count;
  }

  /** What RemoteHTable and RemoteAdmin have no methods for, with HBase's models. */
  private void rest() throws Exception {
    TableInfoModel regions = new TableInfoModel();
    regions.getObjectFromMessage(client.get("/session/regions", PROTOBUF).getBody());
    equal("a region", "session", () -> regions.getName());
    equal("a region's start", 0, () -> regions.get(0).getStartKey().length);
    NamespacesInstanceModel properties = new NamespacesInstanceModel();
    properties.addProperty("owner", "me");
    equal("a namespace", 201,
        () -> client.post("/namespaces/made", PROTOBUF, properties.createProtobufOutput()).getCode());
    NamespacesModel names = new NamespacesModel();
    names.getObjectFromMessage(client.get("/namespaces", PROTOBUF).getBody());
    equal("namespaces", true, () -> names.getNamespaces().contains("made"));
    NamespacesInstanceModel back = new NamespacesInstanceModel();
    back.getObjectFromMessage(client.get("/namespaces/made", PROTOBUF).getBody());
    equal("its properties", "me", () -> back.getProperties().get("owner"));
    equal("dropping it", 200, () -> client.delete("/namespaces/made").getCode());
    new RemoteAdmin(client, configuration).deleteTable("session");
    equal("dropping a table", 404, () -> client.get("/session/exists").getCode());
  }

  private interface Action {
    void run() throws Exception;
  }

  private static String failure(Action action) {
    try {
      action.run();
      return "none";
    } catch (Exception error) {
      return error.getClass().getSimpleName();
    }
  }

  private void equal(String what, Object expected, Callable<Object> actual) throws Exception {
    Object found = actual.call();
    if (!Objects.equals(expected, found)) {
      throw new AssertionError(what + ": " + found + " instead of " + expected);
    }
    steps++;
    System.out.println("ok " + what);
  }
}
