"""Reading and counting a store of reports: one way for each engine.

The collector and the analysis both read stores by it, each with connections of
its own: nothing here opens a database or imports a driver. What is in the
tables is in docs/DATA_MODEL.md. Counting needs numpy, so a process that only
stores reports imports this when something is counted.
"""
