"""Relations between questions, studies and editions."""
