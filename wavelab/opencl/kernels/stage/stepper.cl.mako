## Everything a stepper runs, but typed formulas.
##   layout     template with types and places
##   stages     templates with the kernels of a stage
<%include file="${layout}.cl.mako"/>
% for stage in stages:
<%include file="${stage}.cl.mako"/>
% endfor
<%include file="inspect.cl.mako"/>
<%include file="add.cl.mako"/>
<%include file="sources.cl.mako"/>
