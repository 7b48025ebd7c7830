sed -i 's/other/a-value/' settings.json
