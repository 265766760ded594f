"""The lab: a local page with an editor and the living page of the system in it.

`server` listens on this machine alone, `request_guard` lets only its own page in, `lab_app` answers requests with
`lab_state` (folder, pages, keys); a study runs stage by stage (`study_stages`) in a process of its own (`workbench`,
`study_process`).
"""
