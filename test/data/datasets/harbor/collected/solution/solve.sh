sort -o list.txt list.txt
