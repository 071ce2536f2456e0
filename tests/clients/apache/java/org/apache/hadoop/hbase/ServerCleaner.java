package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;

/** Empties a server, so that it stands for the new cluster that a test expects. */
final class ServerCleaner {
  private static final long TIMEOUT_SECONDS = 60;

  private ServerCleaner() {
  }

  static void empty(Configuration conf) throws IOException, InterruptedException, ExecutionException, TimeoutException {
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      removeTables(admin);
      for (SnapshotDescription snapshot : admin.listSnapshots()) {
        admin.deleteSnapshot(snapshot.getName());
      }
      for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
        if (!NamespaceDescriptor.RESERVED_NAMESPACES.contains(namespace.getName())) {
          admin.deleteNamespace(namespace.getName());
        }
      }
      for (ReplicationPeerDescription peer : admin.listReplicationPeers()) {
        admin.removeReplicationPeer(peer.getPeerId());
      }
      admin.splitSwitch(true, false);
      admin.mergeSwitch(true, false);
      admin.balancerSwitch(true, false);
    }
  }

  /** All at once: each table costs a real HBase half a second. */
  private static void removeTables(Admin admin) throws IOException, InterruptedException, ExecutionException,
    TimeoutException {
    List<TableName> tables = List.of(admin.listTableNames());
    List<Future<Void>> pending = new ArrayList<>();
    for (TableName table : tables) {
      if (!admin.isTableDisabled(table)) {
        pending.add(admin.disableTableAsync(table));
      }
    }
    awaitAll(pending);
    for (TableName table : tables) {
      pending.add(admin.deleteTableAsync(table));
    }
    awaitAll(pending);
  }

  private static void awaitAll(List<Future<Void>> pending) throws InterruptedException, ExecutionException,
    TimeoutException {
    for (Future<Void> each : pending) {
      each.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
    pending.clear();
  }
}
