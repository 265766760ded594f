# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.present.figures.reduction_plot import study as study
from nonholo.symmetry.measure.density_absence import suslov_criterion as suslov_criterion
from nonholo.symmetry.quadrature.adjoint_equation import adjoint_equation as adjoint_equation
from nonholo.symmetry.quadrature.adjoint_equation import flatness as flatness
from nonholo.symmetry.quadrature.chaplygin_ball import chaplygin_ball as chaplygin_ball
from nonholo.symmetry.quadrature.effective_system import reduced_system as reduced_system
from nonholo.symmetry.quadrature.falling import falling as falling
from nonholo.symmetry.quadrature.periods import after_period as after_period
from nonholo.symmetry.quadrature.periods import cycle as cycle
from nonholo.symmetry.quadrature.vertical_velocity import vertical as vertical
from nonholo.symmetry.reduction.momentum.labelled_equations import spatial_momenta as spatial_momenta
from nonholo.symmetry.reduction.momentum.labelled_equations import spatial_momentum_equation as spatial_momentum_equation
from nonholo.symmetry.reduction.momentum.parallel_basis import adapted_frame as adapted_frame
from nonholo.symmetry.reduction.momentum.parallel_basis import momentum_frame as momentum_frame
