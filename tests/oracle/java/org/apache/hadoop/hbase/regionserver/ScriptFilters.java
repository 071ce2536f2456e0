package org.apache.hadoop.hbase.regionserver;

import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * HBase's filter language with the filters and comparators it lacks, for scripts: each nested class
 * takes the place of the name in HBase's own parser and makes HBase's own filter.
 *
 * <pre>
 * FuzzyRowFilter('key','mask',...)     MultiRowRangeFilter('start',true,'stop',false,...)
 * RandomRowFilter('0.5')               FirstKeyValueMatchingQualifiersFilter('q',...)
 * ColumnPaginationFilter(2,'q')        HintingTimestampsFilter(1,2,...)
 * comparators 'long:5' 'decimal:1.5' 'bit:AND:bits' 'null:' 'component:2:bytes'
 *             'regex:flags:charset:engine:pattern';  operator NO_OP
 * </pre>
 */
public final class ScriptFilters {
  private ScriptFilters() {
  }

  /** The filter a text stands for; {@code \xNN} in it is a byte. */
  static Filter parse(String text) throws Exception {
    for (Class<?> maker : ScriptFilters.class.getDeclaredClasses()) {
      String name = maker.getSimpleName();
      if (!maker.getName().equals(ParseFilter.getAllFilters().get(name))) {
        ParseFilter.registerFilter(name, maker.getName());
      }
    }
    return new ParseFilter().parseFilterString(Bytes.toBytesBinary(text));
  }

  private static byte[] bytes(byte[] argument) {
    return ParseFilter.removeQuotesFromByteArray(argument);
  }

  private static CompareOperator operator(byte[] argument) {
    return Bytes.toString(argument).equals("NO_OP")
      ? CompareOperator.NO_OP
      : ParseFilter.createCompareOperator(argument);
  }

  private static ByteArrayComparable comparator(byte[] argument) {
    byte[][] parts = ParseFilter.parseComparator(bytes(argument));
    String value = new String(parts[1], StandardCharsets.ISO_8859_1);
    switch (Bytes.toString(parts[0])) {
      case "long":
        return new LongComparator(Long.parseLong(value));
      case "decimal":
        return new BigDecimalComparator(new BigDecimal(value));
      case "null":
        return new NullComparator();
      case "bit": {
        String[] words = value.split(":", 2);
        return new BitComparator(words[1].getBytes(StandardCharsets.ISO_8859_1),
          BitComparator.BitwiseOp.valueOf(words[0]));
      }
      case "component": {
        String[] words = value.split(":", 2);
        return new BinaryComponentComparator(words[1].getBytes(StandardCharsets.ISO_8859_1),
          Integer.parseInt(words[0]));
      }
      case "regex": {
        String[] words = value.split(":", 4);
        RegexStringComparator regex = new RegexStringComparator(words[3],
          Integer.parseInt(words[0]), RegexStringComparator.EngineType.valueOf(words[2]));
        regex.setCharset(Charset.forName(words[1]));
        return regex;
      }
      default:
        return ParseFilter.createComparator(bytes(argument));
    }
  }

  public static final class RowFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.RowFilter(operator(a.get(0)),
        comparator(a.get(1)));
    }
  }

  public static final class FamilyFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.FamilyFilter(operator(a.get(0)),
        comparator(a.get(1)));
    }
  }

  public static final class QualifierFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.QualifierFilter(operator(a.get(0)),
        comparator(a.get(1)));
    }
  }

  public static final class ValueFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.ValueFilter(operator(a.get(0)),
        comparator(a.get(1)));
    }
  }

  public static final class ColumnValueFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.ColumnValueFilter(bytes(a.get(0)),
        bytes(a.get(1)), operator(a.get(2)), comparator(a.get(3)));
    }
  }

  public static final class SingleColumnValueFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      org.apache.hadoop.hbase.filter.SingleColumnValueFilter filter =
        new org.apache.hadoop.hbase.filter.SingleColumnValueFilter(bytes(a.get(0)),
          bytes(a.get(1)), operator(a.get(2)), comparator(a.get(3)));
      flags(filter, a);
      return filter;
    }
  }

  public static final class SingleColumnValueExcludeFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter filter =
        new org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter(bytes(a.get(0)),
          bytes(a.get(1)), operator(a.get(2)), comparator(a.get(3)));
      flags(filter, a);
      return filter;
    }
  }

  public static final class DependentColumnFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      boolean drop = a.size() > 2 && ParseFilter.convertByteArrayToBoolean(a.get(2));
      return a.size() > 3
        ? new org.apache.hadoop.hbase.filter.DependentColumnFilter(bytes(a.get(0)),
          bytes(a.get(1)), drop, operator(a.get(3)), comparator(a.get(4)))
        : new org.apache.hadoop.hbase.filter.DependentColumnFilter(bytes(a.get(0)),
          bytes(a.get(1)), drop);
    }
  }

  private static void flags(org.apache.hadoop.hbase.filter.SingleColumnValueFilter filter,
    List<byte[]> a) {
    if (a.size() > 4) {
      filter.setFilterIfMissing(ParseFilter.convertByteArrayToBoolean(a.get(4)));
      filter.setLatestVersionOnly(ParseFilter.convertByteArrayToBoolean(a.get(5)));
    }
  }

  public static final class ColumnPaginationFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      int limit = ParseFilter.convertByteArrayToInt(a.get(0));
      return a.get(1)[0] == '\''
        ? new org.apache.hadoop.hbase.filter.ColumnPaginationFilter(limit, bytes(a.get(1)))
        : new org.apache.hadoop.hbase.filter.ColumnPaginationFilter(limit,
          ParseFilter.convertByteArrayToInt(a.get(1)));
    }
  }

  public static final class HintingTimestampsFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      List<Long> timestamps = new ArrayList<>();
      for (byte[] argument : a) {
        timestamps.add(ParseFilter.convertByteArrayToLong(argument));
      }
      return new org.apache.hadoop.hbase.filter.TimestampsFilter(timestamps, true);
    }
  }

  public static final class RandomRowFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      return new org.apache.hadoop.hbase.filter.RandomRowFilter(
        Float.parseFloat(Bytes.toString(bytes(a.get(0)))));
    }
  }

  public static final class FirstKeyValueMatchingQualifiersFilter {
    @SuppressWarnings("deprecation")
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      TreeSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      a.forEach(argument -> qualifiers.add(bytes(argument)));
      return new org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter(qualifiers);
    }
  }

  public static final class FuzzyRowFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      List<Pair<byte[], byte[]>> keys = new ArrayList<>();
      for (int i = 0; i < a.size(); i += 2) {
        keys.add(new Pair<>(bytes(a.get(i)), bytes(a.get(i + 1))));
      }
      return new org.apache.hadoop.hbase.filter.FuzzyRowFilter(keys);
    }
  }

  public static final class MultiRowRangeFilter {
    public static Filter createFilterFromArguments(ArrayList<byte[]> a) {
      List<org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
      for (int i = 0; i < a.size(); i += 4) {
        ranges.add(new org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange(
          bytes(a.get(i)), ParseFilter.convertByteArrayToBoolean(a.get(i + 1)),
          bytes(a.get(i + 2)), ParseFilter.convertByteArrayToBoolean(a.get(i + 3))));
      }
      return new org.apache.hadoop.hbase.filter.MultiRowRangeFilter(ranges);
    }
  }
}
