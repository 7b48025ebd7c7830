printf ended > end.txt
