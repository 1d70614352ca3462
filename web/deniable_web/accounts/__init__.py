"""The accounts of people who run surveys: sessions, signing in, and the audit trail."""
