#!/bin/sh
# Runs a Linux program for aarch64: under qemu, or as it is where the machine is one.
[ "$(uname -m)" = aarch64 ] && exec "$@"
for qemu in qemu-aarch64 qemu-aarch64-static; do
    command -v "$qemu" >/dev/null && exec "$qemu" "$@"
done
echo "neither qemu-aarch64 nor qemu-aarch64-static is there (Debian: apt install qemu-user)" >&2
exit 127
