from wavelab.api.media import medium as medium
from wavelab.api.pictures import Figure as Figure
from wavelab.api.pictures import Movie as Movie
from wavelab.api.pictures import Picture as Picture
from wavelab.api.pictures import figure as figure
from wavelab.api.pictures import plot as plot
from wavelab.api.results import Field as Field
from wavelab.api.results import Measured as Measured
from wavelab.api.scene import Scene as Scene
from wavelab.api.simulation import Simulation as Simulation
from wavelab.api.studies import bands as bands
from wavelab.api.studies import converge as converge
from wavelab.api.studies import reference as reference
from wavelab.api.studies import resonances as resonances
from wavelab.api.studies import scatter as scatter
from wavelab.api.sweeps import SweepResult as SweepResult
from wavelab.api.sweeps import sweep as sweep
from wavelab.api.telling import Notice as Notice
from wavelab.api.waveforms import waveform as waveform
from wavelab.errors import WavelabError as WavelabError
from wavelab.scene.shelf import shipped_scenes as shipped_scenes

__version__: str
