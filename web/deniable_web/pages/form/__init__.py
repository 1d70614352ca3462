"""The respondent's form as the server renders it, the same for everyone."""
