import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hbase.util.*;

/**
 * Prints what HBase makes of values: OrderedBytes, Bytes, MurmurHash3. `KeyVectors COUNT SEED`; a line is `kind order value hex`,
 * texts and bytes as hex, "-" where there are none.
 */
public final class KeyVectors {
  static String hex(byte[] data, int length) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < length; i++) out.append(String.format("%02x", data[i]));
    return out.toString();
  }
  interface Encode { int into(PositionedByteRange range, Order order); }
  static void both(String kind, String value, Encode encode) {
    for (Order order : Order.values()) {
      PositionedByteRange range = new SimplePositionedMutableByteRange(4000);
      try {
        int length = encode.into(range, order);
        System.out.println(kind + " " + order.name().toLowerCase() + " " + value + " " + hex(range.getBytes(), length));
      } catch (IllegalArgumentException refused) {
        System.out.println(kind + " " + order.name().toLowerCase() + " " + value + " refused");
      }
    }
  }
  static String of(byte[] data) { return data.length == 0 ? "-" : hex(data, data.length); }
  static void number(BigDecimal v) { both("number", v.toString(), (r, o) -> OrderedBytes.encodeNumeric(r, v, o)); }
  static void text(String v) { both("text", of(v.getBytes(StandardCharsets.UTF_8)), (r, o) -> OrderedBytes.encodeString(r, v, o)); }
  static void blob(byte[] v) {
    both("blob", of(v), (r, o) -> OrderedBytes.encodeBlobVar(r, v, o));
    both("blob_copy", of(v), (r, o) -> OrderedBytes.encodeBlobCopy(r, v, o));
    System.out.println("murmur3 0 " + of(v) + " " + (MurmurHash3.getInstance().hash(new ByteArrayHashKey(v, 0, v.length), 0) & 0xffffffffL));
    System.out.println("murmur3 -1 " + of(v) + " " + (MurmurHash3.getInstance().hash(new ByteArrayHashKey(v, 0, v.length), -1) & 0xffffffffL));
  }
  static void whole(long v) {
    both("int64", "" + v, (r, o) -> OrderedBytes.encodeInt64(r, v, o));
    both("int32", "" + (int) v, (r, o) -> OrderedBytes.encodeInt32(r, (int) v, o));
    both("int16", "" + (short) v, (r, o) -> OrderedBytes.encodeInt16(r, (short) v, o));
    both("int8", "" + (byte) v, (r, o) -> OrderedBytes.encodeInt8(r, (byte) v, o));
    System.out.println("java_int64 - " + v + " " + of(Bytes.toBytes(v)));
    System.out.println("java_int32 - " + (int) v + " " + of(Bytes.toBytes((int) v)));
    System.out.println("java_int16 - " + (short) v + " " + of(Bytes.toBytes((short) v)));
  }
  static void real(double v) {
    both("float64", Double.toString(v), (r, o) -> OrderedBytes.encodeFloat64(r, v, o));
    float f = (float) v;
    both("float32", Double.toString((double) f), (r, o) -> OrderedBytes.encodeFloat32(r, f, o));
  }
  static void decimal(BigDecimal v) { System.out.println("decimal - " + v + " " + of(Bytes.toBytes(v))); }
  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[0]);
    Random draw = new Random(Long.parseLong(arguments[1]));
    for (long v : new long[] {0, 1, -1, 127, 128, -128, 255, 256, 32767, -32768, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE}) { whole(v); number(BigDecimal.valueOf(v)); }
    for (double v : new double[] {0.0, -0.0, 1, -1, 1.5, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      real(v);
      both("number_float", Double.toString(v), (r, o) -> OrderedBytes.encodeNumeric(r, v, o));
    }
    for (String s : new String[] {"0.1", "-0.1", "0.01", "0.001", "1E-10", "1E-11", "-1E-120", "1E+20", "1E+21", "1E+22", "1E+23", "-1E+22", "1E+100", "-1E+240", "12345678901234567890123456789012345", "0.12345678901234567890123456789012345", "-98765432109876543210.98765", "99.99", "100", "9999", "10000", "1E+482", "1E+484", "1E-300", "1E-500", "5E+698","123456789012345678901234567890123456789012345678901234567890"}) { number(new BigDecimal(s)); decimal(new BigDecimal(s)); }
    for (String s : new String[] {"", "a", "hello", "naïve 王", "a\u0000b", "\u007f", "😀"}) text(s);
    for (byte[] b : new byte[][] {{}, {0}, {(byte) 255}, {0, 0}, {1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 8}, "abc".getBytes(), {(byte) 255, (byte) 255, (byte) 255, (byte) 255, (byte) 255, (byte) 255, (byte) 255, (byte) 255}}) blob(b);
    both("null", "-", (r, o) -> OrderedBytes.encodeNumeric(r, (BigDecimal) null, o));
    both("null", "-", (r, o) -> OrderedBytes.encodeString(r, null, o));
    both("null_blob_copy", "-", (r, o) -> OrderedBytes.encodeBlobCopy(r, null, o));
    for (int i = 0; i < count; i++) {
      whole(draw.nextLong() >> draw.nextInt(64));
      real(Double.longBitsToDouble(draw.nextLong()));
      real(draw.nextGaussian() * Math.pow(10, draw.nextInt(60) - 30));
      BigDecimal v = new BigDecimal(new BigInteger(1 + draw.nextInt(140), draw), draw.nextInt(120) - 60);
      v = draw.nextBoolean() ? v : v.negate();
      number(v);
      decimal(v);
      double d = draw.nextGaussian() * Math.pow(10, draw.nextInt(60) - 30);
      both("number_float", Double.toString(d), (r, o) -> OrderedBytes.encodeNumeric(r, d, o));
      byte[] b = new byte[draw.nextInt(40)];
      draw.nextBytes(b);
      blob(b);
      StringBuilder s = new StringBuilder();
      for (int c = draw.nextInt(10); c > 0; c--) s.appendCodePoint(1 + draw.nextInt(draw.nextBoolean() ? 126 : 0xd700));
      text(s.toString());
    }
  }
}
