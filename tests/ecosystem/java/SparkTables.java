import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.spark.HBaseContext;
import org.apache.hadoop.hbase.spark.JavaHBaseContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Steps of the connector of HBase and Spark, by data frames and by RDDs: {@code SparkTables STEP COUNT}. */
public final class SparkTables {
  private static final String FORMAT = "org.apache.hadoop.hbase.spark";
  private static final String COLUMNS =
      "id STRING :key, name STRING f:name, age INT f:age, height DOUBLE f:height, alive BOOLEAN f:alive, city STRING g:city";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private SparkTables() {}

  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[1]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            // A region without files counts as empty.
            .config("spark.hadoopRDD.ignoreEmptySplits", "false")
            .getOrCreate();
    try {
      HBaseContext context = new HBaseContext(spark.sparkContext(), HBaseConfiguration.create(), null);
      switch (arguments[0]) {
        case "write" -> write(spark, count);
        case "query" -> query(spark);
        case "rdd" -> rdd(new JavaSparkContext(spark.sparkContext()), new JavaHBaseContext(
            new JavaSparkContext(spark.sparkContext()), context.config()), count);
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    } finally {
      spark.stop();
    }
  }

  private static void write(SparkSession spark, int count) {
    spark
        .range(count)
        .selectExpr(
            "lpad(cast(id as string), 6, '0') as id",
            "concat('person ', id) as name",
            "cast(id % 90 as int) as age",
            "id / 8.0D as height",
            "id % 3 = 0 as alive",
            "concat('city ', id % 7) as city")
        .write()
        .format(FORMAT)
        .option("hbase.columns.mapping", COLUMNS)
        .option("hbase.table", "spark_people")
        .save();
  }

  /** Queries, of which the connector turns conditions on the key into ranges. Its filter would need its classes on the server. */
  private static void query(SparkSession spark) {
    Dataset<Row> people =
        spark
            .read()
            .format(FORMAT)
            .option("hbase.columns.mapping", COLUMNS)
            .option("hbase.table", "spark_people")
            .option("hbase.spark.pushdown.columnfilter", "false")
            .load();
    people.createOrReplaceTempView("people");
    for (String query :
        List.of(
            "SELECT count(*), sum(age), sum(height), min(id), max(name) FROM people",
            "SELECT city, count(*), sum(age) FROM people WHERE alive GROUP BY city ORDER BY city",
            "SELECT * FROM people WHERE id >= '004990' AND id < '005010' ORDER BY id",
            "SELECT * FROM people WHERE id = '000042' OR id = '009999' OR id = 'none' ORDER BY id",
            "SELECT count(*) FROM people a JOIN people b ON a.age = b.age WHERE a.id < '000100' AND b.id > '009900'")) {
      System.out.println("answer: " + spark.sql(query).collectAsList());
    }
  }

  private static void rdd(JavaSparkContext spark, JavaHBaseContext context, int count) {
    TableName table = TableName.valueOf("spark_numbers");
    JavaRDD<Integer> numbers = spark.parallelize(IntStream.range(0, count).boxed().toList(), 4);
    context.bulkPut(numbers, table, n -> new Put(key(n)).addColumn(FAMILY, QUALIFIER, 1_700_000_000_000L, Bytes.toBytes(n)));
    long scanned = context.hbaseRDD(table, new Scan().setCaching(100)).count();
    JavaRDD<Integer> found =
        context.bulkGet(
            table, 100, numbers.filter(n -> n % 3 == 0), n -> new Get(key(n)), (Result row) -> Bytes.toInt(row.getValue(FAMILY, QUALIFIER)));
    long sum = found.mapToDouble(n -> n).sum().longValue();
    context.bulkDelete(numbers.filter(n -> n % 5 == 0), table, n -> new Delete(key(n)), 100);
    long left = context.hbaseRDD(table, new Scan().withStartRow(key(10)).withStopRow(key(count / 2))).count();
    System.out.println("answer: " + Arrays.asList(scanned, sum, left));
  }

  private static byte[] key(int n) {
    return Bytes.toBytes(String.format("%06d", n));
  }
}
