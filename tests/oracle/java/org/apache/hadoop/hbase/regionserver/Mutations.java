package org.apache.hadoop.hbase.regionserver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.TimeRange;

/**
 * The mutations of a script.
 *
 * <pre>
 * put row f:q ts value [ttl=ms]      ts is a number or LATEST
 * del row [ts]                       a Delete without columns
 * delf row f [ts]                    addFamily
 * delfv row f ts                     addFamilyVersion
 * delcs row f:q [ts]                 addColumns: every version up to ts
 * delc row f:q [ts]                  addColumn: one version; without ts the newest
 * delcn row f:q n                    n times addColumn without ts in one Delete
 * inc row f:q n [f:q n ...] [ttl=ms] [tr=min,max]
 * app row f:q suffix [f:q suffix ...] [ttl=ms] [tr=min,max]
 * </pre>
 */
final class Mutations {
  private final String[] words;
  private int next;

  private Mutations(String[] words) {
    this.words = words;
  }

  static Mutation one(String[] words) throws Exception {
    return new Mutations(words).parse();
  }

  /** Several mutations, separated by ";", beginning at word {@code from}. */
  static List<Mutation> several(String[] words, int from) throws Exception {
    List<Mutation> mutations = new ArrayList<>();
    int start = from;
    while (start < words.length) {
      int end = start;
      while (end < words.length && !words[end].equals(";")) {
        end++;
      }
      if (end > start) {
        mutations.add(one(Arrays.copyOfRange(words, start, end)));
      }
      start = end + 1;
    }
    return mutations;
  }

  /** {@code cam row f:q OP value|NULL [tr=a,b] : mutations}, also NOTEXISTS and FILTER. */
  static CheckAndMutate check(String[] words) throws Exception {
    byte[] row = Text.bytes(words[1]);
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row);
    int at;
    if (words[2].equals("FILTER")) {
      StringBuilder filter = new StringBuilder();
      for (at = 3; !words[at].equals(":"); at++) {
        filter.append(words[at]).append(' ');
      }
      builder.ifMatches(ScriptFilters.parse(filter.toString().trim()));
    } else {
      byte[][] column = Text.column(words[2]);
      if (words[3].equals("NOTEXISTS")) {
        builder.ifNotExists(column[0], column[1]);
        at = 4;
      } else {
        byte[] expected = words[4].equals("NULL") ? null : Text.bytes(words[4]);
        builder.ifMatches(column[0], column[1], CompareOperator.valueOf(words[3]), expected);
        at = 5;
      }
    }
    for (; !words[at].equals(":"); at++) {
      if (words[at].startsWith("tr=")) {
        builder.timeRange(Text.range(words[at].substring(3)));
      }
    }
    return build(builder, row, several(words, at + 1));
  }

  private static CheckAndMutate build(CheckAndMutate.Builder builder, byte[] row,
    List<Mutation> mutations) throws Exception {
    if (mutations.size() > 1) {
      return builder.build(new RowMutations(row).add(mutations));
    }
    Mutation only = mutations.get(0);
    if (only instanceof Put) {
      return builder.build((Put) only);
    }
    if (only instanceof Delete) {
      return builder.build((Delete) only);
    }
    return only instanceof Increment
      ? builder.build((Increment) only)
      : builder.build((Append) only);
  }

  private Mutation parse() throws Exception {
    String kind = words[0];
    byte[] row = Text.bytes(words[1]);
    next = 2;
    Mutation mutation;
    switch (kind) {
      case "put":
        mutation = put(row);
        break;
      case "inc":
        mutation = increment(row);
        break;
      case "app":
        mutation = append(row);
        break;
      default:
        mutation = delete(kind, row);
    }
    for (; next < words.length; next++) {
      option(mutation, words[next]);
    }
    return mutation;
  }

  private Put put(byte[] row) {
    Put put = new Put(row);
    byte[][] column = Text.column(words[next++]);
    long ts = Text.timestamp(words[next++]);
    byte[] value = Text.bytes(words[next++]);
    if (ts == Long.MAX_VALUE) {
      return put.addColumn(column[0], column[1], value);
    }
    return put.addColumn(column[0], column[1], ts, value);
  }

  private Delete delete(String kind, byte[] row) throws Exception {
    if (kind.equals("del")) {
      return nextIsTimestamp() ? new Delete(row, number()) : new Delete(row);
    }
    Delete delete = new Delete(row);
    byte[][] column = Text.column(words[next++]);
    switch (kind) {
      case "delf":
        return nextIsTimestamp()
          ? delete.addFamily(column[0], number())
          : delete.addFamily(column[0]);
      case "delfv":
        return delete.addFamilyVersion(column[0], number());
      case "delcs":
        return nextIsTimestamp()
          ? delete.addColumns(column[0], column[1], number())
          : delete.addColumns(column[0], column[1]);
      case "delc":
        return nextIsTimestamp()
          ? delete.addColumn(column[0], column[1], number())
          : delete.addColumn(column[0], column[1]);
      case "delcn":
        for (long n = number(); n > 0; n--) {
          delete.addColumn(column[0], column[1]);
        }
        return delete;
      default:
        throw new Exception("mutation " + kind);
    }
  }

  private Increment increment(byte[] row) {
    Increment increment = new Increment(row);
    while (nextIsColumn() && words[next + 1].matches("-?\\d+")) {
      byte[][] column = Text.column(words[next]);
      increment.addColumn(column[0], column[1], Long.parseLong(words[next + 1]));
      next += 2;
    }
    return increment;
  }

  private Append append(byte[] row) {
    Append append = new Append(row);
    while (nextIsColumn()) {
      byte[][] column = Text.column(words[next]);
      append.addColumn(column[0], column[1], Text.bytes(words[next + 1]));
      next += 2;
    }
    return append;
  }

  private void option(Mutation mutation, String word) throws Exception {
    if (word.startsWith("ttl=")) {
      mutation.setTTL(Long.parseLong(word.substring(4)));
    } else if (word.startsWith("dur=")) {
      mutation.setDurability(Durability.valueOf(word.substring(4)));
    } else if (word.startsWith("tr=")) {
      TimeRange range = Text.range(word.substring(3));
      if (mutation instanceof Increment) {
        ((Increment) mutation).setTimeRange(range.getMin(), range.getMax());
      } else {
        ((Append) mutation).setTimeRange(range.getMin(), range.getMax());
      }
    } else {
      throw new Exception("option " + word);
    }
  }

  private boolean nextIsTimestamp() {
    return next < words.length && words[next].matches("\\d+");
  }

  private boolean nextIsColumn() {
    return next + 1 < words.length && words[next].contains(":");
  }

  private long number() {
    return Long.parseLong(words[next++]);
  }
}
