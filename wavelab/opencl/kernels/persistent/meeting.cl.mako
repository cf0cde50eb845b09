## How all groups of a kernel wait for each other.
##
##   ALL_MEET   what has been written before it and is read as volatile is seen behind it: that comes from
##              the cache that the groups share, and what a group alone reads and writes stays in the
##              cache next to it, which is some times nearer
##   ALL_SEE    everything is seen
##
## A group that has waited for ``patience`` looks takes it that the others are not on the device: it says
## so in met[1], and ends.
#ifdef __NV_CL_C_VERSION
// What this work item has seen written, by its group too, is written for all who see it arrive.
void arrive_(global int *met)
{
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" : : "l"(met) : "memory");
}

int arrived_(global int *met)
{
    int count;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(count) : "l"(met) : "memory");
    return count;
}

// What others had written before they arrived is read from now on, and nothing that was kept.
void forget_(void)
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}
#else
void arrive_(global int *met)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(met);
}

int arrived_(global int *met)
{
    return atomic_add(met, 0);
}

void forget_(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
#endif

int all_came_(global int *met, const int goal, const int patience)
{
    arrive_(met);
    for (int looks = 0; looks < patience; ++looks)
        if (arrived_(met) >= goal) return 1;
    atomic_inc(met + 1);
    return 0;
}
#define ALL_MEET ALL_MEET_AND()
#define ALL_SEE ALL_MEET_AND(forget_())
#define ALL_MEET_AND(what) { \
    GROUP_MEETS; \
    if (item_ == 0) { \
        goal_ += get_num_groups(0); \
        if (!all_came_(met_, goal_, patience_)) lost_ = 1; \
        what; \
    } \
    GROUP_MEETS; \
    if (lost_) return; \
}
