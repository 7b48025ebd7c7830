#!/bin/bash
# The folders are gone instead of hidden.
find /workspace -name __pycache__ -prune -exec rm -r {} +
