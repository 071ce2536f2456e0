package org.apache.hadoop.hbase.regionserver;

import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Bytes, columns, timestamps and cells as the words of a script. */
final class Text {
  private Text() {
  }

  static byte[] bytes(String word) {
    return word.equals("''") ? new byte[0] : Bytes.toBytesBinary(word);
  }

  /** "f:q" as {f, q}; "f" as {f, null}. */
  static byte[][] column(String word) {
    int colon = word.indexOf(':');
    if (colon < 0) {
      return new byte[][] { bytes(word), null };
    }
    return new byte[][] { bytes(word.substring(0, colon)), bytes(word.substring(colon + 1)) };
  }

  static long timestamp(String word) {
    return word.equals("LATEST") ? Long.MAX_VALUE : Long.parseLong(word);
  }

  static TimeRange range(String words) {
    String[] ends = words.split(",");
    long max = ends[1].equals("max") ? Long.MAX_VALUE : Long.parseLong(ends[1]);
    return TimeRange.between(Long.parseLong(ends[0]), max);
  }

  static String cell(Cell c) {
    StringBuilder text = new StringBuilder();
    text.append(Bytes.toStringBinary(CellUtil.cloneRow(c))).append('/')
      .append(Bytes.toStringBinary(CellUtil.cloneFamily(c))).append(':')
      .append(Bytes.toStringBinary(CellUtil.cloneQualifier(c))).append('@')
      .append(c.getTimestamp() == Long.MAX_VALUE ? "LATEST" : "" + c.getTimestamp());
    KeyValue.Type type = KeyValue.Type.codeToType(c.getTypeByte());
    if (type != KeyValue.Type.Put) {
      text.append("#").append(type);
    }
    text.append("=").append(Bytes.toStringBinary(CellUtil.cloneValue(c)));
    Iterator<Tag> tags = PrivateCellUtil.tagsIterator(c);
    while (tags.hasNext()) {
      Tag tag = tags.next();
      text.append(" tag").append(tag.getType()).append(':')
        .append(Bytes.toStringBinary(Tag.cloneValue(tag)));
    }
    return text.toString();
  }

  static String row(List<Cell> cells) {
    StringBuilder text = new StringBuilder();
    for (Cell c : cells) {
      text.append(text.length() > 0 ? "  |  " : "").append(cell(c));
    }
    return text.toString();
  }
}
