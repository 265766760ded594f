"""From Python functions to machine code: LLVM's code made by Numba when the package is built, by llvmlite where it runs."""
