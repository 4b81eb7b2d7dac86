import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkedStream, OtherBytes } from '#lib/core/net/checked-stream.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

/** The text that came before the end or the failure, and the error; null at the end. */
async function taken(body: AsyncIterable<Buffer>): Promise<[text: string, error: unknown]> {
  let text = '';
  try {
    for await (const piece of body) text += piece;
    return [text, null];
  } catch (error) {
    return [text, error];
  }
}

it('gives the bytes that were told, and says of each piece that it goes on', async () => {
  let times = 0;
  const file = { stream: pieces('bon', '', 'jour'), bytes: 7, sha256: sha256('bonjour') };
  const { body, failed, fault } = checkedStream(file, () => {
    times += 1;
  });
  expect(await taken(body)).toEqual(['bonjour', null]);
  expect([times, failed.aborted, fault()]).toEqual([3, false, undefined]);
  const nothing = { stream: pieces(), bytes: 0, sha256: sha256('') };
  expect(await taken(checkedStream(nothing).body)).toEqual(['', null]);
});

it.each([
  ['of another digest', 'bonsoir', 7],
  ['that are too few', 'bonjou', 7],
  ['that are too many', 'bonjour!', 7],
])('never gives the last piece of bytes %s', async (_, text, bytes) => {
  const [first, last] = [text.slice(0, 3), text.slice(3)];
  const { body, failed, fault } = checkedStream({
    stream: pieces(first, last),
    bytes,
    sha256: sha256('bonjour'),
  });
  const [came, error] = await taken(body);
  expect(text.startsWith(came) && came.length < text.length).toBe(true);
  expect(error).toBeInstanceOf(OtherBytes);
  expect([failed.aborted, fault()]).toEqual([true, error]);
});

it('fails as its source does, and keeps what that said', async () => {
  const broken = new Error('EIO');
  async function* breaking() {
    yield Buffer.from('bon');
    throw broken;
  }
  const { body, failed, fault } = checkedStream({ stream: breaking(), bytes: 7, sha256: sha256('bonjour') });
  expect((await taken(body))[1]).toBe(broken);
  expect([failed.aborted, fault()]).toEqual([true, broken]);
});
