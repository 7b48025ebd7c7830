#!/bin/bash
set -e
source /workspace/scripts/window.sh
PROJECT=/home/ga/workspace/shop
date +%s > /tmp/task_start_time.txt
sudo -u ga mkdir -p "$PROJECT/tests"
# The bug: the percentage is added.
cat > "$PROJECT/discount.py" <<'PY'
def discount(price, percent):
    return price + price * percent / 100
PY
cat > "$PROJECT/tests/test_discount.py" <<'PY'
from discount import discount


def test_nothing_off():
    assert discount(10, 0) == 10
PY
pip3 install --quiet pytest > /dev/null
sudo mkdir -p /var/lib/shop
echo '[[200, 10, 180], [50, 50, 25]]' > /var/lib/shop/expected.json
chown -R ga:ga "$PROJECT"
su - ga -c "cd $PROJECT && git init -q -b main && git add . && git commit -qm 'Begin the shop' && python3 -B -m pytest -q -p no:cacheprovider" || true
md5sum "$PROJECT/discount.py" | cut -d' ' -f1 > /tmp/shop_initial_hash.txt
if ! pgrep -f "code.*shop" > /dev/null; then
  su - ga -c "DISPLAY=:1 code $PROJECT $PROJECT/discount.py > /tmp/vscode.log 2>&1 &"
  sleep 5
fi
wait_for_window "Visual Studio Code"
DISPLAY=:1 wmctrl -r "Visual Studio Code" -b add,maximized_vert,maximized_horz
DISPLAY=:1 xdotool key Escape
take_picture /tmp/task_initial.png
echo "export SECRET_BUG='percentage is added'" >> /home/ga/.bash_history
