"""The probe's child: asks a real framework what its recurrent layers run. JSON in, JSON out.

The only package that imports a framework; it imports nothing of cudnnlint, so that any interpreter which has the
framework can run it (Python 3.7 and later, for old releases of TensorFlow), by path: see `__main__`. It reads one
line of JSON from standard input, writes lines of JSON to standard output, and ends when its parent closes standard
input.

A job's `kind` is
    installed  what is installed, without importing it
    about      import a framework: releases, how it was built, the GPUs that it sees
    libraries  load shared libraries by name
    ask        for each work item, what the recurrent layers in it run
    verify     run a saved model on inputs in a file (made if there is none), outputs to a file

A work item is a saved model ({"model": path}), one layer to build ({"layer": {...}}, see `Builder`), or an example of
the rulebook to run ({"program": path}, see `program`; programs of others are never run). First it runs
once on whatever is there, and what reaches each recurrent layer is noted: a `Subject`. Then every subject is asked
alone, traced (`graph`, as fit and predict do) and eagerly, in training and at inference, with each padding of a mask
where one reaches it.

`dry` asks need no GPU: the framework is made to see one, and cuDNN's functions become recorders, which let the
real ones check their arguments and return zeros. Otherwise the layer runs, and the profiler, the compiled program or
the tracer shows what ran. An observation is {"route": "cudnn" | "fallback" | "raises" | None, "error", "ops",
"kernels"}; None is "no sign in either direction".
"""
