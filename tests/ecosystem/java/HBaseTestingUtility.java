package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/** Leads the tests of programs to the server that is running, in place of one that they start in their JVM. */
public final class HBaseTestingUtility {
  private final Configuration configuration;
  private Connection connection;

  public HBaseTestingUtility() {
    this(HBaseConfiguration.create());
  }

  public HBaseTestingUtility(Configuration configuration) {
    this.configuration = configuration;
  }

  public Configuration getConfiguration() {
    return configuration;
  }

  public MiniZooKeeperCluster startMiniZKCluster() {
    return null;
  }

  public MiniHBaseCluster startMiniHBaseCluster(StartMiniClusterOption option) {
    return new MiniHBaseCluster();
  }

  public MiniHBaseCluster startMiniHBaseCluster(int masters, int servers) {
    return new MiniHBaseCluster();
  }

  public void shutdownMiniHBaseCluster() throws IOException {
    if (connection != null) {
      connection.close();
    }
  }

  public void shutdownMiniZKCluster() {}

  public boolean cleanupTestDir() {
    return true;
  }

  public Admin getAdmin() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration);
    }
    return connection.getAdmin();
  }

  public Table createTable(TableName name, String[] families) throws IOException {
    var table = TableDescriptorBuilder.newBuilder(name);
    Arrays.stream(families).map(ColumnFamilyDescriptorBuilder::of).forEach(table::setColumnFamily);
    getAdmin().createTable(table.build());
    return connection.getTable(name);
  }
}
