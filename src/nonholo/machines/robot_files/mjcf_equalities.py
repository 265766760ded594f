"""``<equality>`` and ``<actuator>`` of MJCF: loops, relations of joints, motors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nonholo.errors import FileError, meant
from nonholo.machines.robot_files.robot_description import (
    GROUND,
    Coupling,
    Drive,
    Link,
    LinkJoint,
    LoopJoint,
    Pose,
)
from nonholo.machines.robot_files.xml_elements import Element

Sites = Mapping[str, tuple[str, Pose]]


def _active(element: Element, left: list[str]) -> bool:
    if element.attributes.get("active", "true") == "false":
        left.append(f"{element.place}: it is not active, and left out")
        return False
    return True


def loops_of(root: Element, links: Sequence[Link], sites: Sites, left: list[str]) -> list[LoopJoint]:
    """``connect`` as ball joints that close loops; what else ties bodies is listed."""
    names = [link.name for link in links]
    result: list[LoopJoint] = []
    for element in (e for holder in root.all("equality") for e in holder.children):
        if element.tag == "joint":
            continue
        if element.tag != "connect":
            left.append(f"{element.place}: an equality that is not read")
        elif _active(element, left):
            name = element.attributes.get("name", f"connect {len(result) + 1}")
            if "site1" in element.attributes:
                ends = [_site(element, key, sites) for key in ("site1", "site2")]
                result.append(LoopJoint(name, "ball", ends[0][0], ends[1][0], ends[0][1], ends[1][1]))
                continue
            bodies = [
                _body(element, "body1", names),
                _body(element, "body2", names) if "body2" in element.attributes else GROUND,
            ]
            x, y, z = element.numbers("anchor", 3)
            result.append(LoopJoint(name, "ball", bodies[0], bodies[1], Pose((x, y, z)), AT_REFERENCE))
    return result


AT_REFERENCE = Pose((float("nan"),) * 3)
"""The place that coincides with the other one where all coordinates are zero; to be computed."""


def _site(element: Element, key: str, sites: Sites) -> tuple[str, Pose]:
    name = element.text(key)
    if name not in sites:
        raise FileError(
            f"{element.place}: there is no site {name!r}; {meant(name, sites, 'give a site of the model.')}"
        )
    return sites[name]


def _body(element: Element, key: str, names: Sequence[str]) -> str:
    name = element.text(key)
    if name == "world":
        return GROUND
    if name not in names:
        raise FileError(
            f"{element.place}: there is no body {name!r}; {meant(name, names, 'give a body of the model.')}"
        )
    return name


def couplings_of(root: Element, joints: Sequence[LinkJoint], left: list[str]) -> list[Coupling]:
    """``<equality><joint joint1 joint2 polycoef>``: ``q1 = a0 + a1 q2 + … + a4 q2**4``, from their references."""
    names = [joint.name for joint in joints]
    result = []
    for element in (e for holder in root.all("equality") for e in holder.all("joint")):
        if not _active(element, left):
            continue
        for key in ("joint1", "joint2"):
            if key in element.attributes and element.text(key) not in names:
                hint = meant(element.text(key), names, "give a joint of the model.")
                raise FileError(f"{element.place}: there is no joint {element.text(key)!r}; {hint}")
        polynomial = element.numbers("polycoef", None, (0.0, 1.0, 0.0, 0.0, 0.0))
        leader = element.attributes.get("joint2")
        result.append(Coupling(element.text("joint1"), leader, polynomial if leader else polynomial[:1]))
    return result


def drives_of(root: Element, joints: Sequence[LinkJoint], left: list[str]) -> list[Drive]:
    """Motors on joints; other actuators are listed."""
    names = {joint.name for joint in joints}
    result = []
    for element in (e for holder in root.all("actuator") for e in holder.children):
        joint = element.attributes.get("joint", "")
        if element.tag == "motor" and joint in names:
            gear = element.numbers("gear", None, (1.0,))[0]
            result.append(Drive(element.attributes.get("name", f"motor_{joint}"), joint, gear))
            if "ctrlrange" in element.attributes or "forcerange" in element.attributes:
                left.append(f"{element.place}: the limits of its control are not enforced")
        else:
            left.append(f"{element.place}: an actuator that is not read")
    return result
