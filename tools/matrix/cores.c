/* Let a process believe in CORES cores: preloaded, it answers all who ask for their number. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cores(void) { return atoi(getenv("EMULATED_CORES")); }

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    memset(set, 0, size);
    for (int core = 0; core < cores(); core++)
        CPU_SET_S(core, size, set);
    return 0;
}

long sysconf(int name)
{
    static long (*real)(int);
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        return cores();
    if (!real)
        real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}
