"""What was understood of a machine: masses, contacts, degrees of freedom, redundant rows, warnings."""
