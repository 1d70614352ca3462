"""The builder: drafts checked, previewed, imported, published and shared in the browser."""
