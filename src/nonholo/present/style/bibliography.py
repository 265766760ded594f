"""Papers and books by their short names, with author, title and journal, as references of exhibits cite them.

A DOI is listed only where a second source gives it for this title.
"""

from __future__ import annotations

from collections.abc import Sequence

PAPERS = {
    "Altafini 2001": (
        "C. Altafini, Some properties of the general n-trailer, International Journal of Control 74 (2001) 409–424"
    ),
    "Zenkov, Leok, Bloch 2012": (
        "D. V. Zenkov, M. Leok, A. M. Bloch, Hamel's formalism and variational integrators on a sphere, 51st IEEE Conference "
        "on Decision and Control (2012)"
    ),
    "BMZ 2009": (
        "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Quasivelocities and symmetries in non-holonomic systems, Dynamical "
        "Systems 24 (2009) 187–222"
    ),
    "Zenkov 2016": (
        "D. V. Zenkov, On Hamel's equations, Theoretical and Applied Mechanics 43 (2016) 191–220"
    ),
    "Benenti 2008": (
        "S. Benenti, A general method for writing the dynamical equations of nonholonomic systems with ideal constraints, "
        "Regular and Chaotic Dynamics 13 (2008), doi:10.1134/S1560354708040059"
    ),
    "MacDonnell 1997": (
        "C. G. MacDonnell, A family of nonholonomic systems with symmetry, dissertation, University of Calgary (1997)"
    ),
    "Notices 2005": (
        "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the American Mathematical Society 52 "
        "(2005) 324–333"
    ),
    "Appel 1900": (
        "P. Appell, Sur l'intégration des équations du mouvement d'un corps pesant de révolution roulant par une arête "
        "circulaire sur un plan horizontal, Rendiconti del Circolo Matematico di Palermo 14 (1900) 1–6"
    ),
    "Arnold 1966": (
        "V. Arnold, Sur la géométrie différentielle des groupes de Lie de dimension infinie et ses applications à "
        "l'hydrodynamique des fluides parfaits, Annales de l'Institut Fourier 16 (1966) 319–361, doi:10.5802/aif.233"
    ),
    "Arnold 1989": (
        "V. I. Arnold, Mathematical Methods of Classical Mechanics, second edition, Springer (1989)"
    ),
    "Basu-Mandal, Chatterjee, Papadopoulos 2007": (
        "P. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, Hands-free circular motions of a benchmark bicycle, "
        "Proceedings of the Royal Society A 463 (2007) 1983–2003, doi:10.1098/rspa.2007.1849"
    ),
    "Bates and Śniatycki 1993": (
        "L. Bates, J. Śniatycki, Nonholonomic reduction, Reports on Mathematical Physics 32 (1993) 99–115"
    ),
    "Bloch 2003": (
        "A. M. Bloch, Nonholonomic Mechanics and Control, Springer (2003)"
    ),
    "Bloch, Krishnaprasad, Marsden and Murray 1996": (
        "A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden, R. M. Murray, Nonholonomic mechanical systems with symmetry, "
        "Archive for Rational Mechanics and Analysis 136 (1996) 21–99"
    ),
    "Bondi 1986": (
        "H. Bondi, The rigid body dynamics of unidirectional spin, Proceedings of the Royal Society A 405 (1986) 265–274, "
        "doi:10.1098/rspa.1986.0052"
    ),
    "Borisov, Kazakov and Sataev 2014": (
        "A. V. Borisov, A. O. Kazakov, I. R. Sataev, The reversal and chaotic attractor in the nonholonomic model of "
        "Chaplygin's top, Regular and Chaotic Dynamics 19 (2014) 718–733"
    ),
    "Bou-Rabee, Marsden and Romero 2004": (
        "N. M. Bou-Rabee, J. E. Marsden, L. A. Romero, Tippe top inversion as a dissipation-induced instability, SIAM "
        "Journal on Applied Dynamical Systems 3 (2004) 352–377, doi:10.1137/030601351"
    ),
    "Brockett 1981": (
        "R. W. Brockett, Control theory and singular Riemannian geometry, in New Directions in Applied Mathematics, "
        "Springer (1981)"
    ),
    "Campion, Bastin, d'Andréa-Novel 1996": (
        "G. Campion, G. Bastin, B. d'Andréa-Novel, Structural properties and classification of kinematic and dynamic "
        "models of wheeled mobile robots, IEEE Transactions on Robotics and Automation 12 (1996) 47–62, "
        "doi:10.1109/70.481750"
    ),
    "Chaplygin 1897": (
        "S. A. Chaplygin, On the motion of a heavy body of revolution on a horizontal plane (1897)"
    ),
    "Chaplygin 1903": (
        "S. A. Chaplygin, On a ball's rolling on a horizontal plane, Matematicheskii Sbornik 24 (1903) 139–168, translated in "
        "Regular and Chaotic Dynamics 7 (2002) 131–148"
    ),
    "Chaplygin 1911": (
        "S. A. Chaplygin, On the theory of the motion of nonholonomic systems. The reducing-multiplier theorem, "
        "Matematicheskii Sbornik 28 (1911) 303–314, translated in Regular and Chaotic Dynamics 13 (2008) 369–376"
    ),
    "Cohen 1977": (
        "R. J. Cohen, The tippe top revisited, American Journal of Physics 45 (1977) 12–17"
    ),
    "Euler 1752": (
        "L. Euler, Découverte d'un nouveau principe de mécanique, Mémoires de l'académie des sciences de Berlin 6 (1752)"
    ),
    "Fliess, Lévine, Martin, Rouchon 1995": (
        "M. Fliess, J. Lévine, P. Martin, P. Rouchon, Flatness and defect of non-linear systems: introductory theory and "
        "examples, International Journal of Control 61 (1995) 1327–1361, doi:10.1080/00207179508921959"
    ),
    "Gallop 1904": (
        "E. G. Gallop, On the rise of a spinning top, Transactions of the Cambridge Philosophical Society 19 (1904) 356–373"
    ),
    "Garcia and Hubbard 1988": (
        "A. Garcia, M. Hubbard, Spin reversal of the rattleback: theory and experiment, Proceedings of the Royal Society "
        "A 418 (1988) 165–197, doi:10.1098/rspa.1988.0078"
    ),
    "Garwin 1969": (
        "R. L. Garwin, Kinematics of an ultraelastic rough ball, American Journal of Physics 37 (1969) 88–92"
    ),
    "Gonchenko, Gonchenko and Kazakov 2013": (
        "A. S. Gonchenko, S. V. Gonchenko, A. O. Kazakov, Richness of chaotic dynamics in nonholonomic models of a celtic "
        "stone, Regular and Chaotic Dynamics 18 (2013) 521–538"
    ),
    "Gualtieri et al. 2006": (
        "M. Gualtieri and others, Golfer's dilemma, American Journal of Physics 74 (2006) 497–501, doi:10.1119/1.2180281"
    ),
    "Hermans 1995": (
        "J. Hermans, A symmetric sphere rolling on a surface, Nonlinearity 8 (1995) 493–515"
    ),
    "Hopkins and Patterson 1977": (
        "D. C. Hopkins, J. D. Patterson, Bowling frames: paths of a bowling ball, American Journal of Physics 45 (1977) "
        "263–266"
    ),
    "Housner 1963": (
        "G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bulletin of the Seismological "
        "Society of America 53 (1963) 403–417"
    ),
    "Jellett 1872": (
        "J. H. Jellett, A Treatise on the Theory of Friction, Dublin (1872)"
    ),
    "Kane and Levinson 1982": (
        "T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the rattleback, International Journal of "
        "Non-Linear Mechanics 17 (1982) 175–186"
    ),
    "Korteweg 1899": (
        "D. J. Korteweg, Über eine ziemlich verbreitete unrichtige Behandlungsweise eines Problemes der rollenden Bewegung, "
        "Nieuw Archief voor Wiskunde 4 (1899) 130–155"
    ),
    "Leine 2009": (
        "R. I. Leine, Experimental and theoretical investigation of the energy dissipation of a rolling disk during its "
        "final stage of motion, Archive of Applied Mechanics 79 (2009) 1063–1082, doi:10.1007/s00419-008-0278-6"
    ),
    "Lewis, Ostrowski, Murray and Burdick 1994": (
        "A. Lewis, J. Ostrowski, R. Murray, J. Burdick, Nonholonomic mechanics and locomotion: the snakeboard example, "
        "Proceedings of the IEEE International Conference on Robotics and Automation (1994) 2391–2397, "
        "doi:10.1109/ROBOT.1994.351153"
    ),
    "Meijaard, Papadopoulos, Ruina, Schwab 2007": (
        "J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics equations for the balance and "
        "steer of a bicycle: a benchmark and review, Proceedings of the Royal Society A 463 (2007) 1955–1982, "
        "doi:10.1098/rspa.2007.1857"
    ),
    "Moffatt 2000": (
        "H. K. Moffatt, Euler's disk and its finite-time singularity, Nature 404 (2000) 833–834, doi:10.1038/35009017"
    ),
    "Montgomery 2002": (
        "R. Montgomery, A Tour of Subriemannian Geometries, Their Geodesics and Applications, American Mathematical "
        "Society (2002)"
    ),
    "Nyberg, Alfredson, Hogmark and Jacobson 2013": (
        "H. Nyberg, S. Alfredson, S. Hogmark, S. Jacobson, The asymmetrical friction mechanism that puts the curl in the curling "
        "stone, Wear 301 (2013) 583–589"
    ),
    "Pathak, Franch, Agrawal 2005": (
        "K. Pathak, J. Franch, S. K. Agrawal, Velocity and position control of a wheeled inverted pendulum by partial "
        "feedback linearization, IEEE Transactions on Robotics 21 (2005) 505–513, doi:10.1109/TRO.2004.840905"
    ),
    "Rosenberg 1977": (
        "R. M. Rosenberg, Analytical Dynamics of Discrete Systems, Plenum (1977)"
    ),
    "Routh 1860": (
        "E. J. Routh, An Elementary Treatise on the Dynamics of a System of Rigid Bodies, Macmillan (1860)"
    ),
    "Routh 1905": (
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies, sixth edition, "
        "Macmillan (1905)"
    ),
    "Vierkandt 1892": (
        "A. Vierkandt, Über gleitende und rollende Bewegung, Monatshefte für Mathematik und Physik 3 (1892) 31–38, 97–116"
    ),
    "Walker 1896": (
        "G. T. Walker, On a dynamical top, Quarterly Journal of Pure and Applied Mathematics 28 (1896) 175–184"
    ),
    "Weltner 1979": (
        "K. Weltner, Stable circular orbits of freely moving balls on rotating discs, American Journal of Physics 47 (1979) "
        "984–986"
    ),
    "Zeitlin 1991": (
        "V. Zeitlin, Finite-mode analogs of 2D ideal hydrodynamics: coadjoint orbits and local canonical structure, Physica "
        "D 49 (1991) 353–362"
    ),
    "Borisov and Mamaev 2001": (
        "A. V. Borisov, I. S. Mamaev, Chaplygin's ball rolling problem is Hamiltonian, Mathematical Notes 70 (2001) 720–723"
    ),
    "Fedorov and Kozlov 1995": (
        "Yu. N. Fedorov, V. V. Kozlov, Various aspects of n-dimensional rigid body dynamics, American Mathematical Society "
        "Translations 168 (1995) 141–171"
    ),
    "Kharlamova 1957": (
        "E. I. Kharlamova-Zabelina, Rapid rotation of a rigid body about a fixed point under the presence of a nonholonomic "
        "constraint, Vestnik Moskovskogo Universiteta 12 (1957) 25–34, in Russian"
    ),
    "Voyenli and Eriksen 1985": (
        "K. Voyenli, E. Eriksen, On the motion of an ice hockey puck, American Journal of Physics 53 (1985) 1149–1153"
    ),
    "Shegelski 2000": (
        "M. R. A. Shegelski, The motion of a curling rock: analytical approach, Canadian Journal of Physics 78 (2000) 857–864"
    ),
    "Kolesnikov 1985": (
        "S. N. Kolesnikov, On a disk rolling on a horizontal plane, Vestnik Moskovskogo Universiteta 2 (1985) 55–60"
    ),
    "Suslov 1902": (
        "G. K. Suslov, Theoretical Mechanics 2, Kiev (1902), in Russian"
    ),
    "Zekovich 1991": (
        "D. Zekovich, Examples of non-linear nonholonomic constraints in classical mechanics, Moscow University "
        "Mathematics Bulletin 46 (1991) 44–47"
    ),
    "Zenkov and Bloch 2000": (
        "D. V. Zenkov, A. M. Bloch, Dynamics of the n-dimensional Suslov problem, Journal of Geometry and Physics 34 "
        "(2000) 121–136"
    ),
}  # fmt: skip


def cited(references: Sequence[str]) -> list[tuple[str, str]]:
    """References with author, title and journal, where they are known and were not given to one before.

    >>> [bool(text) for _, text in cited(["Notices 2005, (19)", "Nobody 1957", "Notices 2005, history"])]
    [True, False, False]
    """
    left = dict(PAPERS)
    names = [next((name for name in left if r.startswith(name)), "") for r in references]
    return [(r, left.pop(name, "")) for r, name in zip(references, names)]
