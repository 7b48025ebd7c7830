#!/bin/bash
# Makes roots and build contexts like the images that people bring, from Debian's packages, for tests:
#   make.sh debian <folder> <suite> [package...]   a root of that Debian
#   make.sh plain <folder>                         a Debian without git, python and bash
#   make.sh musl <folder>                          musl and a static busybox, and nothing else
#   make.sh swe <folder> <suite>                   a Dockerfile of 60 layers, as images of repository tasks are: a tree as
#                                                  conda makes it, with an environment that start-up files activate, and a
#                                                  repository that is installed in editable form
set -euo pipefail
# Equal roots make equal layers, which are not built again.
export SOURCE_DATE_EPOCH=1700000000

kind=$1 folder=$2
shift 2

debootstrap() { # <folder or archive> <suite> <packages, with commas> [option...]
  local target=$1 suite=$2 packages=$3
  shift 3
  mmdebstrap --quiet --mode=root --variant=minbase --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --include="$packages" "$@" "$suite" "$target"
}

make_debian() {
  local suite=$1
  shift
  debootstrap "$folder" "$suite" "$(IFS=,; echo "$*")"
}

# Debian's own programs need none of them once it is installed.
make_plain() {
  debootstrap "$folder" bookworm sed \
    --customize-hook='rm -rf "$1"/bin/bash "$1"/usr/bin/git* "$1"/usr/bin/python* "$1"/root/.bashrc'
}

make_musl() {
  local scratch package
  scratch=$(mktemp -d)
  for package in musl busybox-static; do
    (cd "$scratch" && apt-get download -o APT::Sandbox::User=root -qq "$package" && dpkg-deb -x "$package"_*.deb root)
  done
  mkdir -p "$folder"/{bin,etc,lib,root,project,tmp}
  cp -a "$scratch"/root/lib/* "$folder/lib/"
  cp "$(find "$scratch/root" -path '*/bin/busybox' -type f)" "$folder/bin/busybox"
  "$folder/bin/busybox" --list | while read -r name; do
    [ "$name" = busybox ] || ln -s busybox "$folder/bin/$name"
  done
  echo 'root:x:0:0:root:/root:/bin/sh' > "$folder/etc/passwd"
  echo 'of the image' > "$folder/project/notes.txt"
  rm -rf "$scratch"
}

make_swe() {
  local suite=$1 number
  mkdir -p "$folder"
  debootstrap "$folder/root.tar" "$suite" \
    ca-certificates,git,python3,python3-pip,python3-pytest,python3-setuptools,python3-venv,python3-wheel
  cat > "$folder/conda.sh" <<'CONDA'
conda() {
  [ "$1" = activate ] || return 1
  export CONDA_PREFIX=/opt/miniconda3/envs/$2 CONDA_DEFAULT_ENV=$2
  PATH=$CONDA_PREFIX/bin:$PATH
}
CONDA
  cat > "$folder/entry.sh" <<'ENTRY'
#!/bin/bash
. /opt/miniconda3/etc/profile.d/conda.sh
conda activate testbed
export OF_THE_ENTRYPOINT=yes
exec "$@"
ENTRY
  chmod 755 "$folder/entry.sh"
  mkdir -p "$folder/testbed/src/shapes" "$folder/testbed/tests"
  cat > "$folder/testbed/setup.py" <<'SETUP'
from setuptools import setup

setup(name="shapes", version="1.0", package_dir={"": "src"}, packages=["shapes"])
SETUP
  cat > "$folder/testbed/src/shapes/__init__.py" <<'SHAPES'
def area(width, height):
    product = width + height
    return product
SHAPES
  cat > "$folder/testbed/tests/test_area.py" <<'TESTS'
import shapes


def test_area():
    assert shapes.area(2, 3) == 6


def test_square():
    assert shapes.area(2, 2) == 4
TESTS
  {
    cat <<'DOCKERFILE'
FROM scratch
ADD root.tar /
COPY conda.sh /opt/miniconda3/etc/profile.d/conda.sh
COPY entry.sh /opt/miniconda3/entry.sh
RUN python3 -m venv --system-site-packages /opt/miniconda3/envs/testbed
COPY testbed /testbed
WORKDIR /testbed
RUN git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm 'Begin'
RUN . /opt/miniconda3/etc/profile.d/conda.sh && conda activate testbed && python -m pip install -q --no-build-isolation --no-index -e .
RUN printf '. /opt/miniconda3/etc/profile.d/conda.sh\nconda activate testbed\n' >> /root/.bashrc
DOCKERFILE
    for number in $(seq 1 50); do
      printf 'COPY conda.sh /opt/miniconda3/pkgs/package-%s/conda.sh\n' "$number"
    done
    echo 'ENTRYPOINT ["/opt/miniconda3/entry.sh"]'
  } > "$folder/Dockerfile"
}

"make_$kind" "$@"
