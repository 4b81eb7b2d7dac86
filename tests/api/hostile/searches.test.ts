import { expect, test } from 'vitest';
import { GET as search } from '#app/api/v1/search/route.ts';
import { GET as readContext } from '#app/api/v1/spaces/[id]/context/route.ts';
import { POST as add } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { GET as listSpaces } from '#app/api/v1/spaces/route.ts';
import { storeOf } from '#lib/brain/search/index/store.ts';
import { fold } from '#lib/brain/search/matching/fold.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { freshIdempotencyKey, useApi } from '#tests/setup/api.ts';
import { startHttpServer } from '#tests/setup/http/http-server.ts';

const service = useApi();
/** Of processor, at the reference machine's speed. */
const MOST_HELD_MS = 50;
const MOST_TRIES = 16;
/** Requests of another account beside one piece of work: what holds the loop is seen by the clock, with or without one waiting. */
const MOST_BESIDE = 10;
/** A little less than the longest text, for its JSON to hold in a request. */
const MOST_BYTES = 129_000;

const filledWith = (piece: string) => piece.repeat(Math.floor(MOST_BYTES / Buffer.byteLength(piece)));
const distinctWords = () => {
  let body = '';
  for (let i = 0; body.length < MOST_BYTES - 20; i++) body += `${(i * 7919 + 100_003).toString(36)} `;
  return body;
};

/** Texts that cost the most to cut, for their length: ligatures of four words, one word 43,000 times, one endless word, dates, distinct words. */
const HOSTILE = [
  ['ligatures', '\ufdfa'.repeat(200), filledWith('\ufdfa')],
  ...Array.from({ length: 20 }, (_, i) => [`liste ${i}`, `Liste ${i}`, filledWith('le ')] as const),
  ['endless', 'a'.repeat(200), filledWith('a')],
  ['dates', '12 mai 2023', filledWith('12/05/2023 ')],
  ['numbers', '1 200', filledWith('1 200 000 ')],
  ['distinct', 'Lexique', distinctWords()],
] as const;

const QUERIES = [
  '\ufdfa'.repeat(200),
  'le',
  'a'.repeat(200),
  '12 mai 2023',
  '2023',
  '1200000',
  (7919 * 7 + 100_003).toString(36),
  'quelle liste pour le mois de mai',
  'absentissime',
  // What nobody types on purpose.
  'l',
  'a '.repeat(100).trim(),
  'le de la et the of',
  '👩‍👩‍👧 🚀 ❤️',
  'שלום עולם مرحبا',
  '\u0378\u{e0080}\u{10fffe}',
  '"liste jamais fermée',
];

const NEAR_LETTERS = 'bcdefgh';
const NEAR_WORDS = 14_300;
/** Words of eight letters that begin with b and have the same few letters, no two of them alike: each has to be looked at for a typing error. */
const nearWord = (n: number) => {
  const drawn = (n * 48_271) % 7 ** 7;
  const letters = Array.from({ length: 7 }, (_, k) => NEAR_LETTERS[Math.floor(drawn / 7 ** k) % 7]);
  return `b${letters.join('')}`;
};
/** Memories of nothing but such words, `from` to `to`, no word twice in any of them. */
const nearTexts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => {
    const first = (from + i) * NEAR_WORDS;
    const words = Array.from({ length: NEAR_WORDS }, (_, n) => nearWord(first + n));
    return [`lexique ${from + i}`, `Lexique ${from + i}`, words.join(' ')] as const;
  });

const NEAR_QUERIES = [
  // Begins every word, stands inside many, is one but for two letters of eight.
  'b',
  'hg',
  'zhgfedcb zcdefghb zgfhdceb zdcbhgfe zbhcgdfe zfbgchde',
];

