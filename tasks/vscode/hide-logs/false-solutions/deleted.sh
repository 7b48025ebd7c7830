#!/bin/bash
# The files are gone instead of hidden.
find /workspace -name "*.log" -delete -o -name "*.tmp" -delete
