import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** YCSB over HBase's Java client: one connection for all threads; every write by itself, or `insertbatch` rows at once. */
public final class YcsbHBase extends DB {
  private static final byte[] FAMILY = Bytes.toBytes("family");
  private static Connection connection;
  private static int users = 0;
  private final List<Put> inserts = new ArrayList<>();
  private String insertsInto;
  private int insertBatch;

  @Override
  public void init() throws DBException {
    insertBatch = Integer.parseInt(getProperties().getProperty("insertbatch", "1"));
    synchronized (YcsbHBase.class) {
      users++;
      try {
        connection = connection == null ? ConnectionFactory.createConnection(HBaseConfiguration.create()) : connection;
      } catch (IOException error) {
        throw new DBException(error);
      }
    }
  }

  @Override
  public void cleanup() throws DBException {
    if (!inserts.isEmpty() && flushInserts() != Status.OK) {
      throw new DBException("the last inserts failed");
    }
    synchronized (YcsbHBase.class) {
      if (--users > 0) {
        return;
      }
      try {
        connection.close();
      } catch (IOException error) {
        throw new DBException(error);
      }
    }
  }

  /** What a table is asked for; an error of it is a status that YCSB counts. */
  private interface Work {
    Status in(Table table) throws IOException;
  }

  private static Status with(String name, Work work) {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      return work.in(table);
    } catch (IOException error) {
      error.printStackTrace();
      return Status.ERROR;
    }
  }

  private static void read(Result row, Map<String, ByteIterator> out) {
    for (Cell cell : row.rawCells()) {
      String field = Bytes.toString(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
      out.put(field, new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  @Override
  public Status read(String name, String key, Set<String> fields, Map<String, ByteIterator> out) {
    return with(name, table -> {
      Get get = new Get(Bytes.toBytes(key)).addFamily(FAMILY);
      if (fields != null) {
        fields.forEach(field -> get.addColumn(FAMILY, Bytes.toBytes(field)));
      }
      Result row = table.get(get);
      read(row, out);
      return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
    });
  }

  @Override
  public Status scan(String name, String start, int count, Set<String> fields,
      Vector<HashMap<String, ByteIterator>> out) {
    return with(name, table -> {
      Scan scan = new Scan().withStartRow(Bytes.toBytes(start)).setCaching(count).setLimit(count).addFamily(FAMILY);
      if (fields != null) {
        fields.forEach(field -> scan.addColumn(FAMILY, Bytes.toBytes(field)));
      }
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result row : scanner) {
          HashMap<String, ByteIterator> cells = new HashMap<>();
          read(row, cells);
          out.add(cells);
        }
      }
      return Status.OK;
    });
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> values) {
    return with(name, table -> {
      table.put(put(key, values));
      return Status.OK;
    });
  }

  private static Put put(String key, Map<String, ByteIterator> values) {
    Put put = new Put(Bytes.toBytes(key));
    values.forEach((field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
    return put;
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    if (insertBatch <= 1) {
      return update(name, key, values);
    }
    insertsInto = name;
    inserts.add(put(key, values));
    return inserts.size() < insertBatch ? Status.OK : flushInserts();
  }

  private Status flushInserts() {
    return with(insertsInto, table -> {
      table.put(inserts);
      inserts.clear();
      return Status.OK;
    });
  }

  @Override
  public Status delete(String name, String key) {
    return with(name, table -> {
      table.delete(new Delete(Bytes.toBytes(key)));
      return Status.OK;
    });
  }
}
