import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Statements of Flink's SQL, on a cluster in this JVM: {@code FlinkTables FILES}. Prints what queries find, in the order of its
 * text.
 */
public final class FlinkTables {
  private FlinkTables() {}

  public static void main(String[] files) throws Exception {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    tables.getConfig().set("parallelism.default", "2");
    for (String file : files) {
      for (String statement : Files.readString(Path.of(file)).strip().split(";")) {
        run(tables, statement.strip());
      }
    }
  }

  private static void run(TableEnvironment tables, String statement) throws Exception {
    var result = tables.executeSql(statement);
    if (!statement.startsWith("SELECT")) {
      result.await();
      return;
    }
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> found = result.collect()) {
      found.forEachRemaining(row -> rows.add(row.toString()));
    }
    rows.sort(null);
    System.out.println("answer: " + rows);
  }
}
