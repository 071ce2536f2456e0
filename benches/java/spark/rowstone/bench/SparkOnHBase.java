package rowstone.bench;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** HBase's own way between Spark and a table: TableInputFormat to a data frame, and rows as puts of TableOutputFormat. */
public final class SparkOnHBase {
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] NUMBER = Bytes.toBytes("number");
    private static final byte[] KIND = Bytes.toBytes("kind");
    private static final byte[] VALUE = Bytes.toBytes("value");
    private static final byte[] NOTE = Bytes.toBytes("note");

    private SparkOnHBase() {}

    private static Configuration configuration(int port) {
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.zookeeper.quorum", "127.0.0.1");
        conf.setInt("hbase.zookeeper.property.clientPort", port);
        return conf;
    }

    /** The table as a data frame. */
    public static Dataset<Row> read(SparkSession spark, int port, String table) {
        Configuration conf = configuration(port);
        conf.set(TableInputFormat.INPUT_TABLE, table);
        conf.setInt(TableInputFormat.SCAN_CACHEDROWS, 1000);
        conf.setBoolean(TableInputFormat.SCAN_CACHEBLOCKS, false);
        JavaRDD<Row> rows = JavaSparkContext.fromSparkContext(spark.sparkContext())
            .newAPIHadoopRDD(conf, TableInputFormat.class, ImmutableBytesWritable.class, Result.class)
            .values()
            .map(SparkOnHBase::row);
        return spark.createDataFrame(rows, org.apache.spark.sql.types.StructType.fromDDL(
            "row string, number bigint, kind int, value double, note string"));
    }

    private static Row row(Result result) {
        byte[] note = result.getValue(FAMILY, NOTE);
        return RowFactory.create(
            Bytes.toString(result.getRow()),
            Bytes.toLong(result.getValue(FAMILY, NUMBER)),
            Bytes.toInt(result.getValue(FAMILY, KIND)),
            Bytes.toDouble(result.getValue(FAMILY, VALUE)),
            note == null ? null : Bytes.toString(note));
    }

    /** Write a data frame with the same columns. */
    public static void write(Dataset<Row> rows, int port, String table) throws Exception {
        Configuration conf = configuration(port);
        conf.set(TableOutputFormat.OUTPUT_TABLE, table);
        Job job = Job.getInstance(conf);
        job.setOutputFormatClass(TableOutputFormat.class);
        rows.toJavaRDD()
            .mapToPair(row -> new Tuple2<>(new ImmutableBytesWritable(), put(row)))
            .saveAsNewAPIHadoopDataset(job.getConfiguration());
    }

    private static Put put(Row row) {
        Put put = new Put(Bytes.toBytes(row.getString(0)));
        put.addColumn(FAMILY, NUMBER, Bytes.toBytes(row.getLong(1)));
        put.addColumn(FAMILY, KIND, Bytes.toBytes(row.getInt(2)));
        put.addColumn(FAMILY, VALUE, Bytes.toBytes(row.getDouble(3)));
        if (!row.isNullAt(4)) {
            put.addColumn(FAMILY, NOTE, Bytes.toBytes(row.getString(4)));
        }
        return put;
    }
}
