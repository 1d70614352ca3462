"""The tables of a store, and the code that reads and counts them, one version per engine.

The collector and the analysis both read stores with this package. Each brings its own
connections: nothing here opens a database or imports a driver. docs/DATA_MODEL.md describes
the tables. Reading and counting need numpy, so a process that only stores reports imports
nothing but the tables until something is counted.
"""
