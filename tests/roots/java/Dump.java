package org.apache.hadoop.hbase.regionserver;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/**
 * Cells as lines of text, and a digest of all lines. tests/roots/text.py writes the same.
 *
 * <pre>
 * ROW FAMILY QUALIFIER TIMESTAMP TYPE VALUE
 * </pre>
 *
 * Bytes are hexadecimal. A value of more than 40 bytes is "#length:sha256".
 */
final class Dump implements AutoCloseable {
  private static final int LONGEST_VALUE = 40;
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[][] TYPES = new byte[256][];

  static {
    for (KeyValue.Type type : KeyValue.Type.values()) {
      TYPES[type.getCode() & 0xff] = type.toString().getBytes(StandardCharsets.US_ASCII);
    }
  }

  private final MessageDigest digest = sha();
  private final MessageDigest ofValue = sha();
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final OutputStream file;
  private long rows;
  private long cells;

  Dump(String path) throws IOException {
    file = path == null ? null : new BufferedOutputStream(new FileOutputStream(path), 1 << 16);
  }

  private static MessageDigest sha() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  void add(Result result) {
    rows++;
    for (Cell cell : result.rawCells()) {
      cells++;
      line(cell);
    }
    byte[] bytes = buffer.toByteArray();
    buffer.reset();
    digest.update(bytes);
    if (file != null) {
      try {
        file.write(bytes);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }

  private void line(Cell cell) {
    hex(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
    buffer.write(' ');
    hex(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    buffer.write(' ');
    hex(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    buffer.write(' ');
    text(Long.toString(cell.getTimestamp()).getBytes(StandardCharsets.US_ASCII));
    buffer.write(' ');
    text(TYPES[cell.getTypeByte() & 0xff]);
    buffer.write(' ');
    value(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    buffer.write('\n');
  }

  private void value(byte[] bytes, int offset, int length) {
    if (length <= LONGEST_VALUE) {
      hex(bytes, offset, length);
      return;
    }
    text(("#" + length + ":").getBytes(StandardCharsets.US_ASCII));
    ofValue.update(bytes, offset, length);
    byte[] sum = ofValue.digest();
    hex(sum, 0, sum.length);
  }

  private void text(byte[] bytes) {
    buffer.write(bytes, 0, bytes.length);
  }

  private void hex(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      buffer.write(DIGITS[(bytes[i] >> 4) & 15]);
      buffer.write(DIGITS[bytes[i] & 15]);
    }
  }

  /** "rows cells sha256" */
  String finish() {
    StringBuilder text = new StringBuilder(rows + " " + cells + " ");
    for (byte each : digest.digest()) {
      text.append(String.format("%02x", each));
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
