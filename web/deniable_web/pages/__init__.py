"""The pages that people see, rendered by Jinja2 from the published survey."""
