#!/bin/bash
# The words are swapped everywhere, in comments and strings too.
cd /workspace && sed -i 's/width/\x01/g; s/height/width/g; s/\x01/height/g' layout/*.py tests/*.py
