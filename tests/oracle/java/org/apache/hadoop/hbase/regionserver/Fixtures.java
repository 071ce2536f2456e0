package org.apache.hadoop.hbase.regionserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Commands that write many cells at once: fill, and mix for files with every kind of cell. */
final class Fixtures {
  private Fixtures() {
  }

  /** {@code fill prefix n f:q length}: n rows prefix000000.. with random values, stamped now. */
  static void fill(HRegion region, String[] words, long now) throws Exception {
    int count = Integer.parseInt(words[2]);
    byte[][] column = Text.column(words[3]);
    Random random = new Random(42);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[Integer.parseInt(words[4])];
      random.nextBytes(value);
      Put put = new Put(Bytes.toBytes(String.format("%s%06d", words[1], i)));
      put.addColumn(column[0], column[1], now, value);
      put.setDurability(Durability.SKIP_WAL);
      region.put(put);
    }
  }

  /** {@code mix seed n rows columns tags(0|1)}: n random cells of all kinds in the first family. */
  static void mix(HRegion region, String[] words) throws Exception {
    Random random = new Random(Long.parseLong(words[1]));
    int count = Integer.parseInt(words[2]);
    int rows = Integer.parseInt(words[3]);
    int columns = Integer.parseInt(words[4]);
    boolean tags = words[5].equals("1");
    byte[] family = region.getTableDescriptor().getColumnFamilyNames().iterator().next();
    for (int i = 0; i < count; i++) {
      byte[] row = row(random.nextInt(rows));
      byte[] qualifier =
        Bytes.toBytes(random.nextInt(5) == 0 ? "" : "col" + random.nextInt(columns));
      long ts = timestamp(random);
      int kind = random.nextInt(12);
      if (kind < 9) {
        put(region, random, row, family, qualifier, ts, tags);
      } else {
        delete(region, random, row, family, qualifier, ts, kind);
      }
    }
  }

  private static byte[] row(int n) {
    String[] prefixes = { "row-", "r", "row-long-prefix-shared-by-many-" };
    return Bytes.toBytes(prefixes[n % 3] + n);
  }

  private static long timestamp(Random random) {
    if (random.nextInt(3) == 0) {
      return 1000L + random.nextInt(50);
    }
    return random.nextInt(3) == 0 ? random.nextInt(10) : 1700000000000L + random.nextInt(100000);
  }

  private static void put(HRegion region, Random random, byte[] row, byte[] family,
    byte[] qualifier, long ts, boolean tags) throws Exception {
    byte[] value = random.nextInt(4) == 0
      ? Bytes.toBytes("same")
      : new byte[random.nextInt(random.nextInt(20) == 0 ? 300 : 12)];
    if (value.length != 4 || value[0] == 0) {
      for (int z = 0; z < value.length; z++) {
        value[z] = (byte) (97 + random.nextInt(3));
      }
    }
    List<Tag> list = new ArrayList<>();
    if (tags && random.nextInt(3) > 0) {
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        list.add(new ArrayBackedTag((byte) (64 + random.nextInt(3)),
          Bytes.toBytes("t" + random.nextInt(6))));
      }
    }
    Put put = new Put(row);
    put.add(new KeyValue(row, family, qualifier, ts, KeyValue.Type.Put, value,
      list.isEmpty() ? (List<Tag>) null : list));
    put.setDurability(Durability.SKIP_WAL);
    region.put(put);
  }

  private static void delete(HRegion region, Random random, byte[] row, byte[] family,
    byte[] qualifier, long ts, int kind) throws Exception {
    Delete delete = new Delete(row);
    if (kind == 9) {
      delete.addColumn(family, qualifier, ts);
    } else if (kind == 10) {
      if (random.nextInt(6) == 0) {
        delete.addColumns(family, qualifier, ts % 2000);
      } else {
        delete.addColumn(family, qualifier, ts);
      }
    } else if (random.nextInt(8) == 0) {
      delete.addFamily(family, ts % 1500);
    } else {
      delete.addFamilyVersion(family, ts);
    }
    delete.setDurability(Durability.SKIP_WAL);
    region.delete(delete);
  }
}
