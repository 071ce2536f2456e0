import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.IntegrationTestingUtility;
import org.apache.hadoop.hbase.test.IntegrationTestLoadAndVerify;
import org.apache.hadoop.util.ToolRunner;

/** HBase's own test, except that one region server suffices: its own check refuses fewer than three. */
public final class LoadAndVerifyOnOneServer extends IntegrationTestLoadAndVerify {
  @Override
  public void setUpCluster() throws Exception {
    util = getTestingUtil(getConf());
    util.initializeCluster(1);
    setConf(util.getConfiguration());
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    IntegrationTestingUtility.setUseDistributedCluster(configuration);
    System.exit(ToolRunner.run(configuration, new LoadAndVerifyOnOneServer(), arguments));
  }
}
