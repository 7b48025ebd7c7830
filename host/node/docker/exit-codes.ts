/**
 * The node's program ends with this code where it runs on another kernel than the host: no Unix socket leads from one
 * to the other.
 */
export const otherKernelExit = 69;
