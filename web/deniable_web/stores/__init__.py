"""What organisers do with the surveys of stores: publish them, and move them."""
