import { expect, it } from 'vitest';
import { withDrawingSlot } from '#lib/studio/templates/preview/drawing-slots.ts';

it('two accounts that ask for all the previews they may keep no other account’s from being drawn next', async () => {
  const ends: (() => void)[] = [];
  const held = (owner: string) =>
    withDrawingSlot(owner, () => new Promise<void>((done) => void ends.push(done)));
  // One that is drawn and twelve that wait, for each account.
  const busy = Promise.all(['a', 'b'].flatMap((owner) => Array.from({ length: 13 }, () => held(owner))));
  let isBusy = true;
  void busy.then(() => {
    isBusy = false;
  });
  const drawn: string[] = [];
  const other = withDrawingSlot('victim', async () => drawn.push('victim'));
  await expect(withDrawingSlot('a', async () => drawn.push('a'))).rejects.toMatchObject({
    code: 'unavailable',
  });
  // The first free place goes to the account that has none, whatever waited before.
  ends.shift()?.();
  await other;
  expect(drawn).toEqual(['victim']);
  while (isBusy) {
    ends.shift()?.();
    await new Promise((turn) => setImmediate(turn));
  }
});
