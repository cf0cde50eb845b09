"""What sources are made of: what they send, when, and how a hand places them."""