/** Texts of as many sentences as they can hold, each of which answers. */
const SENTENCES = Array.from(
  { length: 6 },
  (_, i) => [`phrases ${i}`, `Phrases ${i}`, filledWith('le. ')] as const,
);
/** A text of nothing but marks that could end a sentence, and that end none. */
const MARKS = ['marks', 'Points de suspension', filledWith('.')] as const;
const QUESTIONS = ['le', '\ufdfa'.repeat(200), 'quelle liste pour le 12 mai 2023'];

/** The routes of this process over HTTP, and what another account is answered meanwhile. */
async function served() {
  const hostile = await makeAccount(service, { capacityCu: 100_000 });
  const space = await makeSpace(service, hostile.account.id);
  const key = (await makeKey(service, hostile.member)).secret;
  const server = await startHttpServer((request) => {
    const { pathname } = new URL(request.url);
    const context = { params: Promise.resolve({ id: space.id }) };
    if (pathname.endsWith('/memories')) return add(request, context);
    if (pathname.endsWith('/context')) return readContext(request, context);
    return pathname === '/api/v1/search' ? search(request, context) : listSpaces(request, context);
  });
  const ask = (path: string, key: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  /** `work`, with requests of the other account one after the other beside it: how long the loop was held, and how many were answered. */
  const beside = async (work: () => Promise<void>) => {
    // Another one each time, so that no rate is met.
    const other = (await makeKey(service, (await makeAccount(service)).member)).secret;
    const statuses: number[] = [];
    let working = true;
    const asking = async () => {
      while (working && statuses.length < MOST_BESIDE) {
        const answer = await ask('/api/v1/spaces', other);
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    };
    const stop = () => {
      working = false;
    };
    const { heldMs } = await longestHold(() => Promise.all([work().finally(stop), asking()]));
    expect(new Set(statuses)).toEqual(new Set([200]));
    return { heldMs, answered: statuses.length };
  };
  const now = new Date('2026-01-01T00:00:00Z');
  const write = (texts: readonly (readonly [string, string, string])[]) =>
    service.db.memory.createMany({
      data: texts.map(([name, title, body]) => ({
        id: `mem_${space.id.slice(-6)}_${name.replace(' ', '_')}`,
        accountId: hostile.account.id,
        spaceId: space.id,
        role: 'KNOWLEDGE' as const,
        kind: 'NOTE' as const,
        title,
        body,
        source: 'MANUAL' as const,
        cu: 1,
        createdAt: now,
        updatedAt: now,
      })),
    });
  /** What the code holds it holds each time; what a collection of garbage or a stolen core holds, it does not. */
  const leastHeld = async (work: (again: number) => Promise<void>) => {
    const first = await beside(() => work(0));
    let { heldMs } = first;
    for (let again = 1; again < MOST_TRIES && heldMs >= MOST_HELD_MS; again++) {
      // All of the work again: what the first time read is not kept.
      storeOf(service.kysely).clear();
      heldMs = Math.min(heldMs, (await beside(() => work(again))).heldMs);
    }
    return { ...first, heldMs };
  };
  /** How long a search holds the loop, and how many answers another account gets meanwhile. */
  const leastHeldBySearch = async (q: string) => {
    let found = 0;
    const { heldMs, answered } = await leastHeld(async (again) => {
      // Another limit each time: an answer that was given is kept.
      const answer = await ask(`/api/v1/search?limit=${50 - again}&q=${encodeURIComponent(q)}`, key);
      // What holds no word is refused before it is searched for.
      expect(answer.status).toBe(fold(q) === '' ? 400 : 200);
      found = ((await answer.json()) as { data?: unknown[] }).data?.length ?? 0;
    });
    console.log(
      `search ${q.slice(0, 20)}: ${found} found, held ${heldMs.toFixed(0)} ms, ${answered} answered`,
    );
    return heldMs;
  };
  return {
    ...hostile,
    space,
    key,
    ask,
    write,
    leastHeld,
    leastHeldBySearch,
    close: server.close,
  };
}

test('over HTTP, no search over hostile texts holds the loop for 50 ms: another account is answered beside it', async () => {
  const { write, leastHeldBySearch, close } = await served();
  try {
    // In two parts: what is in no segment yet is read as texts, the rest as postings.
    for (const part of [HOSTILE.slice(0, 4), HOSTILE.slice(4)]) {
      await write(part);
      for (const q of QUERIES)
        expect.soft(await leastHeldBySearch(q), q.slice(0, 20)).toBeLessThan(MOST_HELD_MS);
    }
  } finally {
    await close();
  }
});

test('over HTTP, no search over 340,000 words that are all but one another holds the loop for 50 ms', async () => {
  const { write, leastHeldBySearch, close } = await served();
  try {
    // As above: 900 KB that are in no segment yet, then two megabytes more, which the next search waits for.
    for (const part of [nearTexts(0, 7), nearTexts(7, 24)]) {
      await write(part);
      for (const q of NEAR_QUERIES)
        expect.soft(await leastHeldBySearch(q), q.slice(0, 20)).toBeLessThan(MOST_HELD_MS);
    }
  } finally {
    await close();
  }
});

test('over HTTP, no context about a question on hostile texts holds the loop for 50 ms', async () => {
  const { space, write, key, ask, leastHeld, close } = await served();
  try {
    await write([...HOSTILE, ...SENTENCES]);
    for (const q of QUESTIONS)
      for (const maxChars of [2_000, 200_000]) {
        const about = `q=${encodeURIComponent(q)}&maxChars=${maxChars}`;
        const { heldMs, answered } = await leastHeld(async () => {
          const answer = await ask(`/api/v1/spaces/${space.id}/context?${about}`, key);
          expect(answer.status).toBe(200);
          await answer.arrayBuffer();
        });
        console.log(
          `context of ${maxChars}, ${q.slice(0, 20)}: held ${heldMs.toFixed(0)} ms, ${answered} answered`,
        );
        expect.soft(heldMs, q.slice(0, 20)).toBeLessThan(MOST_HELD_MS);
      }
  } finally {
    await close();
  }
});

test('over HTTP, no context about a text of nothing but full stops holds the loop for 50 ms', async () => {
  const { space, write, key, ask, leastHeld, close } = await served();
  try {
    await write([MARKS]);
    for (const maxChars of [2_000, 200_000]) {
      const { heldMs } = await leastHeld(async () => {
        const answer = await ask(`/api/v1/spaces/${space.id}/context?q=points&maxChars=${maxChars}`, key);
        expect(answer.status).toBe(200);
        expect(((await answer.json()) as { context: string }).context).toContain('Points de suspension');
      });
      expect.soft(heldMs, `context of ${maxChars}`).toBeLessThan(MOST_HELD_MS);
    }
  } finally {
    await close();
  }
});

test('over HTTP, no hostile text that is written, then written again, holds the loop for 50 ms', async () => {
  const { space, key, ask, leastHeld, close } = await served();
  try {
    const texts = HOSTILE.filter(([name]) => !/^liste (?!0)/.test(name));
    for (const [name, title, body] of [...texts, ...texts]) {
      const { heldMs, answered } = await leastHeld(async () => {
        // However often it has to be written, no rate is met.
        await service.pool.query('DELETE FROM "RateLimitWindow"');
        const answer = await ask(`/api/v1/spaces/${space.id}/memories`, key, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': freshIdempotencyKey() },
          body: JSON.stringify({ pillar: 'KNOWLEDGE', title, body: body.trim() }),
        });
        expect([name, answer.status]).toEqual([name, 201]);
        await answer.arrayBuffer();
      });
      console.log(`write ${name}: held ${heldMs.toFixed(0)} ms, ${answered} answered`);
      expect.soft(heldMs, name).toBeLessThan(MOST_HELD_MS);
    }
  } finally {
    await close();
  }
});
