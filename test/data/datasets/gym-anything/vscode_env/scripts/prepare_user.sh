#!/bin/bash
sudo -u ga mkdir -p /home/ga/.config/Code/User /home/ga/Desktop
sudo -u ga cp /workspace/config/settings.json /home/ga/.config/Code/User/
sudo -u ga code --install-extension sample.words --force 2>/dev/null || true
sudo -u ga git config --global user.name ga
sudo -u ga git config --global user.email ga@localhost
echo "prepared the secret machine" > /home/ga/env_setup.log
