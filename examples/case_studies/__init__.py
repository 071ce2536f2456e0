"""Case studies: the designs that HBase's and Bigtable's guides discuss, loaded with data and measured.

From the project's root ``python -m examples.case_studies`` runs all of them; with names, such as ``lists``, only those.
"""
