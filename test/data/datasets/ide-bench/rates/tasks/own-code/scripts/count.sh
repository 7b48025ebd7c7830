#!/bin/bash
echo $(($(wc -l < "$1") - 1))
