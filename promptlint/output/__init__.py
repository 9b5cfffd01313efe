"""Output: findings and layouts for people, for CI and for programs."""
