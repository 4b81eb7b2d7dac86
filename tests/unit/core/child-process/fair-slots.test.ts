import { describe, expect, it } from 'vitest';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import type { ServiceError } from '#lib/core/errors.ts';

/** Work that ends when it is told to; `begun` lists what was started, in order. */
function works(inTurn: ReturnType<typeof createFairSlots>) {
  const begun: string[] = [];
  const ends = new Map<string, (how: 'done' | Error) => void>();
  const start = (owner: string, name: string) =>
    inTurn(owner, async () => {
      begun.push(name);
      await new Promise<void>((done, fail) => ends.set(name, (how) => (how === 'done' ? done() : fail(how))));
      return name;
    });
  const end = async (name: string, how: 'done' | Error = 'done') => {
    ends.get(name)?.(how);
    await new Promise((turn) => setImmediate(turn));
  };
  return { begun, end, start };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

describe('places that accounts share', () => {
  it('are never all one account’s: another’s work begins at once, whatever waits before it', async () => {
    const { begun, end, start } = works(createFairSlots({ count: 2, waitingPerOwner: 3 }));
    const mine = [1, 2, 3, 4].map((n) => start('attaquant', `a${n}`));
    const theirs = start('victime', 'v1');
    expect(begun).toEqual(['a1', 'v1']);
    await end('v1');
    expect(await theirs).toBe('v1');
    for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name);
    expect(await Promise.all(mine)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(begun).toEqual(['a1', 'v1', 'a2', 'a3', 'a4']);
  });

  it('hold so many waiting works of one account and refuse the next one; a failed work gives its place back', async () => {
    const { begun, end, start } = works(createFairSlots({ count: 2, waitingPerOwner: 2 }));
    const [first, ...rest] = [1, 2, 3].map((n) => start('attaquant', `a${n}`));
    expect(await codeOf(start('attaquant', 'a4'))).toBe('rate_limited');
    const failed = codeOf(first as Promise<string>);
    await end('a1', Object.assign(new Error('x'), { code: 'broken' }));
    expect(await failed).toBe('broken');
    const last = start('attaquant', 'a5');
    for (const name of ['a2', 'a3', 'a5']) await end(name);
    expect(await Promise.all([...rest, last])).toEqual(['a2', 'a3', 'a5']);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a5']);
  });

  it('serve several accounts in the order in which they came', async () => {
    const { begun, end, start } = works(createFairSlots({ count: 2, waitingPerOwner: 3 }));
    const all = ['a', 'b', 'a', 'c', 'b'].map((owner, n) => start(owner, `${owner}${n}`));
    expect(begun).toEqual(['a0', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a0', 'b1', 'c3']);
    await end('a0');
    expect(begun).toEqual(['a0', 'b1', 'c3', 'a2']);
    for (const name of ['c3', 'a2', 'b4']) await end(name);
    await Promise.all(all);
  });

  it('go to the account that had none for the longest: what one has waiting keeps no other from its turn', async () => {
    const { begun, end, start } = works(createFairSlots({ count: 2, waitingPerOwner: 3 }));
    const busy = ['a', 'b', 'b', 'b', 'a', 'a'].map((owner, n) => start(owner, `${owner}${n}`));
    const late = start('c', 'c');
    expect(begun).toEqual(['a0', 'b1']);
    await end('b1');
    expect(begun.at(-1)).toBe('c');
    await end('c');
    for (const name of ['b2', 'a0', 'a4', 'b3', 'a5']) await end(name);
    await Promise.all([...busy, late]);
    expect(begun).toHaveLength(7);
  });

  it('are taken in turn where there is one alone', async () => {
    const { begun, end, start } = works(createFairSlots({ count: 1, waitingPerOwner: 3 }));
    const all = ['a', 'a', 'a', 'b'].map((owner, n) => start(owner, `${owner}${n}`));
    for (const name of ['a0', 'b3', 'a1', 'a2']) await end(name);
    await Promise.all(all);
    expect(begun).toEqual(['a0', 'b3', 'a1', 'a2']);
  });
});
