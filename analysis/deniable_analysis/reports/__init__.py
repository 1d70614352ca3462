"""What reports say, as arrays and counts: all that an estimate ever sees of them."""
