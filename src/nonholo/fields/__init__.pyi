# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.fields.density.field import Field as Field
from nonholo.fields.density.flow import Flow as Flow
from nonholo.fields.density.rods import elastic_string as elastic_string
from nonholo.fields.density.rods import rod as rod
from nonholo.fields.fluids.convective import convective as convective
from nonholo.fields.fluids.fluid import Fluid as Fluid
from nonholo.fields.fluids.solid_torus import Fluid3 as Fluid3
from nonholo.fields.fluids.walled_fluid import WalledFluid as WalledFluid
from nonholo.fields.fluids.zeitlin import Zeitlin as Zeitlin
from nonholo.fields.strings.chains import linked_chain as linked_chain
from nonholo.fields.strings.constrained_string import ConstrainedString as ConstrainedString
from nonholo.fields.strings.inextensible_string import Modes as Modes
from nonholo.fields.strings.inextensible_string import String as String
from nonholo.fields.strings.inextensible_string import modes as modes
from nonholo.fields.strings.towing_sleigh import SleighString as SleighString
