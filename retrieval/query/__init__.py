"""From what a person typed to what the two legs are asked."""
