echo 3 > sum.txt
