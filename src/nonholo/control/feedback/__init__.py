"""Feedback: regulators, tracking, sampled controllers."""
