"""A probe that is heard: what it has recorded last, and the loudspeaker."""
