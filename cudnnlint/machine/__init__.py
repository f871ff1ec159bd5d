"""What this machine is, as both the doctor and the probe need it: GPUs, installed frameworks, Keras's own settings."""
