#!/bin/bash
exec /usr/bin/python3 -I -S /tests/check.py
