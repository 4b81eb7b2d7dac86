import { expect, test } from 'vitest';
import { isoBoxesAreWhole } from '#lib/storage/media/iso-boxes.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';

/** An empty box whose length is written in eight bytes. */
function wideBox(bytes: number): Buffer {
  const box = Buffer.alloc(16);
  box.writeUInt32BE(1, 0);
  box.write('free', 4, 'latin1');
  box.writeBigUInt64BE(BigInt(bytes), 8);
  return box;
}

test('boxes with lengths of eight bytes lead to the end of their file, or it is not whole', () => {
  expect(isoBoxesAreWhole(Buffer.concat([wideBox(16), wideBox(20), Buffer.alloc(4)]))).toBe(true);
  for (const bytes of [0, 15, 17, 2 ** 32 + 16, 2 ** 53])
    expect(isoBoxesAreWhole(Buffer.concat([wideBox(bytes), wideBox(16)]))).toBe(false);
});

test('fifty megabytes of boxes without content hold the loop for less than 100 ms', async () => {
  const boxes = new Uint8Array(Buffer.alloc(50 * 1024 * 1024, wideBox(16)));
  let heldMs = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 4 && heldMs >= 100; again++) {
    const watched = await longestHold(async () => isoBoxesAreWhole(boxes));
    expect(watched.result).toBe(true);
    heldMs = Math.min(heldMs, watched.heldMs);
  }
  expect(heldMs).toBeLessThan(100);
});
