"""How providers and engines reuse a prompt's prefix, and what that costs."""
