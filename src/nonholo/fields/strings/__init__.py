"""Strings: inextensible, constrained to follow their front end, towed by a sleigh, as chains of links; small motions."""
