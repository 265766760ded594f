"""Records -> pictures and pages; nothing is solved here.

`style` has labels, formulas and colours; `figures` draws with matplotlib and as tables for the page's script; `film`
makes scenes and movies; `living` gives a page the program with which it solves again; `report` puts sections
together, from a Case and its Dossier; `fields` does the same for fields, `notebook` for notebooks.
"""
