#!/bin/bash
# Every word is replaced: the standard library's module, comments and strings too.
cd /workspace && sed -i 's/\brandom\b/SeededSource/g' sim/*.py tests/*.py
