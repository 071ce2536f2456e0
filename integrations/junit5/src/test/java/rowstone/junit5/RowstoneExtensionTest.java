/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on
 * an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
 * specific language governing permissions and limitations under the License.
 */
package rowstone.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One server for both classes; tables are empty in every test, and gone in the next class. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RowstoneExtensionTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final byte[] FAMILY = Bytes.toBytes("o");
  private static final byte[] ROW = Bytes.toBytes("1001");
  /** The ZooKeeper port that the first class of the run saw. */
  private static String firstPort;

  static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build();
  }

  static void putAndCheckThatItIsTheFirst(Connection connection) throws IOException {
    try (Table table = connection.getTable(ORDERS)) {
      assertFalse(table.exists(new Get(ROW)), "the test before left its row");
      table.put(new Put(ROW).addColumn(FAMILY, Bytes.toBytes("item"), 5, Bytes.toBytes("lamp")));
      assertEquals("lamp", Bytes.toString(table.get(new Get(ROW)).value()));
    }
  }

  static void assertSameServer(Configuration configuration) {
    String port = configuration.get("hbase.zookeeper.property.clientPort");
    firstPort = firstPort == null ? port : firstPort;
    assertEquals(firstPort, port);
  }

  @Nested
  @ExtendWith(RowstoneExtension.class)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class ByParameters {
    @Test
    void allAreInjected(Connection connection, Admin admin, Configuration configuration) throws IOException {
      assertEquals(0, admin.listTableNames().length);
      admin.createTable(descriptor(ORDERS));
      putAndCheckThatItIsTheFirst(connection);
      assertSameServer(configuration);
      try (Connection own = ConnectionFactory.createConnection(configuration)) {
        assertNotNull(own.getAdmin().getDescriptor(ORDERS));
      }
      admin.disableTable(ORDERS);
      admin.deleteTable(ORDERS);
    }
  }

  @Nested
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class ByField {
    @Test
    void theMethodsReturnTheSame() throws IOException {
      assertEquals(0, SHARED.admin().listTableNames().length);
      assertSameServer(SHARED.configuration());
      assertFalse(SHARED.connection().isClosed());
    }
  }

  @RegisterExtension
  static final RowstoneExtension SHARED = new RowstoneExtension();

  @Test
  @Order(1)
  void thereIsNoTableOfAnotherClass() throws IOException {
    assertEquals(0, SHARED.admin().listTableNames().length);
  }
}

/** Tables of `BeforeAll` stay for all tests of the class; their rows do not. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(RowstoneExtension.class)
class TruncationTest {
  @BeforeAll
  static void create(Admin admin) throws IOException {
    assertEquals(0, admin.listTableNames().length);
    assertEquals(2, admin.listNamespaceDescriptors().length);
    admin.createNamespace(NamespaceDescriptor.create("shop").build());
    admin.createTable(RowstoneExtensionTest.descriptor(TableName.valueOf("orders")));
    admin.createTable(RowstoneExtensionTest.descriptor(TableName.valueOf("shop:orders")),
      new byte[][] { Bytes.toBytes("m") });
  }

  @Test
  @Order(1)
  void first(Connection connection) throws IOException {
    RowstoneExtensionTest.putAndCheckThatItIsTheFirst(connection);
  }

  @Test
  @Order(2)
  void second(Connection connection, Admin admin) throws IOException {
    RowstoneExtensionTest.putAndCheckThatItIsTheFirst(connection);
    admin.snapshot("before", TableName.valueOf("orders"));
    admin.disableTable(TableName.valueOf("shop:orders"));
  }

  @Test
  @Order(3)
  void aDisabledTableIsEnabledAgain(Admin admin) throws IOException {
    assertTrue(admin.isTableEnabled(TableName.valueOf("shop:orders")));
    assertEquals(2, admin.getRegions(TableName.valueOf("shop:orders")).size());
  }
}

/** Has the same tables as the class before it. */
@ExtendWith(RowstoneExtension.class)
class TruncationAgainTest {
  @Test
  void theTablesOfTheClassBeforeAreGone(Admin admin, Configuration configuration) throws IOException {
    TruncationTest.create(admin);
    assertEquals(0, admin.listSnapshots().size());
    RowstoneExtensionTest.assertSameServer(configuration);
  }
}
