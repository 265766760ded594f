"""Where bodies touch: shapes by support functions, surfaces, contact points, normals and slip velocities.

`support_functions` reads a shape (contact point for a given normal, inertia of the homogeneous body), `surfaces` reads a ground,
`touching` finds contact point, gap and normal of a shape on a surface, in closed form or by further coordinates with
holonomic equations, `contact_rows` adds tangential directions and slip velocities.
"""
