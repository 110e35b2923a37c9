/**
 * A function of Python for the most memory that its process had [MB]. Not by `ru_maxrss`: on Linux that starts with the size of the
 * process that started it.
 */
export const PEAK_MEGABYTES = `def peak_megabytes():
    with open('/proc/self/status') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('VmHWM')) / 1024`;
