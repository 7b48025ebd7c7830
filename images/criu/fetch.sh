#!/bin/sh
# Unpacks a CRIU that is newer than this Debian's into a folder of its own, with all libraries that it needs: nothing
# of the system is replaced. What it loads beside them, limits.c and restarts.c, is compiled by a small compiler that is
# not kept. Each package is one of pins.<architecture>, by its SHA-256, from the mirrors that apt is set up with.
# Usage: fetch.sh <folder that is not there yet>
set -eu
here=$(dirname "$(realpath "$0")")
target=$1
pins=$here/pins.$(dpkg --print-architecture)
[ -e "$pins" ] || { echo "no packages are pinned for $(dpkg --print-architecture)" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mirrors=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' | sort -u)

fetch() { # <path in the pool> <SHA-256>
  for mirror in $mirrors; do
    # apt itself fetches, so that its proxies and certificates are used; it leaves no file whose sum is another one.
    /usr/lib/apt/apt-helper -o APT::Sandbox::User=root -o Acquire::Retries=2 \
      download-file "${mirror%/}/$1" "$scratch/package.deb" "SHA256:$2" > "$scratch/log" 2>&1 && return
  done
  echo "none of apt's mirrors has $1" >&2
  tail -n 3 "$scratch/log" >&2
  return 1
}

mkdir "$scratch/root" "$scratch/compiler"
while read -r sum path; do
  fetch "$path" "$sum"
  into=root
  case $path in */tcc_*) into=compiler ;; esac
  dpkg-deb --fsys-tarfile "$scratch/package.deb" | tar -x -C "$scratch/$into" --exclude='*/doc/*' --exclude='*/man/*' \
    --exclude='*/gconv/*' --exclude='*/locale/*'
  rm "$scratch/package.deb"
done < "$pins"

loader=$(find "$scratch/root" -name 'ld-linux-*.so.*' \( -type f -o -type l \) -path '*-linux-gnu/*' | head -n 1)
libraries=$(dirname "$loader" | sed "s#^$scratch/root##")
mkdir "$scratch/root/bin"
runtime=$(dirname "$(find "$scratch/compiler" -name libtcc1.a)")
"$scratch/compiler/usr/bin/tcc" -B"$runtime" -nostdlib -shared -o "$scratch/root/bin/beside.so" \
  "$here/limits.c" "$here/restarts.c"
cat > "$scratch/root/bin/criu" <<END
#!/bin/sh
root=\${0%/*}/..
exec "\$root$libraries/$(basename "$loader")" --library-path "\$root$libraries" --preload "\$root/bin/beside.so" \\
  "\$root/usr/sbin/criu" "\$@"
END
chmod 755 "$scratch/root/bin/criu"
"$scratch/root/bin/criu" --version
mkdir -p "$(dirname "$target")"
mv "$scratch/root" "$target"
