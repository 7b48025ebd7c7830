/** Characters of all kinds that typing has trouble with: Latin, CJK, right to left, combining, beyond the BMP. */
const alphabet = [
  ...'abcdefXYZ 0123456789!@#$%^&*()_+-=[]{}\\|;:\'",.<>/?`~\n\t',
  ...'ÄäÖöÜüßéÉèñÑçøØåÅœŒ€£¥§°µ¿¡«»…–—“”„‘’→←↑↓∑∞≠≤≥√∫ΩωΔδπλЖжЩщЯя',
  ...'日本語漢字かな交じり文中测试字符한국어텍스트אבשערבไทยشعربي😀🎉🚀👍𝔘𝄞𠮷',
  'e\u0301',
  'o\u0308',
];

/** Text of characters drawn by a fixed generator: every run types the same. */
export function mixedText(seed: number, length: number): string {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)] ?? '').join('');
}
