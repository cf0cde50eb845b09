"""Movies: encoded, in parts that another process can go on with; what lies over the pictures."""
