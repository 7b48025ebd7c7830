#!/bin/bash
set -euo pipefail
# A compressed page, as draw.io writes it, too; larger and elsewhere on the page.
printf '<mxfile host="app"><diagram id="p" name="Page-1">%s</diagram></mxfile>\n' \
  '1dhRb5swEADgX8M7YCDda1LWTsrUteQPuHDCtAQzY0LYr99RO6HMpK3UhoyXyHfYV/hySJdaZLXd3whasp88gdxy7WRvkWvLda9sGz+7RKsSwSGRiixRKadPRNkf0MmXbSS0yEpwLtVqu19B3pU/HFW1vp+4qguXVEAhP3Kg0Cd2NK/1fYQ7PFupdCXbXKfxXFZWGCwblkmIShp3Vxo0wByT2xwjB5e6IAgJ+5N35RyfFRmBb0GKFrfoAwv3Sh3RhJ6v4yZLJNMV9JPZDLKUyQO+ytFKxemxdG+AC81wgsQ1SH4UCT7LvyIVo2W3jNs8ww2CvG/zyGvcmawfjwkaP6eiy97VEsuAzleqLRz/i0DJENQNAhPUPhcoMUDvBHphj9nXyzmzem7wfp+ejdUzWCOgImaGqFA8GNgXeX2/BR97e4OvUPFPNtuFVTxn2CzuYkqWwGC5oRIa2v53LpN2y8JgWQreVCDeYHEmYXGIfTEWMKeC283mV2QOBUkKkQ65kIynvKB52GeXw27q96w5LzXWE0jZ6jmI1pKPUXZ/6G1IvC9eixiGX6ykIgX5+h0wwQXkVGa7Yf1P8ZkTxEMYbWakF4zo+VPpmePC7xpEO3M+byq+kbHgfj0jPH8Ej0yFZ04PAmgyIz1vRM+dSs8cMmJGixSqGQGSEUDnPIAY9r/0X669+o8CCf8C' \
  > /workspace/canvas.drawio
