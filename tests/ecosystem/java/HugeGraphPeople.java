import java.util.Arrays;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.hugegraph.HugeFactory;
import org.apache.hugegraph.HugeGraph;
import org.apache.hugegraph.backend.serializer.SerializerFactory;
import org.apache.hugegraph.backend.store.BackendProviderFactory;
import org.apache.hugegraph.config.CoreOptions;
import org.apache.hugegraph.config.OptionSpace;
import org.apache.hugegraph.masterelection.GlobalMasterInfo;
import org.apache.hugegraph.schema.SchemaManager;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** A graph of people: {@code HugeGraphPeople PORT CONFIGURATION STEP COUNT}. Each step opens it and prints what it found. */
public final class HugeGraphPeople {
  private static final int BATCH = 500;

  private HugeGraphPeople() {}

  public static void main(String[] arguments) throws Exception {
    if (OptionSpace.keys().stream().noneMatch("hbase.hosts"::equals)) {
      OptionSpace.register("core", CoreOptions.instance());
      OptionSpace.register("hbase", "org.apache.hugegraph.backend.store.hbase.HbaseOptions");
      SerializerFactory.register("hbase", "org.apache.hugegraph.backend.store.hbase.HbaseSerializer");
      BackendProviderFactory.register("hbase", "org.apache.hugegraph.backend.store.hbase.HbaseStoreProvider");
    }
    PropertiesConfiguration configuration = new PropertiesConfiguration();
    configuration.setProperty("gremlin.graph", "org.apache.hugegraph.HugeFactory");
    configuration.setProperty("backend", "hbase");
    configuration.setProperty("serializer", "hbase");
    configuration.setProperty("store", "people");
    configuration.setProperty("hbase.hosts", "127.0.0.1");
    configuration.setProperty("hbase.port", arguments[0]);
    configuration.setProperty("hbase.hbase_site", arguments[1]);
    configuration.setProperty("hbase.enable_partition", "true");
    int count = Integer.parseInt(arguments[3]);
    HugeGraph graph = HugeFactory.open(configuration);
    try {
      if (arguments[2].equals("define")) {
        graph.initBackend();
      }
      graph.serverStarted(GlobalMasterInfo.master("server"));
      switch (arguments[2]) {
        case "define" -> define(graph.schema());
        case "load" -> load(graph, count);
        case "query" -> query(graph.traversal(), count);
        case "remove" -> remove(graph, count);
        default -> throw new IllegalArgumentException(arguments[2]);
      }
    } finally {
      graph.close();
    }
  }

  private static void answer(Object... found) {
    System.out.println("answer: " + Arrays.toString(found));
  }

  private static void define(SchemaManager schema) {
    schema.propertyKey("name").asText().create();
    schema.propertyKey("age").asInt().create();
    schema.propertyKey("city").asText().create();
    schema.propertyKey("since").asInt().create();
    schema.vertexLabel("person").properties("name", "age", "city").primaryKeys("name").create();
    schema.edgeLabel("knows").link("person", "person").properties("since").create();
    schema.indexLabel("byCity").onV("person").by("city").secondary().create();
    schema.indexLabel("byAge").onV("person").by("age").range().create();
    schema.indexLabel("bySince").onE("knows").by("since").range().create();
    answer(schema.getVertexLabels().size(), schema.getEdgeLabels().size(), schema.getIndexLabels().size());
  }

  private static void load(HugeGraph graph, int count) {
    Vertex[] people = new Vertex[count];
    for (int n = 0; n < count; n++) {
      people[n] = graph.addVertex(T.label, "person", "name", "person " + n, "age", n % 90, "city", "city " + n % 13);
      if (n % BATCH == BATCH - 1) {
        graph.tx().commit();
      }
    }
    for (int n = 0; n < count; n++) {
      people[n].addEdge("knows", people[(7 * n + 1) % count], "since", 1980 + n % 40);
      people[n].addEdge("knows", people[(13 * n + 5) % count], "since", 1980 + n % 40);
      if (n % BATCH == BATCH - 1) {
        graph.tx().commit();
      }
    }
    graph.tx().commit();
    answer(count);
  }

  private static void query(GraphTraversalSource g, int count) {
    answer(
        g.V().count().next(),
        g.E().count().next(),
        g.V().has("person", "name", "person 77").values("age").toList(),
        g.V().has("person", "name", "nobody").hasNext(),
        g.V().has("city", "city 5").count().next(),
        g.V().has("age", P.between(30, 40)).count().next(),
        g.E().has("since", 1999).count().next(),
        g.V().has("person", "name", "person 7").repeat(__.out("knows")).times(5).dedup().count().next(),
        g.V().has("age", P.gte(88)).values("name").order().limit(20).toList(),
        g.V().has("age", 7).in("knows").dedup().count().next());
  }

  private static void remove(HugeGraph graph, int count) {
    for (int n = 0; n < count; n += 10) {
      graph.traversal().V().has("person", "name", "person " + n).drop().iterate();
    }
    graph.traversal().V().has("age", 16).property("age", 99).iterate();
    graph.tx().commit();
    answer(count);
  }
}
