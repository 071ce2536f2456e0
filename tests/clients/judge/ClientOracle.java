package org.apache.hadoop.hbase.regionserver;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Runs a script, line by line, through HBase's own client, and prints what the client gives back.
 *
 * <pre>
 * ClientOracle HOST:PORT        of the registry; lines come by standard input
 * named NAME [SPLIT...]         how the next table is called, and where its regions begin
 * drop                          the end of that table
 * </pre>
 *
 * The other commands are those of {@link Oracle}, whose words these are; it lies in the same package
 * to read them as that does. A line holding byte 4 follows every answer.
 */
public class ClientOracle {
  final PrintStream out;
  final Connection connection;
  final Admin admin;
  TableName name;
  private byte[][] splits = new byte[0][];

  ClientOracle(PrintStream out, Connection connection) throws Exception {
    this.out = out;
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = output();
    try (Connection connection = ConnectionFactory.createConnection(configuration(args[0]))) {
      new ClientOracle(out, connection).serve();
    }
    Runtime.getRuntime().halt(0);
  }

  static PrintStream output() throws Exception {
    return new PrintStream(System.out, false, StandardCharsets.UTF_8);
  }

  static Configuration configuration(String address) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", address);
    conf.setInt("hbase.client.retries.number", 4);
    return conf;
  }

  /** Answers each line of standard input, until its end. */
  final void serve() throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      answer(line);
      out.println('\u0004');
      out.flush();
    }
  }

  private void answer(String line) {
    try {
      execute(line.trim().split("\\s+"));
    } catch (Exception error) {
      out.println("!! " + kind(error));
    }
  }

  /** The class of what is at the bottom of it: the client wraps what servers say. */
  private static String kind(Throwable error) {
    if (error instanceof RetriesExhaustedWithDetailsException) {
      return kind(((RetriesExhaustedWithDetailsException) error).getCause(0));
    }
    Throwable cause = error;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    if (cause instanceof RemoteException) {
      // Of a class that only servers have.
      String name = ((RemoteException) cause).getClassName();
      return name.substring(name.lastIndexOf('.') + 1) + " (remote)";
    }
    return cause.getClass().getSimpleName();
  }

  void execute(String[] words) throws Exception {
    switch (words[0]) {
      case "named":
        name = TableName.valueOf(words[1]);
        splits = Arrays.stream(words).skip(2).map(Text::bytes).toArray(byte[][]::new);
        return;
      case "table":
        create(words);
        return;
      case "drop":
        admin.disableTable(name);
        admin.deleteTable(name);
        return;
      case "flush":
        admin.flush(name);
        return;
      case "major":
        admin.majorCompact(name);
        waitForCompaction();
        return;
      default:
        try (Table table = connection.getTable(name)) {
          if (!write(table, words) && !read(table, words)) {
            throw new IllegalStateException("unknown " + words[0]);
          }
        }
    }
  }

  final void waitForCompaction() throws Exception {
    for (int i = 0; i < 600 && admin.getCompactionState(name) != CompactionState.NONE; i++) {
      Thread.sleep(50);
    }
  }

  private void create(String[] words) throws Exception {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (String word : Arrays.asList(words).subList(2, words.length)) {
      String[] parts = word.split(",");
      if (parts[0].equals("TABLE")) {
        for (String pair : Arrays.asList(parts).subList(1, parts.length)) {
          builder.setValue(pair.split("=")[0], pair.split("=")[1]);
        }
      } else {
        builder.setColumnFamily(OracleRegion.family(parts));
      }
    }
    admin.createTable(builder.build(), splits.length > 0 ? splits : null);
  }

  private boolean write(Table table, String[] words) throws Exception {
    switch (words[0]) {
      case "put":
        table.put((Put) Mutations.one(words));
        return true;
      case "del":
      case "delf":
      case "delfv":
      case "delcs":
      case "delcn":
      case "delc":
        table.delete((Delete) Mutations.one(words));
        return true;
      case "inc":
        result(table.increment((Increment) Mutations.one(words)));
        return true;
      case "app":
        result(table.append((Append) Mutations.one(words)));
        return true;
      case "batch":
        batch(table, Mutations.several(words, 1));
        return true;
      case "rowmut":
        List<Mutation> mutations = Mutations.several(words, 1);
        RowMutations row = new RowMutations(mutations.get(0).getRow());
        result(table.mutateRow(row.add(mutations)));
        return true;
      case "cam":
        CheckAndMutateResult checked = table.checkAndMutate(Mutations.check(words));
        out.println("success=" + checked.isSuccess());
        result(checked.getResult());
        return true;
      default:
        return false;
    }
  }

  /** What each mutation gave, cells included. */
  private void batch(Table table, List<Mutation> mutations) throws Exception {
    Object[] results = new Object[mutations.size()];
    try {
      table.batch(mutations, results);
    } catch (RetriesExhaustedWithDetailsException expected) {
      // Which ones failed, and why, is in the results.
    }
    for (Object each : results) {
      out.println("status " + (each instanceof Throwable ? kind((Throwable) each) : "SUCCESS"));
      if (each instanceof Result) {
        result((Result) each);
      }
    }
  }

  private boolean read(Table table, String[] words) throws Exception {
    switch (words[0]) {
      case "scan":
        List<String> rows = new ArrayList<>();
        Scan scan = Reads.scan(words, 1);
        if (scan.isReversed()) {
          // HBase reads families that the filter does not need only for rows that pass, and refuses to do so backward.
          scan.setLoadColumnFamiliesOnDemand(false);
        }
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result row : scanner) {
            rows.add(Text.row(row.listCells()));
          }
        }
        rows.forEach(out::println);
        out.println(rows.size() + " results");
        return true;
      case "get":
        Get get = Reads.get(words);
        Result result = table.get(get);
        if (get.isCheckExistenceOnly()) {
          out.println("exists=" + result.getExists());
        }
        result(result);
        return true;
      default:
        return false;
    }
  }

  private void result(Result result) {
    out.println("-> " + (result == null ? "null" : result.isEmpty() ? "(empty)" : ""));
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        out.println("   " + Text.cell(cell));
      }
    }
  }
}
