"""What each tool's calls show: a row of `table`, its functions in a module a family."""
