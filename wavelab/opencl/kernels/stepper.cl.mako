## Everything a stepper runs, but typed formulas.
<%namespace name="lanes" file="lanes.cl.mako"/>
${lanes.types()}
<%include file="element.cl.mako"/>
<%include file="${'stage_unrolled' if shape.unrolled else 'stage'}.cl.mako"/>
<%include file="publish.cl.mako"/>
<%include file="inspect.cl.mako"/>
<%include file="sources.cl.mako"/>
