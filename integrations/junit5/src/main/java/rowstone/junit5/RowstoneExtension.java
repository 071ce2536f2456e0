/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on
 * an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
 * specific language governing permissions and limitations under the License.
 */
package rowstone.junit5;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Runs tests of HBase's client against Rowstone in place of HBase's mini cluster.
 *
 * <pre>
 * &#64;ExtendWith(RowstoneExtension.class)
 * class OrdersTest {
 *   &#64;Test
 *   void anOrderIsStored(Connection connection) { ... }
 * }
 * </pre>
 *
 * One server, in memory and on free ports, serves all test classes of a JVM. Parameters of type {@link Connection},
 * {@link Admin} and {@link Configuration} are resolved; with {@code @RegisterExtension} the methods of the same
 * names return them. After each test all tables are truncated; after each class its tables, snapshots and namespaces
 * are removed. So tests must not run concurrently in one JVM.
 *
 * The program {@code rowstone} must be on the path, or be named by the system property {@code rowstone.command}. The
 * property {@code rowstone.options} has more options of {@code rowstone serve}.
 */
public final class RowstoneExtension
  implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(RowstoneExtension.class);
  private Running running;

  /** The server of this JVM, and the connection to it. JUnit closes it at the end of the run. */
  private static final class Running implements ExtensionContext.Store.CloseableResource {
    final RowstoneServer server;
    final Configuration configuration;
    final Connection connection;
    final Admin admin;

    Running() throws IOException {
      server = new RowstoneServer();
      configuration = configurationOf(server);
      connection = ConnectionFactory.createConnection(configuration);
      admin = connection.getAdmin();
    }

    @Override
    public void close() throws IOException {
      try {
        admin.close();
        connection.close();
      } finally {
        server.close();
      }
    }
  }

  /** Leads every client version to the server, by whichever registry it uses. */
  private static Configuration configurationOf(RowstoneServer server) {
    Configuration configuration = HBaseConfiguration.create();
    String address = "127.0.0.1:" + server.port();
    Map<String, String> values = Map.of(
      "hbase.zookeeper.quorum", "127.0.0.1",
      "hbase.zookeeper.property.clientPort", String.valueOf(server.zooKeeperPort()),
      "hbase.masters", address,
      "hbase.client.bootstrap.servers", address,
      // A call that fails for good ends within seconds.
      "hbase.client.retries.number", "5",
      "hbase.client.pause", "50");
    values.forEach(configuration::set);
    return configuration;
  }

  private Running running(ExtensionContext context) {
    if (running == null) {
      running = context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Running.class, key -> {
        try {
          return new Running();
        } catch (IOException error) {
          throw new IllegalStateException(error);
        }
      }, Running.class);
    }
    return running;
  }

  /** The configuration that leads HBase's clients to the server. Change a copy, not this object. */
  public Configuration configuration() {
    return started().configuration;
  }

  /** A connection, shared by all tests. Do not close it. */
  public Connection connection() {
    return started().connection;
  }

  /** The admin of the shared connection. Do not close it. */
  public Admin admin() {
    return started().admin;
  }

  private Running started() {
    if (running == null) {
      throw new IllegalStateException("the server is started before the first test: declare the extension static");
    }
    return running;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running(context);
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    Admin admin = running(context).admin;
    for (TableName name : admin.listTableNames()) {
      if (admin.isTableDisabled(name)) {
        admin.truncateTable(name, true);
      } else if (hasRows(name)) {
        admin.disableTable(name);
        admin.truncateTable(name, true);
      }
    }
  }

  private boolean hasRows(TableName name) throws IOException {
    // Raw: a delete marker would hide the next test's older cells.
    try (Table table = running.connection.getTable(name);
      ResultScanner rows = table.getScanner(new Scan().setRaw(true).setLimit(1))) {
      return rows.next() != null;
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (context.getParent().filter(parent -> parent.getTestClass().isPresent()).isPresent()) {
      return; // The tables of a @Nested class may belong to the class around it.
    }
    Admin admin = running(context).admin;
    for (TableName name : admin.listTableNames()) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
    for (SnapshotDescription snapshot : admin.listSnapshots()) {
      admin.deleteSnapshot(snapshot.getName());
    }
    for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
      if (!namespace.getName().equals("default") && !namespace.getName().equals("hbase")) {
        admin.deleteNamespace(namespace.getName());
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Connection.class || type == Admin.class || type == Configuration.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Running server = running(context);
    Class<?> type = parameter.getParameter().getType();
    return type == Connection.class ? server.connection : type == Admin.class ? server.admin : server.configuration;
  }
}
