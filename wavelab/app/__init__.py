"""The window: Qt and OpenGL live here and nowhere else."""
