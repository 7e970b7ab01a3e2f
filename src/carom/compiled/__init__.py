"""How Python becomes fast: what is compiled, kept on disk, and laid out in memory.

Everything that knows of Numba and its compiler is here; kernels elsewhere are plain functions with
``kernel``, ``inner_kernel``, ``entry_point`` or ``dispatch_on`` before them.
"""
