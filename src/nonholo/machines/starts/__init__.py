"""Starts in words, and configurations that close contacts and loops."""
