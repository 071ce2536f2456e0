import java.io.IOException;
import java.util.HashMap;
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

/** YCSB over HBase's Java client: one connection for all threads, every write by itself. */
public final class YcsbHBase extends DB {
  private static final byte[] FAMILY = Bytes.toBytes("family");
  private static Connection connection;
  private static int users = 0;

  @Override
  public void init() throws DBException {
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
      Put put = new Put(Bytes.toBytes(key));
      values.forEach((field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
      table.put(put);
      return Status.OK;
    });
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    return update(name, key, values);
  }

  @Override
  public Status delete(String name, String key) {
    return with(name, table -> {
      table.delete(new Delete(Bytes.toBytes(key)));
      return Status.OK;
    });
  }
}
