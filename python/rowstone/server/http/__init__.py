"""HTTP for the REST gateway, the dashboard and Thrift: sockets, limits and checks of requests.

| module | duty |
|---|---|
| `server` | an ASGI application on uvicorn, in a thread; imports uvicorn with the first client |
| `uvicorn` | uvicorn's configuration, and slow clients |
| `limits`, `bounds` | limits on clients and memory; whole bodies within them |
| `hosts`, `origins` | `Host` headers, and pages of other sites |
"""
