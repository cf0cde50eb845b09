## What a device can do at most: move memory, multiply and add.
##   width      numbers in a vector
##   per_item   vectors that a work item moves
##   together   whether neighbouring items take neighbouring vectors (GPU), or each item a stretch of
##              its own (CPU)
##   chains     independent results that a work item computes, so that none waits for another
<% vector = real + (str(width) if width > 1 else "") %>\
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${vector} vector;

<%def name="each_vector()">
% if together:
    const size_t first = get_group_id(0) * get_local_size(0) * ${per_item} + get_local_id(0);
    const size_t stride = get_local_size(0);
% else:
    const size_t first = get_global_id(0) * ${per_item};
    const size_t stride = 1;
% endif
    for (int k = 0; k < ${per_item}; ++k)
</%def>

kernel void copy(global const vector *restrict from, global vector *restrict to)
{
    ${each_vector()} to[first + k * stride] = from[first + k * stride];
}

kernel void scale(global vector *restrict numbers, const ${real} factor)
{
    ${each_vector()} numbers[first + k * stride] *= factor;
}

kernel void multiply_add(
    global vector *restrict results, const ${real} a, const ${real} b, const int n_rounds)
{
% for c in range(chains):
    vector x${c} = a * (${real})(get_global_id(0) + ${c});
% endfor
    for (int i = 0; i < n_rounds; ++i) {
% for c in range(chains):
        x${c} = x${c} * a + b;
% endfor
    }
    results[get_global_id(0)] = ${" + ".join(f"x{c}" for c in range(chains))};
}
