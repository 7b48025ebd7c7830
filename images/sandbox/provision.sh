#!/bin/bash
# Turns a minimal Debian 12 into the sandbox image. Run as root inside it, by mmdebstrap or by a Dockerfile.
#   provision.sh <folder>
# <folder> holds this folder's files, `runtime/node_modules` as `npm ci --ignore-scripts` leaves it, and `ca.crt`:
# the certificates to trust during provisioning alone (a build may sit behind a proxy that opens TLS).
# A line "==> 0.35 Some words" tells whoever watches how far it is.
set -euo pipefail

inputs=$1
vscode=/opt/code-server/node_modules/code-server/lib/vscode
export PATH=/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive

stage() { echo "==> $1 $2"; }

# Names of one section of packages.txt.
packages() {
  awk -v section="[$1]" '/^\[/ { on = ($0 == section); next } on && !/^#/ && NF' "$inputs/packages.txt"
}

apt_install() {
  apt-get install -y --no-install-recommends "$@"
}

install_node() {
  mkdir -p /opt/node/lib/node_modules
  cp -r "$inputs"/runtime/node_modules/node-linux-*/. /opt/node/
  cp -r "$inputs/runtime/node_modules/npm" /opt/node/lib/node_modules/npm
  chmod 755 /opt/node/bin/node
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js /opt/node/bin/npm
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js /opt/node/bin/npx
  rm -rf /opt/node/share /opt/node/lib/node_modules/npm/{docs,man}
  node --version
}

# What VS Code reads Python with; a program of Node.js, started by our extension.
install_pyright() {
  cp -r "$inputs/runtime/node_modules/pyright" /opt/pyright
}

# Compiles VS Code's native modules against the headers at hand, so that nothing is fetched but npm packages.
install_code_server() {
  mkdir -p /opt/code-server
  cp "$inputs"/ide/package.json "$inputs"/ide/package-lock.json /opt/code-server/
  cd /opt/code-server
  NODE_EXTRA_CA_CERTS=$inputs/ca.crt npm_config_nodedir=/opt/node npm_config_cache=/tmp/npm-cache \
    npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false \
    JOBS=max MAKEFLAGS=-j"$(nproc)" npm ci --omit=dev
  rm -rf /tmp/npm-cache
}

prune_code_server() {
  cd "$vscode"
  local pattern
  grep -v '^#' "$inputs/prune.txt" | while read -r pattern; do
    # shellcheck disable=SC2086 -- the patterns are globs on purpose
    rm -rf $pattern
  done
}

# Has the page load our defaults ahead of the workbench; they come with the layer above this one.
embed_defaults() {
  local page=$vscode/out/vs/code/browser/workbench/workbench.html
  sed -i '/id="vscode-workbench-web-base-url"/a\
		<script src="{{WORKBENCH_WEB_BASE_URL}}/out/pwp/defaults.js"></script>' "$page"
  grep -q 'out/pwp/defaults.js' "$page"
}

purge_compilers() {
  apt-get -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false \
    purge -y --auto-remove $(packages build)
}

# After all that apt does: it takes a package without what it asks for as broken and refuses to go on.
install_bare() {
  mkdir /tmp/bare
  cd /tmp/bare
  apt-get download $(packages bare)
  dpkg --install --force-depends ./*.deb
}

# The debugger of this Debian knows no other Python than 3.11, and the one of the next runs in 3.8 to 3.13. It needs
# nothing of Debian's: one annotation is all that asks for another module. If a mirror no longer has it, such an image
# has no debugger for Python.
install_debugpy() {
  local package=/tmp/debugpy.deb mirror path sum target=/opt/debugpy
  read -r _ sum path <<<"$(grep "^$(dpkg --print-architecture) " "$inputs/debugpy.txt")"
  for mirror in $(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' | sort -u); do
    [ -e $package ] || /usr/lib/apt/apt-helper -o APT::Sandbox::User=root \
      download-file "${mirror%/}/$path" $package "SHA256:$sum" || rm -f $package
  done
  [ -e $package ] || return 0
  mkdir $target
  dpkg-deb --fsys-tarfile $package | tar -x -C $target --strip-components=5 ./usr/lib/python3/dist-packages/debugpy
  sed -i 's/from typing_extensions import TypeGuard/from typing import Optional as TypeGuard/' \
    $target/debugpy/_vendored/pydevd/_pydevd_frame_eval/vendored/bytecode/instr.py
}

# What of ours runs in the agent's root, whose libraries may be others or none. This image is mounted at /.pwp there, and
# here that is a link, so that a path below /.pwp is right in both. Programs name loader and libraries below it, by
# DT_RPATH, which comes before LD_LIBRARY_PATH. They are copies, since people run the plain ones; but not Node.js, which
# is large, and what Git itself starts.
make_portable() {
  local kit=/usr/lib/pwp/bin libraries program
  libraries=/usr/lib/$(gcc -print-multiarch)
  ln -s / /.pwp
  mkdir -p $kit
  ln -sr "$libraries"/ld-linux-*.so.* $kit/ld.so
  cp /usr/bin/{bash,sleep,tini} $kit/
  cp /usr/bin/python3.11 $kit/python3
  for program in $kit/{bash,python3,sleep,tini} /usr/lib/git-core/{git,git-remote-http} /opt/node/bin/node; do
    patchelf --set-interpreter /.pwp$kit/ld.so --force-rpath --set-rpath "/.pwp$libraries" $program
  done
  cat >$kit/git <<'GIT'
#!/.pwp/usr/lib/pwp/bin/bash
GIT_EXEC_PATH=/.pwp/usr/lib/git-core GIT_TEMPLATE_DIR=/.pwp/usr/share/git-core/templates exec /.pwp/usr/lib/git-core/git "$@"
GIT
  chmod 755 $kit/git
  $kit/python3 -c 'import debugpy, rope, sqlite3, ssl'
  $kit/git --version
  node --version
}

# A certificate bundle, a machine id or a log of the building machine has no place in an image.
clean() {
  apt-get clean
  rmdir /root/.ssh || true
  rm -rf /root/.npm /root/.cache /tmp/* /var/log/* /var/cache/fontconfig/* /var/lib/apt/lists/* /etc/machine-id
  fc-cache --force
  mkdir -p /workspace /ide /opt/pwp /run/pwp
}

cp "$inputs/dpkg.cfg" /etc/dpkg/dpkg.cfg.d/pwp

stage 0.15 'Installing compilers'
apt-get update
apt_install ca-certificates git python3 $(packages build)
install_node
install_pyright

stage 0.25 'Installing desktop and VS Code'
install_code_server >/tmp/code-server.log 2>&1 &
code_server=$!
apt_install $(packages run)

stage 0.5 'Compiling VS Code'
wait "$code_server" || { cat /tmp/code-server.log; exit 1; }
tail -n 20 /tmp/code-server.log

stage 0.9 'Cleaning up'
make_portable
prune_code_server
embed_defaults
purge_compilers
install_bare
install_debugpy
clean
