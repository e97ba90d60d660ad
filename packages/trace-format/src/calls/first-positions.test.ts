import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirstPositions, NONE } from './first-positions.js';

// The last characters are all that places an id in the table: ids that share them meet there.
const ids = fc.array(
  fc.oneof(
    fc.constantFrom('', 'a', 'evt_1'),
    fc.uuid(),
    fc.nat(60).map((n) => `${n} of one and the same end`),
  ),
  { maxLength: 200 },
);

test('answers the first position of each id added, as a list would', () => {
  fc.assert(
    fc.property(ids, (all) => {
      const positions = new FirstPositions(all.length);
      for (const [position, id] of all.entries()) {
        expect(positions.find(id)).toBe(all.slice(0, position).indexOf(id));
        expect(positions.add(id)).toBe(all.indexOf(id));
      }
      expect(positions.find('never added')).toBe(NONE);
    }),
  );
});

test('goes on where all ids were made to meet', () => {
  const all = Array.from({ length: 5000 }, (_, n) => `${n}-with-the-same-sixteen-characters`);
  const positions = new FirstPositions(all.length);
  for (const [position, id] of all.entries()) expect(positions.add(id)).toBe(position);
  for (const [position, id] of all.entries()) expect(positions.find(id)).toBe(position);
  expect(positions.find('0-with-other-characters-at-the-end')).toBe(NONE);
});
