/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on
 * an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
 * specific language governing permissions and limitations under the License.
 */
package rowstone.junit5;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process {@code rowstone serve :memory:} on free ports of this machine. */
final class RowstoneServer implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("ready: hbase://[\\d.]+:(\\d+), ZooKeeper port (\\d+).*");

  private final Process process;
  private final Path log;
  private final Thread hook;
  private final int port;
  private final int zooKeeperPort;

  /** Starts it; returns when it answers. */
  RowstoneServer() throws IOException {
    log = Files.createTempFile("rowstone-", ".log");
    process = new ProcessBuilder(command()).redirectError(log.toFile()).start();
    hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    BufferedReader output =
      new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    Matcher ports = READY.matcher(line == null ? "" : line);
    if (!ports.matches()) {
      process.destroyForcibly();
      throw new IOException("rowstone serve did not start: " + line + "; " + Files.readString(log));
    }
    port = Integer.parseInt(ports.group(1));
    zooKeeperPort = Integer.parseInt(ports.group(2));
  }

  /** The program of the property {@code rowstone.command}, and the options of {@code rowstone.options}. */
  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("rowstone.command", "rowstone"));
    command.addAll(List.of("serve", ":memory:", "--port", "0", "--zk-port", "0"));
    String options = System.getProperty("rowstone.options", "").trim();
    if (!options.isEmpty()) {
      command.addAll(List.of(options.split("\\s+")));
    }
    return command;
  }

  int port() {
    return port;
  }

  int zooKeeperPort() {
    return zooKeeperPort;
  }

  /** Stops the process. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      Runtime.getRuntime().removeShutdownHook(hook);
      Files.deleteIfExists(log);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException shuttingDown) {
      return;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
