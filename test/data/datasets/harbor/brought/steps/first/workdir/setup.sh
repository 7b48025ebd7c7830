cat one.txt two.txt > both.txt
