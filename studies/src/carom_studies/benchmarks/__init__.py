"""What is measured for the manual: speeds, long runs, and what lies behind figures of the sources.

Each program is run by its name, ``python -m carom_studies.benchmarks.hard_spheres``, and tells with
``--help`` what it takes. With ``--markdown`` it puts its tables into a page of the manual.
"""
