head -n 1 both.txt > first.txt
