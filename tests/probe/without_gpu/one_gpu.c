/* A CUDA runtime with one GPU that computes nothing, and as much of cuDNN as torch asks before it calls aten::_cudnn_rnn.

   Preloaded, it lets torch choose its operations as on a machine with a GPU. Memory is the host's. Whatever is not here
   is the real library's, which finds no driver. The driver itself (libcuda.so.1) is this file too. */
#include <driver_types.h>
#include <stdlib.h>
#include <string.h>

#ifndef CAPABILITY
#define CAPABILITY 9 /* the major number of the GPU's compute capability: what bfloat16 hangs on */
#endif
#define PAGE 4096

int cudaGetDeviceCount(int *count) { *count = 1; return 0; }
int cudaGetDevice(int *device) { *device = 0; return 0; }
int cudaSetDevice(int device) { return 0; }
int cudaGetLastError(void) { return 0; }
int cudaPeekAtLastError(void) { return 0; }
int cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned version) { *found = NULL; return 0; }
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { *least = *greatest = 0; return 0; }
int cudaStreamIsCapturing(void *stream, int *status) { *status = 0; return 0; }
int cudaStreamGetCaptureInfo(void *stream, int *status) { *status = 0; return 0; }
int cudaStreamSynchronize(void *stream) { return 0; }
int cudaDeviceSynchronize(void) { return 0; }

int cudaGetDeviceProperties(struct cudaDeviceProp *found, int device) {
    memset(found, 0, sizeof *found);
    strcpy(found->name, "none");
    found->major = CAPABILITY;
    return 0;
}

int cudaMalloc(void **found, size_t size) {
    *found = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
    return *found ? 0 : cudaErrorMemoryAllocation;
}

int cudaMemcpyAsync(void *to, const void *from, size_t size) { memcpy(to, from, size); return 0; }

int cudnnCreate(void **found) { static int handle; *found = &handle; return 0; }
int cudnnSetStream(void *handle, void *stream) { return 0; }
int cudnnSetRNNDescriptor_v8(void) { return 0; }
/* More than any weights have: they are taken for scattered, as those that Keras gives are. */
int cudnnGetRNNWeightSpaceSize(void *handle, void *rnn, size_t *size) { *size = (size_t)1 << 40; return 0; }

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { *flags = 0; *active = 1; return 0; }
int cuGetErrorString(int error, const char **words) { *words = "none"; return 0; }
