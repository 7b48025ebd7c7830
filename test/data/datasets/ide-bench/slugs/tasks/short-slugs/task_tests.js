const slug = require('/app/lib/slug.js');

test('keeps words (in lower case)', () => {
  if (slug('One Two') !== 'one-two') throw new Error(slug('One Two'));
});

test('drops spaces at the ends', () => {
  if (slug(' One ') !== 'one') throw new Error(slug(' One '));
});
