"""Planning: respondents, margins, epsilon and power, before fielding."""
