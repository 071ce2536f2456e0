package org.apache.hadoop.hbase.filter;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What HBase's parser makes of texts: for each line of standard input, {@code \xNN} in it being a
 * byte, a line with the class and the serialized form of the filter, or "error".
 */
public final class FilterLanguage {
  private FilterLanguage() {
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(answer(line));
    }
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static String answer(String line) {
    try {
      Filter filter = new ParseFilter().parseFilterString(Bytes.toBytesBinary(line));
      return filter.getClass().getSimpleName() + " " + Bytes.toHex(filter.toByteArray());
    } catch (Exception e) {
      return "error";
    }
  }
}
