# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.present.figures.comparison_plot import compare_methods as compare_methods
from nonholo.present.figures.gait_plots import connection_plot as connection_plot
from nonholo.present.figures.gait_plots import height_plot as height_plot
from nonholo.present.figures.phase_portrait import momentum_plane as momentum_plane
from nonholo.present.figures.phase_portrait import phase_portrait as phase_portrait
from nonholo.present.film.film_strip import film_strip as film_strip
from nonholo.present.report.report_file import report as report
