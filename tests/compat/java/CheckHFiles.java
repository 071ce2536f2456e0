import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFilePrettyPrinter;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the files that a manifest lists with HBase's own reader, and says for each what is wrong with it, or "ok".
 *
 * <p>For every file: HFilePrettyPrinter with -v -p -m -k -b -s must end well, warn of nothing and count the cells; a scan must
 * give the manifest's checksum; a seek to every seventh cell must find it; the Bloom filters must know every cell.
 */
public final class CheckHFiles {
  private final Configuration conf = HBaseConfiguration.create();

  private CheckHFiles() {}

  public static void main(String[] args) throws Exception {
    CheckHFiles check = new CheckHFiles();
    int failures = 0;
    for (String line : Files.readAllLines(Paths.get(args[0], "manifest.txt"))) {
      String[] fields = line.split(" ");
      String verdict;
      try {
        verdict = check.file(Paths.get(args[0], fields[0]).toString(), Long.parseLong(fields[1]), fields[2]);
      } catch (Throwable error) {
        error.printStackTrace();
        verdict = error.toString();
      }
      System.out.println(fields[0] + ": " + verdict);
      failures += verdict.startsWith("ok") ? 0 : 1;
    }
    System.exit(failures == 0 ? 0 : 1);
  }

  private String file(String path, long count, String crc) throws Exception {
    String printed = print(path, count);
    if (printed != null) {
      return printed;
    }
    FileSystem files = FileSystem.getLocal(conf);
    try (HFile.Reader reader =
        HFile.createReader(files, new Path(path), new CacheConfig(conf), true, conf)) {
      return scan(reader, count, crc);
    }
  }

  private String print(String path, long count) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    HFilePrettyPrinter printer = new HFilePrettyPrinter(conf);
    printer.setPrintStreams(new PrintStream(out, true), new PrintStream(err, true));
    int status = printer.run(new String[] {"-v", "-p", "-m", "-k", "-b", "-s", "-f", path});
    String text = out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    if (status != 0) {
      return "hfile tool ended with " + status;
    }
    if (text.contains("WARN") || text.contains("ERROR") || text.contains("Exception")) {
      return "hfile tool warns: " + text.substring(0, Math.min(text.length(), 2000));
    }
    return text.contains("Scanned kv count -> " + count) ? null : "hfile tool counts otherwise";
  }

  private String scan(HFile.Reader reader, long count, String crc) throws Exception {
    HFileScanner scanner = reader.getScanner(conf, true, true, false);
    CRC32 sum = new CRC32();
    List<KeyValue> some = new ArrayList<>();
    List<KeyValue> rows = new ArrayList<>();
    long seen = 0;
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      Cell cell = scanner.getCell();
      KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
      update(sum, PrivateCellUtil.getCellKeySerializedAsKeyValueKey(copy));
      update(sum, copy.getValueArray(), copy.getValueOffset(), copy.getValueLength());
      update(sum, copy.getTagsArray(), copy.getTagsOffset(), copy.getTagsLength());
      sum.update(ByteBuffer.allocate(8).putLong(cell.getSequenceId()).array());
      if (seen++ % 7 == 0) {
        some.add(copy);
      }
      rows.add(copy);
    }
    String found = String.format("%08x", sum.getValue());
    if (seen != count || !found.equals(crc)) {
      return "scan gives " + seen + " cells, checksum " + found + ", wanted " + count + ", " + crc;
    }
    for (KeyValue wanted : some) {
      // Keys in the index have no sequence id, and a seek key with one sorts before them.
      wanted.setSequenceId(0);
      if (scanner.seekTo(wanted) != 0) {
        return "seek misses " + wanted;
      }
    }
    int keys = blooms(reader, rows);
    return keys < 0 ? "Bloom filter misses a cell" : "ok, " + seen + " cells, " + keys + " Bloom lookups, split at "
        + (seen == 0 ? "nothing" : reader.midKey().get());
  }

  private int blooms(HFile.Reader reader, List<KeyValue> cells) throws Exception {
    int lookups = 0;
    byte[] name = reader.getHFileInfo().get(Bytes.toBytes("BLOOM_FILTER_TYPE"));
    DataInput general = reader.getGeneralBloomFilterMetadata();
    if (name != null && general != null) {
      BloomType type = BloomType.valueOf(Bytes.toString(name));
      BloomFilter filter = BloomFilterFactory.createFromMeta(general, reader);
      for (KeyValue cell : cells) {
        byte[] row = org.apache.hadoop.hbase.CellUtil.cloneRow(cell);
        boolean hit;
        if (type == BloomType.ROWCOL) {
          KeyValue key = KeyValueUtil.createFirstOnRow(row, 0, row.length, new byte[0], 0, 0,
              cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
          hit = filter.contains(key, null, type);
        } else {
          byte[] length = reader.getHFileInfo().get(Bytes.toBytes("BLOOM_FILTER_PARAM"));
          hit = filter.contains(row, 0, length == null ? row.length : Math.min(row.length, Bytes.toInt(length)), null);
        }
        if (!hit) {
          return -1;
        }
        lookups++;
      }
    }
    DataInput deletes = reader.getDeleteBloomFilterMetadata();
    if (deletes != null) {
      BloomFilter filter = BloomFilterFactory.createFromMeta(deletes, reader);
      for (KeyValue cell : cells) {
        byte[] row = org.apache.hadoop.hbase.CellUtil.cloneRow(cell);
        boolean isMarker = cell.getTypeByte() == 10 || cell.getTypeByte() == 14;
        if (isMarker && !filter.contains(row, 0, row.length, null)) {
          return -1;
        }
        lookups += isMarker ? 1 : 0;
      }
    }
    return lookups;
  }

  private static void update(CRC32 sum, byte[] part) {
    update(sum, part, 0, part.length);
  }

  private static void update(CRC32 sum, byte[] bytes, int offset, int length) {
    sum.update(ByteBuffer.allocate(4).putInt(length).array());
    if (length > 0) {
      sum.update(bytes, offset, length);
    }
  }
}
