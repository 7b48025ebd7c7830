printf begun > begin.txt
