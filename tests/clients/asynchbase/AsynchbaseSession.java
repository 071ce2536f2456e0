import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.hbase.async.AppendRequest;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.BinaryComparator;
import org.hbase.async.BinaryPrefixComparator;
import org.hbase.async.ColumnPaginationFilter;
import org.hbase.async.ColumnPrefixFilter;
import org.hbase.async.ColumnRangeFilter;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.Config;
import org.hbase.async.DeleteRequest;
import org.hbase.async.FilterList;
import org.hbase.async.FirstKeyOnlyFilter;
import org.hbase.async.FuzzyRowFilter;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.MultiColumnAtomicIncrementRequest;
import org.hbase.async.MultipleColumnPrefixFilter;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.PutRequest;
import org.hbase.async.QualifierFilter;
import org.hbase.async.RegexStringComparator;
import org.hbase.async.RowFilter;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.hbase.async.SubstringComparator;
import org.hbase.async.TableNotFoundException;
import org.hbase.async.TimestampsFilter;
import org.hbase.async.ValueFilter;

/** What asynchbase (OpenTSDB's client) asks a server for, step by step, and what must come back. */
public final class AsynchbaseSession {
  private static final String TABLE = "session";
  private static final byte[] T = b(TABLE);
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");
  private static final byte[] Q = b("q");
  private static final long WAIT_MS = 30_000;

  private final HBaseClient client;
  private int steps = 0;

  private AsynchbaseSession(HBaseClient client) {
    this.client = client;
  }

  /** HOST:ZK_PORT. The table "session" with families f (3 versions) and g is there, split at h and p. */
  public static void main(String[] args) throws Exception {
    Config config = new Config();
    config.overrideConfig("hbase.zookeeper.quorum", args[0]);
    AsynchbaseSession session = new AsynchbaseSession(new HBaseClient(config));
    try {
      session.run();
      System.out.println("done: " + session.steps + " steps");
      System.exit(0);
    } catch (Exception | AssertionError error) {
      error.printStackTrace();
      System.exit(1);
    }
  }

  private void run() throws Exception {
    tables();
    rows();
    deletes();
    atomics();
    many();
    scans();
    filters();
    end();
  }

