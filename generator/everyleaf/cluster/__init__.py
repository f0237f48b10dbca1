"""Dask runs the jobs of a build: on processes of this machine, or on a cluster.

A job is a function of everyleaf and what it is called with. What all jobs need (settings,
findings) goes to each worker once; the engine gives it to workers that come later, too. A
job that a worker was lost with is run again by the engine; after three, it is given up.
Nothing of this package, nor of Dask, is imported unless a cluster is asked for.
"""
