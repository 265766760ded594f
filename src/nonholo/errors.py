"""The errors a user can meet; each message says where, what was found, what was needed, what to do."""


class NonholoError(Exception):
    """Anything nonholo refuses, with a message for a person."""


class ParseError(NonholoError, ValueError):
    """Text that is not an expression nonholo understands; names the position."""


class ModelError(NonholoError, ValueError):
    """A system that cannot be built, or whose parts contradict each other."""


class StateError(NonholoError, ValueError):
    """Numbers that do not make a state: missing, unknown, not finite, or off the constraints."""


class FileError(NonholoError, OSError):
    """A file that cannot be read or written."""