  private static byte[] b(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static String s(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static <V> V wait(Deferred<V> answer) throws Exception {
    return answer.join(WAIT_MS);
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

  private void succeeds(String name, Callable<Object> work) throws Exception {
    work.call();
    steps++;
    System.out.println("ok " + name);
  }

  private void fails(String name, Class<? extends Exception> kind, Callable<Object> work) throws Exception {
    try {
      work.call();
    } catch (Exception error) {
      if (kind.isInstance(error)) {
        steps++;
        System.out.println("ok " + name);
        return;
      }
      throw new AssertionError(name + ": expected " + kind.getName(), error);
    }
    throw new AssertionError(name + ": no error");
  }

  private static PutRequest put(String row, byte[] family, String qualifier, String value) {
    return new PutRequest(T, b(row), family, b(qualifier), b(value));
  }

  private String get(String row, byte[] family, String qualifier) throws Exception {
    return values(wait(client.get(new GetRequest(T, b(row), family, b(qualifier)))));
  }

  private static String values(List<KeyValue> cells) {
    StringBuilder text = new StringBuilder();
    for (KeyValue cell : cells) {
      text.append(text.length() == 0 ? "" : ",").append(s(cell.value()));
    }
    return text.toString();
  }

  private List<List<KeyValue>> all(Scanner scanner) throws Exception {
    List<List<KeyValue>> rows = new ArrayList<>();
    for (ArrayList<ArrayList<KeyValue>> part; (part = wait(scanner.nextRows())) != null;) {
      rows.addAll(part);
    }
    return rows;
  }

  private List<String> rowsOf(Scanner scanner) throws Exception {
    List<String> rows = new ArrayList<>();
    for (List<KeyValue> row : all(scanner)) {
      rows.add(s(row.get(0).key()));
    }
    return rows;
  }

  private List<String> qualifiersOf(Scanner scanner) throws Exception {
    List<String> found = new ArrayList<>();
    for (List<KeyValue> row : all(scanner)) {
      for (KeyValue cell : row) {
        found.add(s(cell.qualifier()));
      }
    }
    return found;
  }

  private Scanner scanner(String start, String stop) {
    Scanner scanner = client.newScanner(T);
    scanner.setStartKey(start);
    scanner.setStopKey(stop);
    return scanner;
  }

  private Scanner filtered(String start, String stop, ScanFilter filter) {
    Scanner scanner = scanner(start, stop);
    scanner.setFilter(filter);
    return scanner;
  }

  private void tables() throws Exception {
    succeeds("the table exists", () -> wait(client.ensureTableExists(TABLE)));
    succeeds("its family exists", () -> wait(client.ensureTableFamilyExists(TABLE, "f")));
    fails("another table does not", TableNotFoundException.class, () -> wait(client.ensureTableExists("missing")));
    fails("another family does not", NoSuchColumnFamilyException.class,
      () -> wait(client.ensureTableFamilyExists(TABLE, "nope")));
    step("regions", 3, () -> wait(client.locateRegions(T)).size());
    succeeds("regions looked up before", () -> wait(client.prefetchMeta(T)));
  }

  private void rows() throws Exception {
    step("put", "1", () -> {
      wait(client.put(put("a", F, "q", "1")));
      return get("a", F, "q");
    });
    step("get nothing", 0, () -> wait(client.get(new GetRequest(T, b("nothing")))).size());
    step("put two columns", "2,3", () -> {
      wait(client.put(new PutRequest(T, b("b"), F, new byte[][] { b("q"), b("r") }, new byte[][] { b("2"), b("3") })));
      return values(wait(client.get(new GetRequest(T, b("b")).family(F))));
    });
    step("get a column", "3", () -> get("b", F, "r"));
    step("get columns", "2,3",
      () -> values(wait(client.get(new GetRequest(T, b("b")).family(F).qualifiers(new byte[][] { b("q"), b("r") })))));
    step("an empty value", "[]", () -> {
      wait(client.put(put("b", G, "empty", "")));
      return "[" + get("b", G, "empty") + "]";
    });
    step("versions", "4,3,2", () -> {
      for (int version = 1; version <= 4; version++) {
        wait(client.put(new PutRequest(T, b("v"), F, Q, b("" + version), version)));
      }
      return values(wait(client.get(new GetRequest(T, b("v"), F, Q).maxVersions(10))));
    });
    step("the newest version", "4", () -> get("v", F, "q"));
    step("time range", "3", () -> {
      GetRequest request = new GetRequest(T, b("v"), F, Q).maxVersions(10);
      request.setTimeRange(3, 4);
      return values(wait(client.get(request)));
    });
    step("timestamp of a cell", 4L,
      () -> wait(client.get(new GetRequest(T, b("v"), F, Q))).get(0).timestamp());
    step("get with a filter", "3", () -> {
      GetRequest request = new GetRequest(T, b("b"), F);
      request.setFilter(new ColumnPrefixFilter("r"));
      return values(wait(client.get(request)));
    });
    step("a large value", 3_000_000, () -> {
      wait(client.put(new PutRequest(T, b("large"), G, Q, new byte[3_000_000])));
      return wait(client.get(new GetRequest(T, b("large"), G, Q))).get(0).value().length;
    });
    fails("no such family", NoSuchColumnFamilyException.class, () -> wait(client.put(put("a", b("nope"), "q", "1"))));
    fails("no such table", TableNotFoundException.class, () -> wait(client.get(new GetRequest("missing", "a"))));
  }

  private void deletes() throws Exception {
    // What the fourth version hid is there again, until a flush.
    step("delete a version", "3,2,1", () -> {
      DeleteRequest request = new DeleteRequest(T, b("v"), F, Q, 4);
      request.setDeleteAtTimestampOnly(true);
      wait(client.delete(request));
      return values(wait(client.get(new GetRequest(T, b("v"), F, Q).maxVersions(10))));
    });
    step("delete up to a timestamp", "3", () -> {
      wait(client.delete(new DeleteRequest(T, b("v"), F, Q, 2)));
      return values(wait(client.get(new GetRequest(T, b("v"), F, Q).maxVersions(10))));
    });
    step("delete a column", "3", () -> {
      wait(client.delete(new DeleteRequest(T, b("b"), F, Q)));
      return values(wait(client.get(new GetRequest(T, b("b"), F))));
    });
    step("delete columns", "", () -> {
      wait(client.delete(new DeleteRequest(T, b("b"), F, new byte[][] { b("r"), b("s") })));
      return values(wait(client.get(new GetRequest(T, b("b"), F))));
    });
    step("delete a family", 0, () -> {
      wait(client.delete(new DeleteRequest(T, b("b"), G)));
      return wait(client.get(new GetRequest(T, b("b")))).size();
    });
    step("delete a row", 0, () -> {
      wait(client.put(put("w", F, "q", "1")));
      wait(client.put(put("w", G, "q", "2")));
      wait(client.delete(new DeleteRequest(T, b("w"))));
      return wait(client.get(new GetRequest(T, b("w")))).size();
    });
  }

  private void atomics() throws Exception {
    step("increment", 5L, () -> wait(client.atomicIncrement(new AtomicIncrementRequest(T, b("n"), F, b("n"), 5))));
    step("increment again", 7L, () -> wait(client.atomicIncrement(new AtomicIncrementRequest(T, b("n"), F, b("n"), 2))));
    step("increment without the log", 8L,
      () -> wait(client.atomicIncrement(new AtomicIncrementRequest(T, b("n"), F, b("n")), false)));
    step("increment two columns", "[9, 3]", () -> {
      byte[][] columns = { b("n"), b("o") };
      Map<byte[], Long> sums = wait(
        client.atomicIncrement(new MultiColumnAtomicIncrementRequest(T, b("n"), F, columns, new long[] { 1, 3 })));
      List<Long> found = new ArrayList<>(sums.values());
      found.sort(java.util.Comparator.reverseOrder());
      return found;
    });
    step("increments that are gathered", 109L, () -> {
      List<Deferred<Long>> answers = new ArrayList<>();
      for (int number = 0; number < 100; number++) {
        answers.add(client.bufferAtomicIncrement(new AtomicIncrementRequest(T, b("n"), F, b("n"), 1)));
      }
      wait(client.flush());
      for (Deferred<Long> answer : answers) {
        wait(answer);
      }
      return java.nio.ByteBuffer.wrap(wait(client.get(new GetRequest(T, b("n"), F, b("n")))).get(0).value()).getLong();
    });
    step("append", "ab", () -> {
      wait(client.append(new AppendRequest(T, b("n"), F, b("s"), b("a"))));
      wait(client.append(new AppendRequest(T, b("n"), F, b("s"), b("b"))));
      return get("n", F, "s");
    });
    step("compare and set, absent", true, () -> wait(client.atomicCreate(put("k", F, "q", "5"))));
    step("compare and set, there already", false, () -> wait(client.atomicCreate(put("k", F, "q", "6"))));
    step("compare and set", true, () -> wait(client.compareAndSet(put("k", F, "q", "7"), b("5"))));
    step("compare and set, another value", false, () -> wait(client.compareAndSet(put("k", F, "q", "8"), b("5"))));
    step("what is set", "7", () -> get("k", F, "q"));
  }

  private void many() throws Exception {
    step("puts that are gathered", 1000, () -> {
      List<Deferred<Object>> answers = new ArrayList<>();
      for (int number = 0; number < 1000; number++) {
        answers.add(client.put(put(String.format("m%04d", number), G, "q", "" + number)));
      }
      wait(client.flush());
      for (Deferred<Object> answer : answers) {
        wait(answer);
      }
      return rowsOf(scanner("m", "n")).size();
    });
    step("many gets at once", 500, () -> {
      List<Deferred<ArrayList<KeyValue>>> answers = new ArrayList<>();
      for (int number = 0; number < 500; number++) {
        answers.add(client.get(new GetRequest(T, b(String.format("m%04d", number)))));
      }
      int found = 0;
      for (Deferred<ArrayList<KeyValue>> answer : answers) {
        found += wait(answer).size();
      }
      return found;
    });
    step("a list of gets", "[1, 42, ]", () -> {
      List<GetRequest> requests = Arrays.asList(new GetRequest(T, b("a")), new GetRequest(T, b("m0042")),
        new GetRequest(T, b("nothing")));
      List<String> found = new ArrayList<>();
      for (GetResultOrException each : wait(client.get(requests))) {
        found.add(values(each.getCells()));
      }
      return found;
    });
    step("appends and deletes between puts", "xy", () -> {
      List<Deferred<Object>> answers = new ArrayList<>();
      for (int number = 0; number < 50; number++) {
        String row = String.format("p%02d", number);
        answers.add(client.put(put(row, F, "q", "x")));
        answers.add(client.delete(new DeleteRequest(T, b(row), G)));
      }
      wait(client.flush());
      for (Deferred<Object> answer : answers) {
        wait(answer);
      }
      wait(client.append(new AppendRequest(T, b("p07"), F, Q, b("y"))));
      return get("p07", F, "q");
    });
  }

  private void scans() throws Exception {
    for (String row : "c d i j q r z".split(" ")) {
      wait(client.put(put(row, F, "q", row)));
    }
    step("scan", "[c, d, i]", () -> rowsOf(scanner("c", "j")));
    step("scan in small steps", "[c, d, i]", () -> {
      Scanner scanner = scanner("c", "j");
      scanner.setMaxNumRows(1);
      return rowsOf(scanner);
    });
    step("scan a family", 0, () -> {
      Scanner scanner = scanner("m", "n");
      scanner.setFamily(F);
      return rowsOf(scanner).size();
    });
    step("scan a column", "[q, r]", () -> {
      Scanner scanner = scanner("q", "s");
      scanner.setFamily(F);
      scanner.setQualifier("q");
      return rowsOf(scanner);
    });
    step("scan in little bytes", 1000, () -> {
      Scanner scanner = scanner("m", "n");
      scanner.setMaxNumBytes(300);
      return rowsOf(scanner).size();
    });
    step("scan backward", "[j, i, d]", () -> {
      Scanner scanner = scanner("j", "c");
      scanner.setFamily(F);
      scanner.setReversed(true);
      return rowsOf(scanner);
    });
    step("scan versions", "3", () -> {
      Scanner scanner = scanner("v", "w");
      scanner.setMaxVersions(5);
      return values(all(scanner).get(0));
    });
    step("scan a time range", "[v]", () -> {
      Scanner scanner = client.newScanner(T);
      scanner.setTimeRange(1, 100);
      return rowsOf(scanner);
    });
    step("scan with few cells at once", 5, () -> {
      byte[][] columns = { b("c0"), b("c1"), b("c2"), b("c3"), b("c4") };
      wait(client.put(new PutRequest(T, b("wide"), F, columns, columns)));
      Scanner scanner = scanner("wide", "widf");
      scanner.setMaxNumKeyValues(2);
      return qualifiersOf(scanner).size();
    });
    step("scan that is left early", "c", () -> {
      Scanner scanner = scanner("c", "j");
      String first = s(wait(scanner.nextRows(1)).get(0).get(0).key());
      wait(scanner.close());
      return first;
    });
  }

  private void filters() throws Exception {
    step("row filter", 10,
      () -> rowsOf(filtered("m", "n", new RowFilter(CompareOp.EQUAL, new BinaryPrefixComparator(b("m004"))))).size());
    step("row filter, expression", "[m0042, m0142]",
      () -> rowsOf(filtered("m", "n", new RowFilter(CompareOp.EQUAL, new RegexStringComparator("m0[01]42")))));
    step("key expression", "[m0007]", () -> {
      Scanner scanner = scanner("m", "n");
      scanner.setKeyRegexp("^m0007$");
      return rowsOf(scanner);
    });
    step("value filter", "[m0042]",
      () -> rowsOf(filtered("m", "n", new ValueFilter(CompareOp.EQUAL, new BinaryComparator(b("42"))))));
    step("value filter, part", 19,
      () -> rowsOf(filtered("m", "n", new ValueFilter(CompareOp.EQUAL, new SubstringComparator("77")))).size());
    step("qualifier filter", "[c3, c4]", () -> qualifiersOf(
      filtered("wide", "widf", new QualifierFilter(CompareOp.GREATER_OR_EQUAL, new BinaryComparator(b("c3"))))));
    step("column prefix", "[c1]", () -> qualifiersOf(filtered("wide", "widf", new ColumnPrefixFilter("c1"))));
    step("column prefixes", "[c1, c4]", () -> qualifiersOf(
      filtered("wide", "widf", new MultipleColumnPrefixFilter(new String[] { "c1", "c4" }))));
    step("column range", "[c1, c2]",
      () -> qualifiersOf(filtered("wide", "widf", new ColumnRangeFilter("c1", true, "c3", false))));
    step("column pages", "[c2, c3]", () -> qualifiersOf(filtered("wide", "widf", new ColumnPaginationFilter(2, 2))));
    step("first cells", "[c0]", () -> qualifiersOf(filtered("wide", "widf", new FirstKeyOnlyFilter())));
    step("keys only", "", () -> values(all(filtered("c", "d", new KeyOnlyFilter())).get(0)));
    step("timestamps", "3", () -> values(all(filtered("v", "w", new TimestampsFilter(3L))).get(0)));
    step("fuzzy rows", "[m0042, m0142]", () -> rowsOf(filtered("m00", "m02", new FuzzyRowFilter(
      new FuzzyRowFilter.FuzzyFilterPair(b("m0?42"), new byte[] { 0, 0, 1, 0, 0 })))));
    step("filter list, one of", "[m0001, m0042]", () -> rowsOf(filtered("m", "n", new FilterList(Arrays.asList(
      new ValueFilter(CompareOp.EQUAL, new BinaryComparator(b("42"))),
      new ValueFilter(CompareOp.EQUAL, new BinaryComparator(b("1")))), FilterList.Operator.MUST_PASS_ONE))));
    step("filter list, all of", "[m0042]", () -> rowsOf(filtered("m", "n", new FilterList(Arrays.asList(
      new RowFilter(CompareOp.LESS, new BinaryComparator(b("m0050"))),
      new ValueFilter(CompareOp.EQUAL, new RegexStringComparator("2$")),
      new RowFilter(CompareOp.GREATER, new BinaryComparator(b("m0032"))))))));
  }

  private void end() throws Exception {
    step("rows in all", true, () -> new TreeSet<>(rowsOf(client.newScanner(T))).size() > 1050);
    succeeds("shutdown", () -> wait(client.shutdown()));
  }
}
