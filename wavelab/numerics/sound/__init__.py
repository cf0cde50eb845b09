"""What is recorded as sound: other sample rates, partials, and oscillators that play them."""
