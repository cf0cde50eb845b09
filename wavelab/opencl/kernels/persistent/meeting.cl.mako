## How all groups of a kernel wait for each other.  Who arrives can do other things before it waits.
##
##   ARRIVE     what has been written before it and is read as volatile behind the others' wait is seen there:
##              that comes from the cache that the groups share, and what a group alone reads and writes
##              stays in the cache next to it, which is some times nearer
##   others_published_   waits for those who have not arrived yet, once
##   ALL_SEE    both at once, and all that was written is seen
##
## A group that has looked ``patience`` times takes it that the others are not on the device: it says
## so in met[1], and ends after the stage.
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

// What a work item knows of the meetings: how often groups have arrived, and will have at the end of this
// one; how often to look; whether its group has arrived and not yet waited for the others.
typedef struct {
    global int *met;
    int goal, patience, item, waits;
    local int *lost;
} meeting_t_;

void arrive_at_(meeting_t_ *meeting)
{
    meeting->goal += get_num_groups(0);
    meeting->waits = 1;
    GROUP_MEETS;
    if (meeting->item == 0) arrive_(meeting->met);
}

void others_published_(meeting_t_ *meeting)
{
    if (!meeting->waits) return;
    meeting->waits = 0;
    if (meeting->item == 0) {
        int looks = 0;
        while (arrived_(meeting->met) < meeting->goal && ++looks < meeting->patience) {}
        if (looks == meeting->patience) {
            atomic_inc(meeting->met + 1);
            *meeting->lost = 1;
        }
    }
    GROUP_MEETS;
}
#define ARRIVE arrive_at_(&meeting_)
#define WAIT others_published_(&meeting_)
#define ALL_SEE { \
    WAIT; \
    ARRIVE; \
    WAIT; \
    if (item_ == 0) forget_(); \
    GROUP_MEETS; \
}
