package org.apache.hadoop.hbase.regionserver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Random cells, the same for the same seed: puts of one to eight cells, and now and then a delete of each kind.
 *
 * <pre>
 * rows        000000 to 999999, some with a byte 00 or ff behind
 * qualifiers  q0 to q7, some with a byte 00 and ff
 * values      none to 40 bytes; one in a hundred has up to 3,000
 * tags        one put in twenty has a time to live: a second, which is over soon, or a hundred years
 * </pre>
 */
final class Filling {
  private static final int KEYS = 1_000_000;
  private static final int CELLS_PER_ROW = 8;
  private static final long CENTURY_MS = 100L * 365 * 86_400_000;
  private static final long BUFFER_BYTES = 4 << 20;

  private final Connection connection;
  private final TableName table;
  private final Random random;
  private final byte[] text = new byte[4096];
  private byte[][] families;
  private long firstStamp;
  private int stamps;

  Filling(Connection connection, TableName table, long seed) {
    this.connection = connection;
    this.table = table;
    this.random = new Random(seed);
    Arrays.fill(text, (byte) 'x');
    for (int i = 0; i < text.length; i += 3) {
      text[i] = (byte) random.nextInt(256);
    }
  }

  void write(long cells, long from, long to) throws Exception {
    try (Table opened = connection.getTable(table)) {
      families = opened.getDescriptor().getColumnFamilyNames().toArray(new byte[0][]);
    }
    firstStamp = from;
    stamps = (int) Math.min(Integer.MAX_VALUE, to - from);
    int rows = (int) Math.max(10, Math.min(KEYS, cells / CELLS_PER_ROW));
    BufferedMutatorParams params = new BufferedMutatorParams(table).writeBufferSize(BUFFER_BYTES);
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      for (long written = 0; written < cells;) {
        byte[] row = row(random.nextInt(rows) * (KEYS / rows));
        Mutation mutation = random.nextInt(30) == 0 ? delete(row) : put(row);
        // The flush that follows saves them.
        mutator.mutate(mutation.setDurability(Durability.SKIP_WAL));
        written += Math.max(1, mutation.size());
      }
    }
  }

  private byte[] row(int number) {
    byte[] digits = String.format("%06d", number).getBytes(StandardCharsets.US_ASCII);
    if (number % 50 != 7) {
      return digits;
    }
    byte[] longer = Arrays.copyOf(digits, digits.length + 1);
    longer[digits.length] = (byte) (number % 100 == 7 ? 0 : 0xff);
    return longer;
  }

  private Put put(byte[] row) {
    Put put = new Put(row);
    if (random.nextInt(20) == 0) {
      put.setTTL(random.nextBoolean() ? 1_000 : CENTURY_MS);
    }
    for (int left = 1 + random.nextInt(8); left > 0; left--) {
      put.addColumn(family(), qualifier(), stamp(), value());
    }
    return put;
  }

  private Delete delete(byte[] row) {
    Delete delete = new Delete(row);
    switch (random.nextInt(5)) {
      case 0:
        return new Delete(row, stamp());
      case 1:
        return delete.addFamily(family(), stamp());
      case 2:
        return delete.addFamilyVersion(family(), stamp());
      case 3:
        return delete.addColumns(family(), qualifier(), stamp());
      default:
        return delete.addColumn(family(), qualifier(), stamp());
    }
  }

  private byte[] family() {
    return families[random.nextInt(families.length)];
  }

  private byte[] qualifier() {
    int number = random.nextInt(8);
    return random.nextInt(50) == 0
      ? new byte[] { 'q', (byte) ('0' + number), 0, (byte) 0xff }
      : new byte[] { 'q', (byte) ('0' + number) };
  }

  /** One of a hundred moments, so that some are the same. */
  private long stamp() {
    return firstStamp + (long) random.nextInt(100) * Math.max(1, stamps / 100);
  }

  private byte[] value() {
    int length = random.nextInt(100) == 0 ? 100 + random.nextInt(2_900) : random.nextInt(41);
    int begin = random.nextInt(text.length - length);
    return Arrays.copyOfRange(text, begin, begin + length);
  }
}
