#!/bin/bash
sudo -u ga mkdir -p /home/ga/workspace/poems/.vscode
cp /workspace/tasks/set_ruler/poem.txt /home/ga/workspace/poems/
echo '{}' > /home/ga/workspace/poems/.vscode/settings.json
ln -s poem.txt /home/ga/workspace/poems/first
chown -R ga:ga /home/ga/workspace
su - ga -c "code --new-window /home/ga/workspace/poems &"
