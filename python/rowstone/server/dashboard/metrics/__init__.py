"""HBase's metrics under HBase's names, and our own for Prometheus."""

from rowstone.server.dashboard.metrics._texts import jmx_of, metrics_text, prometheus_text

__all__ = ["jmx_of", "metrics_text", "prometheus_text"]
