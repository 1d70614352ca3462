"""The store in a PostgreSQL database, for several collectors at once."""
