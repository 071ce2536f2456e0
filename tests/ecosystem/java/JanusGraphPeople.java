import static org.apache.tinkerpop.gremlin.process.traversal.P.between;
import static org.apache.tinkerpop.gremlin.process.traversal.P.gte;
import static org.apache.tinkerpop.gremlin.process.traversal.P.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Column;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphException;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.Multiplicity;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.SchemaViolationException;
import org.janusgraph.core.schema.ConsistencyModifier;
import org.janusgraph.core.schema.JanusGraphManagement;

/**
 * A graph of people, of whom each knows two others: {@code JanusGraphPeople PORT STEP COUNT}. Each step opens the graph anew
 * and prints what it found.
 */
public final class JanusGraphPeople {
  private static final int BATCH = 2_000;

  private JanusGraphPeople() {}

  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[2]);
    JanusGraph graph =
        JanusGraphFactory.build()
            .set("storage.backend", "hbase")
            .set("storage.hostname", "127.0.0.1")
            .set("storage.port", Integer.parseInt(arguments[0]))
            .set("storage.hbase.table", "graph_of_people")
            .open();
    try {
      switch (arguments[1]) {
        case "define" -> define(graph);
        case "load" -> load(graph, count);
        case "look-up" -> lookUp(graph.traversal(), count);
        case "traverse" -> traverse(graph.traversal(), count);
        case "refuse" -> refuse(graph);
        case "remove" -> remove(graph, count);
        default -> throw new IllegalArgumentException(arguments[1]);
      }
    } finally {
      graph.close();
    }
  }

  private static void answer(Object... found) {
    System.out.println("answer: " + Arrays.toString(found));
  }

  private static void define(JanusGraph graph) {
    JanusGraphManagement schema = graph.openManagement();
    PropertyKey name = schema.makePropertyKey("name").dataType(String.class).make();
    PropertyKey age = schema.makePropertyKey("age").dataType(Integer.class).make();
    PropertyKey since = schema.makePropertyKey("since").dataType(Integer.class).make();
    schema.makeVertexLabel("person").make();
    var knows = schema.makeEdgeLabel("knows").multiplicity(Multiplicity.MULTI).make();
    var byName = schema.buildIndex("byName", Vertex.class).addKey(name).unique().buildCompositeIndex();
    schema.setConsistency(byName, ConsistencyModifier.LOCK);
    schema.buildIndex("byAge", Vertex.class).addKey(age).buildCompositeIndex();
    schema.buildEdgeIndex(knows, "bySince", Direction.BOTH, since);
    answer(schema.printSchema().lines().map(String::strip).toList());
    schema.commit();
  }

  private static void load(JanusGraph graph, int count) {
    List<Object> ids = new ArrayList<>();
    for (int start = 0; start < count; start += BATCH) {
      for (int n = start; n < Math.min(start + BATCH, count); n++) {
        ids.add(graph.addVertex(T.label, "person", "name", "person " + n, "age", n % 90).id());
      }
      graph.tx().commit();
    }
    for (int start = 0; start < count; start += BATCH) {
      for (int n = start; n < Math.min(start + BATCH, count); n++) {
        Vertex person = graph.vertices(ids.get(n)).next();
        for (int other : new int[] {(7 * n + 1) % count, (13 * n + 5) % count}) {
          person.addEdge("knows", graph.vertices(ids.get(other)).next(), "since", 1980 + n % 40);
        }
      }
      graph.tx().commit();
    }
    answer(ids.size());
  }

  private static void lookUp(GraphTraversalSource g, int count) {
    long found = 0;
    for (int n = 0; n < count; n += 17) {
      found += g.V().has("name", "person " + n).has("age", n % 90).count().next();
    }
    List<String> names = IntStream.range(0, 300).mapToObj(n -> "person " + 3 * n).toList();
    answer(
        found,
        g.V().has("name", "nobody").hasNext(),
        g.V().has("age", 30).count().next(),
        g.V().has("age", within(1, 5, 89)).count().next(),
        g.V().has("name", within(names)).count().next(),
        g.V().has("age", 42).values("name").order().limit(20).toList());
  }

  private static void traverse(GraphTraversalSource g, int count) {
    answer(
        g.V().count().next(),
        g.E().count().next(),
        g.V().values("age").sum().next(),
        g.E().has("since", gte(2000)).count().next(),
        g.V().has("name", "person 7").repeat(__.out("knows")).times(6).dedup().count().next(),
        g.V().has("age", 7).in("knows").in("knows").dedup().count().next(),
        g.V().has("age", 3).outE("knows").has("since", between(1990, 1995)).inV().values("name").order().limit(20).toList(),
        g.V().has("age", 11).both("knows").groupCount().by("age").order(Scope.local)
            .by(Column.keys, Order.asc).next(),
        g.V().has("name", "person " + (count - 1)).outE("knows").order().by("since").valueMap().toList());
  }

  /** A name that is taken, and a name that two transactions take at the same time. */
  private static void refuse(JanusGraph graph) {
    String taken = "accepted";
    try {
      graph.addVertex(T.label, "person", "name", "person 5");
    } catch (SchemaViolationException error) {
      taken = "refused";
    }
    graph.tx().rollback();
    JanusGraphTransaction first = graph.newTransaction();
    JanusGraphTransaction second = graph.newTransaction();
    first.addVertex(T.label, "person", "name", "twin", "age", 1);
    second.addVertex(T.label, "person", "name", "twin", "age", 2);
    first.commit();
    String twin = "accepted";
    try {
      second.commit();
    } catch (JanusGraphException error) {
      twin = "refused";
    }
    answer(taken, twin, graph.traversal().V().has("name", "twin").values("age").toList());
  }

  private static void remove(JanusGraph graph, int count) {
    for (int n = 0; n < count; n += 10) {
      graph.traversal().V().has("name", "person " + n).drop().iterate();
    }
    graph.traversal().V().has("age", 15).outE("knows").drop().iterate();
    graph.traversal().V().has("age", 16).property("age", 99).iterate();
    graph.tx().commit();
    GraphTraversalSource g = graph.traversal();
    answer(g.V().count().next(), g.E().count().next(), g.V().has("age", 99).count().next(), g.V().has("age", 16).count().next());
  }
}
