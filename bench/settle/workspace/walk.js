let sum = 0;
for (let i = 1; i <= 3; i += 1) {
  sum += i;
  debugger;
}
console.log(`sum ${sum}`);
