package org.janusgraph;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.janusgraph.diskstorage.configuration.ModifiableConfiguration;
import org.janusgraph.diskstorage.configuration.WriteConfiguration;
import org.janusgraph.diskstorage.hbase.HBaseStoreManager;
import org.janusgraph.graphdb.configuration.GraphDatabaseConfiguration;
import org.janusgraph.graphdb.database.idassigner.placement.SimpleBulkPlacementStrategy;
import org.testcontainers.lifecycle.Startable;

/** Connects JanusGraph's tests to the running server, in place of one that they would start by Docker. */
public final class HBaseContainer implements Startable {
  public HBaseContainer() {}

  public HBaseContainer(boolean mountRoot) {}

  /** Drops all tables: a container of the tests would start empty, and a graph's settings stay with its table. */
  @Override
  public void start() {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  @Override
  public void stop() {}

  public WriteConfiguration getWriteConfiguration() {
    return getModifiableConfiguration().getConfiguration();
  }

  public ModifiableConfiguration getModifiableConfiguration() {
    return getNamedConfiguration(null, null);
  }

  /** The configuration that their class gives; the port of ZooKeeper is in hbase-site.xml. */
  public ModifiableConfiguration getNamedConfiguration(String table, String graph) {
    ModifiableConfiguration configuration = GraphDatabaseConfiguration.buildGraphConfiguration();
    configuration.set(GraphDatabaseConfiguration.STORAGE_BACKEND, "hbase");
    if (table != null && !table.isEmpty()) {
      configuration.set(HBaseStoreManager.HBASE_TABLE, table);
    }
    if (graph != null && !graph.isEmpty()) {
      configuration.set(GraphDatabaseConfiguration.GRAPH_NAME, graph);
    }
    configuration.set(GraphDatabaseConfiguration.TIMESTAMP_PROVIDER, HBaseStoreManager.PREFERRED_TIMESTAMPS);
    configuration.set(GraphDatabaseConfiguration.STORAGE_HOSTS, new String[] {"localhost"});
    configuration.set(SimpleBulkPlacementStrategy.CONCURRENT_PARTITIONS, 1);
    configuration.set(GraphDatabaseConfiguration.DROP_ON_CLEAR, false);
    return configuration;
  }
}
