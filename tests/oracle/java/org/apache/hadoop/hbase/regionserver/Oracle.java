package org.apache.hadoop.hbase.regionserver;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Runs a script, line by line, against a real region and prints HBase's answers.
 *
 * <pre>
 * Oracle [SCRIPT]                    reads standard input without SCRIPT
 * -Droot=DIR                         where the region lives; emptied by nobody
 * -Dcommand.timeout.ms=20000         a command that takes longer is a hang: printed, and the end
 * -Dend.mark=true                    a line holding byte 4 follows every answer
 * </pre>
 *
 * A command is echoed after "> "; its answers are indented by three blanks; an exception is
 * "!! Class: message". Comments and empty lines are echoed.
 */
public final class Oracle {
  private static final int HANG_EXIT = 3;
  private final PrintStream out;
  private final OracleRegion place;

  private Oracle(PrintStream out, OracleRegion place) {
    this.out = out;
    this.place = place;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    String directory =
      System.getProperty("root", "/tmp/oracle-" + ProcessHandle.current().pid());
    Oracle oracle = new Oracle(out, new OracleRegion(directory));
    BufferedReader in = new BufferedReader(
      args.length > 0 ? new FileReader(args[0]) : new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      boolean alive = oracle.answer(line);
      if (Boolean.getBoolean("end.mark")) {
        out.println('\u0004');
        out.flush();
      }
      if (!alive) {
        out.flush();
        Runtime.getRuntime().halt(HANG_EXIT);
      }
    }
    oracle.place.shutdown();
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Prints the answer to one line; false after a hang, when this process is of no more use. */
  private boolean answer(String line) throws Exception {
    if (line.trim().isEmpty() || line.startsWith("#")) {
      out.println(line.trim().isEmpty() ? "" : line);
      return true;
    }
    out.println("> " + line);
    Throwable[] thrown = new Throwable[1];
    Thread worker = new Thread(() -> {
      try {
        execute(line);
      } catch (Throwable t) {
        thrown[0] = t;
      }
    });
    worker.setDaemon(true);
    worker.start();
    worker.join(Long.getLong("command.timeout.ms", 20000));
    if (worker.isAlive()) {
      out.println("   !! HANG");
      return false;
    }
    if (thrown[0] != null) {
      Throwable cause = thrown[0];
      while (cause.getCause() != null && cause.getCause() != cause) {
        cause = cause.getCause();
      }
      out.println("   !! " + cause.getClass().getSimpleName() + ": "
        + String.valueOf(cause.getMessage()).split("\n")[0]);
      if (Boolean.getBoolean("trace")) {
        thrown[0].printStackTrace(out);
      }
    }
    return true;
  }

  private void execute(String line) throws Exception {
    String[] words = line.trim().split("\\s+");
    switch (words[0]) {
      case "table":
        place.create(words);
        break;
      case "reset":
        place.reset();
        break;
      case "now":
        place.now = Long.parseLong(words[1]);
        break;
      case "+now":
        place.now += Long.parseLong(words[1]);
        break;
      case "conf":
        place.conf.set(words[1], words[2]);
        break;
      case "echo":
        out.println(line.substring(4));
        break;
      case "reopen":
        place.reopen();
        break;
      case "crash":
        place.crash();
        break;
      case "sh":
        shell(line.trim().substring(3));
        break;
      default:
        if (!write(words) && !read(words) && !store(words)) {
          throw new Exception("unknown " + words[0]);
        }
    }
  }

  // ---- writes

  private boolean write(String[] words) throws Exception {
    HRegion region = place.region;
    switch (words[0]) {
      case "put":
        region.put((Put) Mutations.one(words));
        return true;
      case "del":
      case "delf":
      case "delfv":
      case "delcs":
      case "delcn":
      case "delc":
        region.delete((Delete) Mutations.one(words));
        return true;
      case "inc":
        result(region.increment((Increment) Mutations.one(words)));
        return true;
      case "app":
        result(region.append((Append) Mutations.one(words)));
        return true;
      case "batch":
        for (OperationStatus status : region
          .batchMutate(Mutations.several(words, 1).toArray(new Mutation[0]))) {
          out.println("   status " + status.getOperationStatusCode() + " "
            + status.getExceptionMsg());
        }
        return true;
      case "rowmut":
        List<Mutation> mutations = Mutations.several(words, 1);
        RowMutations row = new RowMutations(mutations.get(0).getRow());
        result(region.mutateRow(row.add(mutations)));
        return true;
      case "cam":
        CheckAndMutateResult checked = region.checkAndMutate(Mutations.check(words));
        out.println("   success=" + checked.isSuccess());
        if (checked.getResult() != null) {
          result(checked.getResult());
        }
        return true;
      case "fill":
        Fixtures.fill(region, words, place.now);
        return true;
      case "mix":
        Fixtures.mix(region, words);
        return true;
      default:
        return false;
    }
  }

  private void result(Result result) {
    String head = result == null ? "null" : result.isEmpty() ? "(empty)" : "";
    out.println("   -> " + head);
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        out.println("      " + Text.cell(cell));
      }
    }
  }

  // ---- reads

  private boolean read(String[] words) throws Exception {
    HRegion region = place.region;
    switch (words[0]) {
      case "scan":
        Scan scan = Reads.scan(words, 1);
        try (RegionScannerImpl scanner = region.getScanner(scan)) {
          drain(scanner, scan.getLimit());
        }
        return true;
      case "open":
        place.scanners.put(words[1], region.getScanner(Reads.scan(words, 2)));
        return true;
      case "drain":
        try (RegionScannerImpl scanner = place.scanners.remove(words[1])) {
          drain(scanner, -1);
        }
        return true;
      case "step":
        List<Cell> piece = new ArrayList<>();
        boolean more = place.scanners.get(words[1]).next(piece);
        String cells = piece.isEmpty() ? "" : Text.row(piece) + "  |  ";
        out.println("   more=" + more + " " + cells);
        return true;
      case "get":
        Get get = Reads.get(words);
        Result result = region.get(get);
        if (get.isCheckExistenceOnly()) {
          out.println("   exists=" + result.getExists());
        }
        result(result);
        return true;
      case "count":
        count(Reads.scan(words, 1));
        return true;
      default:
        return false;
    }
  }

  /** Prints every piece of the scan; with a limit, stops at the end of that many rows. */
  private void drain(RegionScannerImpl scanner, int limit) throws Exception {
    int pieces = 0;
    int rows = 0;
    byte[] row = null;
    boolean more = true;
    while (more) {
      List<Cell> piece = new ArrayList<>();
      more = scanner.next(piece);
      if (piece.isEmpty()) {
        if (more) {
          out.println("   (empty batch, more)");
        }
        continue;
      }
      byte[] key = CellUtil.cloneRow(piece.get(0));
      if (!Arrays.equals(key, row)) {
        rows++;
        row = key;
      }
      if (limit > 0 && rows > limit) {
        break;
      }
      pieces++;
      out.println("   " + Text.row(piece));
    }
    if (pieces == 0) {
      out.println("   (none)");
    }
  }

  private void count(Scan scan) throws Exception {
    long cells = 0;
    long hash = 0;
    try (RegionScannerImpl scanner = place.region.getScanner(scan)) {
      boolean more = true;
      while (more) {
        List<Cell> piece = new ArrayList<>();
        more = scanner.next(piece);
        cells += piece.size();
        for (Cell c : piece) {
          hash = hash * 31 + Arrays.hashCode(CellUtil.cloneRow(c)) * 7
            + Arrays.hashCode(CellUtil.cloneQualifier(c)) + c.getTimestamp()
            + Arrays.hashCode(CellUtil.cloneValue(c));
        }
      }
    }
    out.println("   cells=" + cells + " hash=" + hash);
  }

  // ---- the store: flush, compaction, files, sequence ids

  private boolean store(String[] words) throws Exception {
    HRegion region = place.region;
    switch (words[0]) {
      case "flush":
        HRegion.FlushResult flushed = region.flush(true);
        if (words.length > 1) {
          out.println("   " + flushed);
        }
        return true;
      case "compact":
        compact(null);
        return true;
      case "minor":
        compact(new int[] { Integer.parseInt(words[1]), Integer.parseInt(words[2]) });
        return true;
      case "major":
        region.compact(true);
        return true;
      case "files":
        files(words.length > 1);
        return true;
      case "rawfile":
        rawFiles();
        return true;
      case "mvcc":
        out.println("   read=" + region.getMVCC().getReadPoint() + " write="
          + region.getMVCC().getWritePoint() + " smallest=" + region.getSmallestReadPoint());
        return true;
      case "maxseq":
        out.println("   openSeqNum=" + region.getOpenSeqNum() + " maxFlushed="
          + region.getMaxFlushedSeqId() + " mvcc=" + region.getMVCC());
        return true;
      case "wal":
        out.println("   earliestMemstoreSeq="
          + place.wal.getEarliestMemStoreSeqNum(place.info.getEncodedNameAsBytes())
          + " maxFlushed=" + region.getMaxFlushedSeqId());
        return true;
      case "split":
        out.println("   " + region.checkSplit(true).map(Bytes::toStringBinary).orElse("-"));
        return true;
      default:
        return foreignFiles(words);
    }
  }

  /** One requested compaction of every store; of exactly the given window of files if there is one. */
  private void compact(int[] window) throws Exception {
    WindowCompactionPolicy.window = window;
    try {
      for (HStore store : place.region.getStores()) {
        Optional<CompactionContext> selected =
          store.requestCompaction(1, CompactionLifeCycleTracker.DUMMY, null);
        if (!selected.isPresent()) {
          out.println("   no compaction selected");
          continue;
        }
        out.println("   files=" + selected.get().getRequest().getFiles().size() + " major="
          + selected.get().getRequest().isMajor() + " allFiles="
          + selected.get().getRequest().isAllFiles());
        place.region.compact(selected.get(), store, NoLimitThroughputController.INSTANCE, null);
      }
    } finally {
      WindowCompactionPolicy.window = null;
    }
  }

  private void files(boolean withPath) {
    for (HStore store : place.region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        out.println("   " + store.getColumnFamilyName() + " "
          + (withPath ? file.getPath() + " " : "") + "seq=" + file.getMaxSequenceId() + " entries="
          + file.getReader().getEntries() + " bulk=" + file.isBulkLoadResult() + " memstoreTS="
          + file.getMaxMemStoreTS() + " tr=" + file.getReader().timeRange);
      }
    }
  }

  private void rawFiles() throws Exception {
    for (HStore store : place.region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        out.println("   file seq=" + file.getMaxSequenceId());
        HFileScanner scanner = file.getReader().getScanner(false, false);
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          Cell cell = scanner.getCell();
          out.println("      " + Text.cell(cell) + " seqId=" + cell.getSequenceId());
        }
      }
    }
  }

  // ---- files from and to elsewhere

  private boolean foreignFiles(String[] words) throws Exception {
    FileSystem files = FileSystem.get(place.conf);
    switch (words[0]) {
      case "cp":
        for (HStore store : place.region.getStores()) {
          int n = 0;
          for (HStoreFile file : store.getStorefiles()) {
            Path target = new Path(words[1] + (n++ == 0 ? "" : "." + n));
            FileUtil.copy(files, file.getPath(), files, target, false, place.conf);
          }
        }
        return true;
      case "bulkload":
        List<Pair<byte[], String>> paths = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
          String[] pair = words[i].split("=", 2);
          paths.add(Pair.newPair(Text.bytes(pair[0]), pair[1]));
        }
        out.println("   " + (place.region.bulkLoadHFiles(paths, true, null) != null));
        return true;
      case "place":
        Path directory = new Path(
          CommonFSUtils.getTableDir(place.root, place.table.getTableName()),
          place.info.getEncodedName() + "/" + words[1]);
        String name =
          words.length > 3 ? words[3] : UUID.randomUUID().toString().replace("-", "");
        FileUtil.copy(files, new Path(words[2]), files, new Path(directory, name), false,
          place.conf);
        return true;
      default:
        return false;
    }
  }

  private void shell(String command) throws Exception {
    String line = "ROOT=" + place.root.toUri().getPath() + " ENC=" + place.info.getEncodedName()
      + "; " + command;
    Process process = new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();
    out.print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    process.waitFor();
  }
}
