#!/bin/bash
echo "$READY" > said.txt
