package org.apache.hadoop.hbase;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs one test class: {@code RunTests REPORT CLASS TIMEOUT_SECONDS}.
 *
 * Appends a line per event to the report: {@code begin}, {@code connected}, {@code retry}, {@code pass}, {@code skip}
 * or {@code fail}, the test, and why. Tests that the report has already begun do not run again, so a run can go on after
 * a hang. Exit code 3: a test hung; 4: the server could not be emptied, and needs to be replaced.
 */
public final class RunTests implements TestExecutionListener {
  private static final int HUNG = 3;
  private static final int NOT_EMPTIED = 4;
  private static final int SUMMARY_CHARACTERS = 300;
  private static final long EMPTYING_MS = 180_000;
  private static final String CLASS_LEVEL = "(class)";
  private static RunTests running;

  private final Path report;
  private final long timeoutMs;
  private volatile String current = CLASS_LEVEL;
  private volatile long deadline;

  private RunTests(Path report, long timeoutMs) {
    this.report = report;
    this.timeoutMs = timeoutMs;
    extend(timeoutMs);
  }

  private void extend(long milliseconds) {
    deadline = System.currentTimeMillis() + milliseconds;
  }

  /** Makes the server new for a test that starts a cluster. */
  static void prepareServer(Configuration conf) {
    running.extend(EMPTYING_MS);
    running.write("connected", "", "");
    try {
      ServerCleaner.empty(conf);
    } catch (Exception error) {
      error.printStackTrace();
      running.write("retry", running.current, "");
      end(NOT_EMPTIED);
    }
    running.extend(running.timeoutMs);
  }

  private synchronized void write(String event, String test, String reason) {
    try {
      Files.writeString(report, event + "\t" + test + "\t" + reason.replaceAll("\\s+", " ") + "\n",
        StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private static String nameOf(TestIdentifier test) {
    return test.isTest() ? test.getDisplayName() : CLASS_LEVEL;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      current = nameOf(test);
      write("begin", current, "");
      extend(timeoutMs);
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    write("skip", nameOf(test), reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    extend(timeoutMs);
    Throwable error = result.getThrowable().orElse(null);
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      write("fail", nameOf(test), summary(error));
      System.err.println("FAILED " + nameOf(test));
      error.printStackTrace();
    } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      write("skip", nameOf(test), summary(error));
    } else if (test.isTest()) {
      write("pass", nameOf(test), "");
    }
  }

  private static String summary(Throwable error) {
    StringBuilder text = new StringBuilder(String.valueOf(error));
    for (StackTraceElement frame : error.getStackTrace()) {
      if (frame.getClassName().startsWith("org.apache.hadoop.hbase.") && frame.getFileName().contains("Test")) {
        text.insert(0, frame.getFileName() + ":" + frame.getLineNumber() + " ");
        break;
      }
    }
    return text.substring(0, Math.min(text.length(), SUMMARY_CHARACTERS));
  }

  /** Ends the process, although a rule of HBase's tests forbids that while a class runs. */
  @SuppressWarnings("removal")
  private static void end(int code) {
    System.setSecurityManager(null);
    Runtime.getRuntime().halt(code);
  }

  private void watch() {
    Thread watcher = new Thread(() -> {
      while (System.currentTimeMillis() < deadline) {
        try {
          TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException error) {
          return;
        }
      }
      write("fail", current, "hung for " + timeoutMs / 1000 + " s");
      System.err.println("HUNG " + current + "\n" + stacks());
      end(HUNG);
    }, "watcher of tests");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static String stacks() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      out.println(entry.getKey().getName());
      for (StackTraceElement frame : entry.getValue()) {
        out.println("  at " + frame);
      }
    }
    return text.toString();
  }

  private static Set<String> begunTests(Path report) throws IOException {
    Set<String> begun = new HashSet<>();
    if (Files.exists(report)) {
      for (String line : Files.readAllLines(report)) {
        String[] parts = line.split("\t", -1);
        if (parts[0].equals("retry")) {
          begun.remove(parts[1]);
        } else {
          begun.add(parts[1]);
        }
      }
    }
    return begun;
  }

  private static FilterResult mayRun(TestDescriptor test, Set<String> begun) {
    return FilterResult.includedIf(!test.isTest() || !begun.contains(test.getDisplayName()));
  }

  public static void main(String[] arguments) throws Exception {
    Path report = Path.of(arguments[0]);
    Set<String> begun = begunTests(report);
    running = new RunTests(report, TimeUnit.SECONDS.toMillis(Long.parseLong(arguments[2])));
    running.watch();
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
      .selectors(DiscoverySelectors.selectClass(arguments[1]))
      .filters((PostDiscoveryFilter) test -> mayRun(test, begun)).build();
    LauncherFactory.create().execute(request, running);
    end(0);
  }
}
