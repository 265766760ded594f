"""URDF and MJCF in: file -> elements -> robot description -> Machine.

``xml_elements`` parses, without entities and with bounded size; ``urdf`` and ``mjcf`` read what the elements say into the plain
numbers of ``robot_description``; ``robot_machine`` makes the bodies, joints and contacts of a Machine. What is not understood is
listed on the way, never dropped.
"""
