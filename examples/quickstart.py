"""A table, a row, a scan, a counter, versions."""

import rowstone as rs

with rs.connect("./crawl") as db:
    db.create_table("webtable", {"contents": rs.Family(max_versions=3), "anchor": {}, "people": {}})
    web = db.table("webtable")

    web.put("com.cnn.www", {"anchor:cnnsi.com": "CNN", "contents:html": "<html>one</html>"}, timestamp=5)
    web.put("com.cnn.www", {"contents:html": "<html>two</html>"}, timestamp=6)
    web.put("com.example.www", {"contents:html": "<html>example</html>"}, timestamp=5)

    row = web.get("com.cnn.www", versions=3)
    print(row.key, row["anchor:cnnsi.com"])
    for cell in row.versions("contents:html"):
        print(cell.timestamp, cell.value)

    for row in web.scan(prefix="com.", columns=["contents"], limit=10):
        print(row.key, dict(row))

    print("anchors:", "anchor" in web.get("com.cnn.www").families())
    print("visits:", web.increment("com.cnn.www", "people:visits", 1))
    web.delete("com.cnn.www", columns=["anchor:cnnsi.com"])
    print("anchors:", "anchor" in web.get("com.cnn.www").families())
