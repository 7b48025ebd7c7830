export interface Item {
  readonly name: string;
  readonly count: number;
}

export function countAll(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.count, 0);
}

const items: Item[] = [
  { name: 'apple', count: 3 },
  { name: 'bread', count: 1 },
];

console.log(countAll(items));
