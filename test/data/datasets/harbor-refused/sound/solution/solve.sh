#!/bin/bash
echo end > end.txt
