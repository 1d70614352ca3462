"""Reports as arrays and counts: estimates see nothing else of them."""
