/* The module's real sources on the CPU, for tests. */
#include "../mt-gpu-module.cu"

unsigned mt_gpu_host_threads = 32;
unsigned mt_gpu_host_graph_steps = 256;
unsigned mt_gpu_host_part_rows = 4096;
const char *mt_gpu_host_nvml;
unsigned mt_gpu_host_session_blocks = 1;
