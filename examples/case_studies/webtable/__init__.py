"""The webtable: pages by reversed host, their contents by time, and who links to them."""
