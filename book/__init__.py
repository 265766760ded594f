"""The book: a site made of ``docs``, of the gallery's own records and of the docstrings; it works from disk and from any host.

    blocks      the code on a page: run, and its printed output compared
    systems     a page for each system of the gallery, with its living figure
    reference   pages on what stands at ``nh.``, from the docstrings, and on the command line, from its help
    site        the pages together, built by Sphinx
    links       every link of the built site, followed

``python -m book`` builds it; ``python -m book systems rattleback`` some systems alone; ``python -m book run PAGE`` runs a page.
"""
