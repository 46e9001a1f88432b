#!/bin/sh
# Runs a Linux program for x86_64 as on a processor of 2008, with SSE4.2 and without AVX, under qemu.
for qemu in qemu-x86_64 qemu-x86_64-static; do
    command -v "$qemu" >/dev/null && exec "$qemu" -cpu Nehalem "$@"
done
echo "neither qemu-x86_64 nor qemu-x86_64-static is there (Debian: apt install qemu-user)" >&2
exit 127
