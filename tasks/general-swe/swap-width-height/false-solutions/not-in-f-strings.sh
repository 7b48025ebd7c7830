#!/bin/bash
# The code in f-strings is left out.
cd /workspace && sed -i -E '/f"/! { s/([.]|^    )width\b/\1\x01/g; s/([.]|^    )height\b/\1width/g; s/\x01/height/g }' layout/*.py tests/*.py
