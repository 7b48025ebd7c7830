#!/bin/bash
echo wrong > /workspace/answer.txt
