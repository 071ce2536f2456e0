package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The options of scan, open, count and get: words of the form key=value or key, in any order. A
 * filter takes the rest of the line. Reading the options in order matters as it does in Java:
 * {@code cols=f,f:a} asks for one column, {@code cols=f:a,f} for the family.
 */
final class Reads {
  private Reads() {
  }

  static Scan scan(String[] words, int from) throws Exception {
    Scan scan = new Scan();
    for (int i = from; i < words.length; i++) {
      String[] option = words[i].split("=", 2);
      if (option[0].equals("filter")) {
        scan.setFilter(filter(words, i));
        break;
      }
      apply(scan, option[0], option.length > 1 ? option[1] : null);
    }
    return scan;
  }

  private static void apply(Scan scan, String key, String value) throws Exception {
    switch (key) {
      case "start":
        scan.withStartRow(Text.bytes(value), scan.includeStartRow());
        break;
      case "xstart":
        scan.withStartRow(Text.bytes(value), false);
        break;
      case "stop":
        scan.withStopRow(Text.bytes(value), false);
        break;
      case "istop":
        scan.withStopRow(Text.bytes(value), true);
        break;
      case "prefix":
        scan.setStartStopRowForPrefixScan(Text.bytes(value));
        break;
      case "cols":
        for (String word : value.split(",")) {
          byte[][] column = Text.column(word);
          if (column[1] == null) {
            scan.addFamily(column[0]);
          } else {
            scan.addColumn(column[0], column[1]);
          }
        }
        break;
      case "versions":
        if (value.equals("all")) {
          scan.readAllVersions();
        } else {
          scan.readVersions(Integer.parseInt(value));
        }
        break;
      case "raw":
        scan.setRaw(true);
        break;
      case "rev":
        scan.setReversed(true);
        break;
      case "batch":
        scan.setBatch(Integer.parseInt(value));
        break;
      case "lazycf":
        scan.setLoadColumnFamiliesOnDemand(Boolean.parseBoolean(value));
        break;
      case "limit":
        scan.setLimit(Integer.parseInt(value));
        break;
      case "mrpcf":
        scan.setMaxResultsPerColumnFamily(Integer.parseInt(value));
        break;
      case "ropcf":
        scan.setRowOffsetPerColumnFamily(Integer.parseInt(value));
        break;
      case "tr":
        scan.setTimeRange(Text.range(value).getMin(), Text.range(value).getMax());
        break;
      case "ts":
        scan.setTimestamp(Long.parseLong(value));
        break;
      default:
        common(scan, key, value);
    }
  }

  private static void common(Query query, String key, String value) throws Exception {
    switch (key) {
      case "cftr":
        int comma = value.indexOf(',');
        query.setColumnFamilyTimeRange(Text.bytes(value.substring(0, comma)),
          Text.range(value.substring(comma + 1)).getMin(),
          Text.range(value.substring(comma + 1)).getMax());
        break;
      case "uncommitted":
        query.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
        break;
      default:
        throw new Exception("option " + key);
    }
  }

  static Get get(String[] words) throws Exception {
    Get get = new Get(Text.bytes(words[1]));
    for (int i = 2; i < words.length; i++) {
      String[] option = words[i].split("=", 2);
      if (option[0].equals("filter")) {
        get.setFilter(filter(words, i));
        break;
      }
      apply(get, option[0], option.length > 1 ? option[1] : null);
    }
    return get;
  }

  private static void apply(Get get, String key, String value) throws Exception {
    switch (key) {
      case "cols":
        for (String word : value.split(",")) {
          byte[][] column = Text.column(word);
          if (column[1] == null) {
            get.addFamily(column[0]);
          } else {
            get.addColumn(column[0], column[1]);
          }
        }
        break;
      case "versions":
        if (value.equals("all")) {
          get.readAllVersions();
        } else {
          get.readVersions(Integer.parseInt(value));
        }
        break;
      case "exist":
        get.setCheckExistenceOnly(true);
        break;
      case "mrpcf":
        get.setMaxResultsPerColumnFamily(Integer.parseInt(value));
        break;
      case "ropcf":
        get.setRowOffsetPerColumnFamily(Integer.parseInt(value));
        break;
      case "tr":
        get.setTimeRange(Text.range(value).getMin(), Text.range(value).getMax());
        break;
      case "ts":
        get.setTimestamp(Long.parseLong(value));
        break;
      default:
        common(get, key, value);
    }
  }

  private static org.apache.hadoop.hbase.filter.Filter filter(String[] words, int at)
    throws Exception {
    StringBuilder text = new StringBuilder(words[at].substring("filter=".length()));
    for (int i = at + 1; i < words.length; i++) {
      text.append(' ').append(words[i]);
    }
    return ScriptFilters.parse(text.toString());
  }
}
