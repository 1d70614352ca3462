"""The contents of a store: its tables, and reading and counting them, once per engine.

The collector and the analysis both read stores by it, each with connections of
its own: nothing here opens a database or imports a driver. What is in the
tables is in docs/DATA_MODEL.md. Reading and counting need numpy, so a process that
only stores reports imports nothing but the tables until something is counted.
"""
