import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The part of {@link AnswersSession} about changes of store file trackers. */
final class TrackerAnswers {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("tracked");
  private static final String TRACKER = "hbase.store.file-tracker.impl";
  private static final String MIGRATION = "hbase.store.file-tracker.migration.";

  private final Admin admin;

  TrackerAnswers(Admin admin) {
    this.admin = admin;
  }

  void run() throws Exception {
    admin.createTable(
      TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
    change("DEFAULT");
    changeFamily("FILE");
    changeFamily("FILE");
    change("FILE");
    change("DEFAULT");
    AnswersSession.say("a table between trackers", () -> {
      TableDescriptor old = admin.getDescriptor(TABLE);
      admin.modifyTable(TableDescriptorBuilder.newBuilder(old).setValue(TRACKER, "MIGRATION")
        .setValue(MIGRATION + "src.impl", "DEFAULT").setValue(MIGRATION + "dst.impl", "FILE").build());
      return AdminAnswers.show(admin.getDescriptor(TABLE));
    });
    change("FILE");
    change("MIGRATION");
    AnswersSession.say("tracker of an unknown family", () -> AdminAnswers.done(
      () -> admin.modifyColumnFamilyStoreFileTracker(TABLE, Bytes.toBytes("none"), "FILE")));
    AnswersSession.say("tracker of a missing table", () -> AdminAnswers.done(
      () -> admin.modifyTableStoreFileTracker(TableName.valueOf("missing"), "FILE")));
    admin.disableTable(TABLE);
    change("DEFAULT");
  }

  private void change(String tracker) {
    AnswersSession.say("tracker " + tracker, () -> {
      admin.modifyTableStoreFileTracker(TABLE, tracker);
      return AdminAnswers.show(admin.getDescriptor(TABLE));
    });
  }

  private void changeFamily(String tracker) {
    AnswersSession.say("tracker " + tracker + " of a family", () -> {
      admin.modifyColumnFamilyStoreFileTracker(TABLE, F, tracker);
      return AdminAnswers.show(admin.getDescriptor(TABLE));
    });
  }
}
