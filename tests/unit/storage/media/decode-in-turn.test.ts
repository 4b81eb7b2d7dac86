import { expect, test } from 'vitest';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';

test('who asks for a turn inside of one goes on in its place: two that hold both wait for nobody', async () => {
  const all = Promise.withResolvers<void>();
  let begun = 0;
  const nested = (owner: string) =>
    decodeInTurn(owner, async () => {
      begun += 1;
      if (begun === 2) all.resolve();
      await all.promise;
      return decodeInTurn(owner, async () => owner);
    });
  expect(await Promise.all(['un', 'deux'].map(nested))).toEqual(['un', 'deux']);
});

test('who had a turn waits for the next one as any other', async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const places = Promise.withResolvers<void>();
  const done: string[] = [];
  const again = (async () => {
    await decodeInTurn('trois', async () => done.push('first'));
    await places.promise;
    await decodeInTurn('trois', async () => done.push('second'));
  })();
  await new Promise((turn) => setTimeout(turn, 20));
  const held = ['un', 'deux'].map((owner) => decodeInTurn(owner, () => over));
  places.resolve();
  await new Promise((turn) => setTimeout(turn, 50));
  expect(done).toEqual(['first']);
  end();
  await Promise.all([...held, again]);
  expect(done).toEqual(['first', 'second']);
});
