"""Where a device keeps its reports and its ledger: a file, memory, or another."""
