"""Plans of surveys, and the forecasts of surveys in words."""
