"""Words to System: what the user says, read and checked."""
