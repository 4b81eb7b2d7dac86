import { beforeAll, expect, it } from 'vitest';
import { GET as exportRoute } from '#app/api/brain/spaces/[id]/export/route.ts';
import { GET as contextRoute } from '#app/api/v1/spaces/[id]/context/route.ts';
import { GET as spaceRoute } from '#app/api/v1/spaces/[id]/route.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { useApi } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';

const service = useApi();
const MEMORIES = 4_000;

/** A Space of 15 MB. */
async function largeSpace() {
  const { account, member } = await makeAccount(service, { capacityCu: 30_000 });
  const space = await makeSpace(service, account.id);
  const start = Date.now() - MEMORIES;
  const words = Array.from({ length: 997 }, (_, n) => `mot${(n * n) % 7919}`);
  const body = (n: number) =>
    Array.from({ length: 500 }, (_, at) => words[(n * 7 + at * at) % 997]).join(' ');
  await service.db.memory.createMany({
    data: Array.from({ length: MEMORIES }, (_, n) => ({
      id: createId('memory', new Date(start + n)),
      accountId: account.id,
      spaceId: space.id,
      role: n % 2 === 0 ? ('ITEMS' as const) : ('KNOWLEDGE' as const),
      kind: 'ITEM' as const,
      title: `Titre ${n}`,
      body: body(n),
      source: 'MANUAL' as const,
      cu: 4,
      createdAt: new Date(start + n),
      updatedAt: new Date(start + n),
    })),
  });
  return { member, space };
}

/** The bytes of an answer, as they come. */
async function bytesOf(answer: Response): Promise<Uint8Array[]> {
  expect(answer.status).toBe(200);
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body as ReadableStream<Uint8Array>) pieces.push(piece);
  return pieces;
}

/** Made once: each test only reads it. */
let large: Awaited<ReturnType<typeof largeSpace>>;
beforeAll(async () => {
  large = await largeSpace();
});

const megabytes = (pieces: readonly Uint8Array[], digits = 0) =>
  (pieces.reduce((sum, { length }) => sum + length, 0) / 1e6).toFixed(digits);

it.each(['markdown', 'json'])(
  'a Space of 15 MB leaves as %s without holding the loop for 100 ms',
  async (format) => {
    const { member, space } = large;
    const cookie = await sessionCookie(service, member);
    const { result, heldMs } = await longestHold(async () => {
      const address = `http://atelier.test/api/brain/spaces/${space.id}/export?format=${format}`;
      return bytesOf(
        await exportRoute(new Request(address, { headers: { cookie } }), {
          params: Promise.resolve({ id: space.id }),
        }),
      );
    });
    console.log(`export as ${format}: ${megabytes(result)} MB, loop held ${heldMs.toFixed(0)} ms at worst`);
    expect(heldMs).toBeLessThan(100);
  },
  600_000,
);

it.each([
  ['whole', spaceRoute, ''],
  ['as the longest context', contextRoute, '/context?maxChars=200000'],
] as const)(
  'a Space of 15 MB is read by a key, %s, without holding the loop for 100 ms',
  async (_, route, path) => {
    const { member, space } = large;
    const { secret } = await makeKey(service, member);
    const { result, heldMs } = await longestHold(async () =>
      bytesOf(
        await route(
          new Request(`http://atelier.test/api/v1/spaces/${space.id}${path}`, {
            headers: { authorization: `Bearer ${secret}` },
          }),
          { params: Promise.resolve({ id: space.id }) },
        ),
      ),
    );
    console.log(`read${path}: ${megabytes(result, 1)} MB, loop held ${heldMs.toFixed(0)} ms at worst`);
    const text = Buffer.concat(result).toString();
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    expect(heldMs).toBeLessThan(100);
  },
);
