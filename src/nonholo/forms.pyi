# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.derive.gibbs_appell import gibbs_appell as gibbs_appell
from nonholo.derive.hamel import hamel as hamel
from nonholo.derive.hamilton import almost_poisson as almost_poisson
from nonholo.derive.hamilton import bracket as bracket
from nonholo.derive.hamilton import hamilton as hamilton
from nonholo.derive.hamilton import jacobiator as jacobiator
from nonholo.derive.multipliers import multipliers as multipliers
from nonholo.derive.vakonomic import vakonomic as vakonomic
from nonholo.derive.voronetz import connection as connection
from nonholo.derive.voronetz import voronetz as voronetz
from nonholo.model.constructions.five_tuple import five_tuple as five_tuple
from nonholo.model.velocities.parametrisation import implicit as implicit
from nonholo.model.velocities.parametrisation import parametric as parametric
