import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * HBase's own client, told block by block what to do. Each line of input is {@code operation table threads count stamp};
 * each line of output is {@code nanoseconds found}. The rows come from the file that {@code load} names,
 * again from its beginning where {@code count} goes beyond its end.
 */
public final class ClusterBench {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final byte[] COUNTER = {'n'};
  private static final byte[] ABSENT = {'a'};
  private static final int BATCH = 1000;

  private interface Work {
    long run(Table table, int from, int to) throws Exception;
  }

  private final Connection connection;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private byte[][] keys;
  private byte[][] values;

  private ClusterBench(Connection connection) {
    this.connection = connection;
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      ClusterBench bench = new ClusterBench(connection);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(bench.answer(line.split(" ")));
        System.out.flush();
      }
      bench.threads.shutdown();
    }
  }

  private String answer(String[] words) throws Exception {
    if (words[0].equals("load")) {
      return "0 " + load(words[1]);
    }
    Work work = work(words[0], words[4].getBytes(StandardCharsets.US_ASCII));
    TableName name = TableName.valueOf(words[1]);
    int workers = Integer.parseInt(words[2]);
    int count = Integer.parseInt(words[3]);
    long began = System.nanoTime();
    List<Future<Long>> parts = new ArrayList<>();
    for (int worker = 1; worker < workers; worker++) {
      int from = count * worker / workers;
      int to = count * (worker + 1) / workers;
      parts.add(threads.submit((Callable<Long>) () -> part(name, work, from, to)));
    }
    long found = part(name, work, 0, count / workers);
    for (Future<Long> part : parts) {
      found += part.get();
    }
    return (System.nanoTime() - began) + " " + found;
  }

  private long part(TableName name, Work work, int from, int to) throws Exception {
    try (Table table = connection.getTable(name)) {
      return work.run(table, from, to);
    }
  }

  /** Count, bytes of a key and bytes of a value; then keys and values in turn. */
  private int load(String path) throws Exception {
    try (DataInputStream data = new DataInputStream(new java.io.BufferedInputStream(new FileInputStream(path)))) {
      int count = data.readInt();
      int keyBytes = data.readInt();
      int valueBytes = data.readInt();
      keys = new byte[count][keyBytes];
      values = new byte[count][valueBytes];
      for (int row = 0; row < count; row++) {
        data.readFully(keys[row]);
        data.readFully(values[row]);
      }
      return count;
    }
  }

  private Work work(String operation, byte[] stamp) {
    switch (operation) {
      case "put": return (table, from, to) -> put(table, from, to, stamp);
      case "put_batched": return (table, from, to) -> putBatched(table, from, to, stamp);
      case "get": return this::get;
      case "get_many": return this::getMany;
      case "scan": return this::scan;
      case "increment": return this::increment;
      case "check_and_put": return (table, from, to) -> checkAndPut(table, from, to, stamp);
      default: throw new IllegalArgumentException(operation);
    }
  }

  private Put putOf(int row, byte[] stamp) {
    byte[] value = values[row % keys.length].clone();
    System.arraycopy(stamp, 0, value, 0, stamp.length);
    return new Put(keys[row % keys.length]).addColumn(FAMILY, QUALIFIER, value);
  }

  private long put(Table table, int from, int to, byte[] stamp) throws Exception {
    for (int row = from; row < to; row++) {
      table.put(putOf(row, stamp));
    }
    return to - from;
  }

  private long putBatched(Table table, int from, int to, byte[] stamp) throws Exception {
    for (int start = from; start < to; start += BATCH) {
      List<Put> puts = new ArrayList<>();
      for (int row = start; row < Math.min(start + BATCH, to); row++) {
        puts.add(putOf(row, stamp));
      }
      table.put(puts);
    }
    return to - from;
  }

  private boolean isWhole(Result result) {
    byte[] value = result.getValue(FAMILY, QUALIFIER);
    return value != null && value.length == values[0].length;
  }

  private long get(Table table, int from, int to) throws Exception {
    long found = 0;
    for (int row = from; row < to; row++) {
      found += isWhole(table.get(new Get(keys[row % keys.length]))) ? 1 : 0;
    }
    return found;
  }

  private long getMany(Table table, int from, int to) throws Exception {
    long found = 0;
    for (int start = from; start < to; start += BATCH) {
      List<Get> gets = new ArrayList<>();
      for (int row = start; row < Math.min(start + BATCH, to); row++) {
        gets.add(new Get(keys[row % keys.length]));
      }
      for (Result result : table.get(gets)) {
        found += isWhole(result) ? 1 : 0;
      }
    }
    return found;
  }

  /** Whole scans: as many as rows are asked for. */
  private long scan(Table table, int from, int to) throws Exception {
    long found = 0;
    for (int row = from; row < to; row += keys.length) {
      try (ResultScanner results = table.getScanner(new Scan().addColumn(FAMILY, QUALIFIER))) {
        for (Result result : results) {
          found += result.getRow().length == keys[0].length && isWhole(result) ? 1 : 0;
        }
      }
    }
    return found;
  }

  private long increment(Table table, int from, int to) throws Exception {
    long found = 0;
    for (int row = from; row < to; row++) {
      found += table.incrementColumnValue(keys[row % keys.length], FAMILY, COUNTER, 1) > 0 ? 1 : 0;
    }
    return found;
  }

  private long checkAndPut(Table table, int from, int to, byte[] stamp) throws Exception {
    long found = 0;
    for (int row = from; row < to; row++) {
      CheckAndMutate check = CheckAndMutate.newBuilder(keys[row % keys.length]).ifNotExists(FAMILY, ABSENT).build(putOf(row, stamp));
      found += table.checkAndMutate(check).isSuccess() ? 1 : 0;
    }
    return found;
  }
}
