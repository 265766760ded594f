"""Systems as TOML files, tables of time series, page options, units."""
