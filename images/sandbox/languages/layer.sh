#!/bin/bash
# Installs Debian packages on top of the sandbox's lower layer, and leaves what they add as a layer of its own.
#   layer.sh <kit> <base> <layer> <scratch> <language>...
# <kit> holds `packages.txt`, and `<language>.txt` for each. <base> is the lower layer's root, which is only read.
# <layer> and <scratch> are empty folders of one file system. Run it as root in mount and pid namespaces of its own: what
# it mounts ends with them.
# A line "==> 0.35 Some words" tells whoever watches how far it is.
set -euo pipefail

kit=$1 base=$2 layer=$3 scratch=$4
shift 4
languages=("$@")
root=$scratch/root
# The workbench's built-in extensions: ours for a language is found there only where the language is.
extensions=opt/code-server/node_modules/code-server/lib/vscode/extensions

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive

stage() { echo "==> $1 $2"; }

# What is written to these while packages are installed has no place in a layer.
cover() {
  local folder
  for folder in tmp run var/tmp var/cache var/log var/lib/apt/lists usr/share/man; do
    mount -t tmpfs -o mode=755 tmpfs "$root/$folder"
  done
  chmod 1777 "$root/tmp" "$root/var/tmp"
  mkdir -p "$root/var/lib/apt/lists/partial" "$root/var/cache/apt/archives/partial" "$root/var/log/apt" \
    "$root/var/cache/ldconfig" "$root/var/cache/debconf"
  # The JDK links its manuals here, and fails where it can't, although none is installed.
  mkdir "$root/usr/share/man/man1"
}

mount_root() {
  mkdir "$root" "$scratch/work"
  mount -t overlay overlay \
    -o "lowerdir=$base,upperdir=$layer,workdir=$scratch/work,redirect_dir=off,metacopy=off,index=off" "$root"
  cover
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  cat /etc/resolv.conf >"$scratch/resolv.conf"
  mount --bind "$scratch/resolv.conf" "$root/etc/resolv.conf"
}

# Names of one section of packages.txt.
bare_packages() {
  awk '/^\[/ { on = ($0 == "[bare]"); next } on && !/^#/ && NF' "$kit/packages.txt"
}

# Packages that came without what they ask for: as they are apt takes all for broken and installs nothing.
forgive_bare_packages() {
  local status=$root/var/lib/dpkg/status
  awk -v names="$(bare_packages | tr '\n' ' ')" '
    BEGIN { split(names, list, " "); for (at in list) bare[list[at]] = 1 }
    /^Package: / { here = $2 in bare }
    here && /^(Pre-Depends|Depends|Recommends|Suggests):/ { next }
    { print }' "$status" >"$scratch/status"
  cat "$scratch/status" >"$status"
  chroot "$root" apt-get check
}

wanted() {
  local language
  for language in "${languages[@]}"; do grep -v '^#' "$kit/$language.txt"; done | sort -u
}

link_extensions() {
  local language
  mkdir -p "$root/$extensions"
  for language in "${languages[@]}"; do
    # These have no language server, so there is no extension to start one.
    case $language in java | charts) continue ;; esac
    ln -sr "$root/opt/pwp/languages/$language" "$root/$extensions/pwp-$language"
  done
}

# Without a network, Maven finds what Debian has, and says at once what it has not.
point_maven_to_debian() {
  cat >"$root/etc/maven/settings.xml" <<'XML'
<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0">
  <mirrors>
    <mirror>
      <id>debian</id>
      <mirrorOf>*</mirrorOf>
      <url>file:///usr/share/maven-repo</url>
    </mirror>
  </mirrors>
</settings>
XML
}

# A copy of the layer must be the layer: nothing in it may say by marks of the overlay that a file below is gone.
check_layer() {
  mount --bind "$base" "$root"
  mount --bind "$layer" "$root/mnt"
  chroot "$root" python3 - <<'PYTHON'
import os, stat, sys

bad = []
for folder, folders, files in os.walk("/mnt"):
    for path in [folder, *(os.path.join(folder, name) for name in [*folders, *files])]:
        info = os.lstat(path)
        if stat.S_ISCHR(info.st_mode):
            bad.append(path)
        below = path.removeprefix("/mnt") or "/"
        for name in os.listxattr(path, follow_symlinks=False):
            if not name.startswith("trusted.overlay."):
                continue
            # Every new folder is marked so; it hides something only where there was one before.
            if name == "trusted.overlay.opaque" and os.path.lexists(below):
                bad.append(path)
            os.removexattr(path, name, follow_symlinks=False)
if bad:
    sys.exit("the layer removes files of the one below: " + ", ".join(bad[:20]))
PYTHON
  umount "$root/mnt" "$root"
}

stage 0.02 "Reading Debian's lists"
mount_root
forgive_bare_packages
chroot "$root" apt-get update

stage 0.1 "Installing ${languages[*]}"
# shellcheck disable=SC2046 -- names of packages are words
chroot "$root" apt-get install -y --no-install-recommends $(wanted)
link_extensions
chroot "$root" ldconfig

# Its dependencies are not there to be read: with this list of them rust-analyzer knows nothing of the standard library,
# without it nearly all.
if [[ " ${languages[*]} " == *' rust '* ]]; then rm "$root"/usr/src/rustc-*/library/Cargo.toml; fi

if [[ " ${languages[*]} " == *' java '* ]]; then point_maven_to_debian; fi

stage 0.95 'Cleaning up'
umount --recursive "$root"
rm -f "$layer"/var/lib/dpkg/*-old
check_layer
