"""The forecast of a survey: its accuracy and its privacy, before anyone is asked."""
