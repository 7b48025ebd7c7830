#!/bin/bash
bash /solution/helper.sh poem.txt > count.txt
