#!/bin/sh
# Inside the namespaces that `code` made: puts a throw-away file system over the image and starts the shim in it, or
# the program of this folder that PWP_TEST_PROGRAM names.
set -e
image=$1
repo=$2
shift 2
ip link set lo up
# The image's own empty folder is the mount point, visible only in this namespace.
mount -t tmpfs -o size=1g tmpfs "$image/mnt"
mkdir "$image/mnt/upper" "$image/mnt/work" "$image/mnt/root"
root=$image/mnt/root
mount -t overlay -o "lowerdir=$image,upperdir=$image/mnt/upper,workdir=$image/mnt/work" overlay "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
temporary=${TMPDIR:-/tmp}
for shared in "$temporary" "$repo"; do
  mkdir -p "$root$shared"
  mount --rbind "$shared" "$root$shared"
done
unset XDG_RUNTIME_DIR NODE_OPTIONS
export HOME=/root LANG=C.UTF-8 PATH=/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
exec chroot "$root" /opt/node/bin/node "$repo/test/support/vscode/${PWP_TEST_PROGRAM:-shim.ts}" "$@"
