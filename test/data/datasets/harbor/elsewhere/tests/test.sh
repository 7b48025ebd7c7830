#!/bin/bash
cd /tests && python3 judge.py
