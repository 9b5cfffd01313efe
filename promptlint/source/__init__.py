"""Reading source without running it: symbolic evaluation of texts into layouts."""
