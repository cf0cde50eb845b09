"""What a program does with wavelab, as ``import wavelab`` offers it."""
