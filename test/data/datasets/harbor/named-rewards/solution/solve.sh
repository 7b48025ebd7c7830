#!/bin/bash
seq 3 > numbers.txt
echo 6 > sum.txt
