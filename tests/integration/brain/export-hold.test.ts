import { expect, it } from 'vitest';
import { GET as exportRoute } from '#app/api/brain/spaces/[id]/export/route.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { useApi } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';

const service = useApi();
const MEMORIES = 4_000;

it.each(['markdown', 'json'])(
  'a Space of 15 MB leaves as %s without holding the loop for 100 ms',
  async (format) => {
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
        role: 'ITEMS' as const,
        kind: 'ITEM' as const,
        title: `Titre ${n}`,
        body: body(n),
        source: 'MANUAL' as const,
        cu: 4,
        createdAt: new Date(start + n),
        updatedAt: new Date(start + n),
      })),
    });
    const cookie = await sessionCookie(service, member);
    const { result, heldMs } = await longestHold(async () => {
      const address = `http://atelier.test/api/brain/spaces/${space.id}/export?format=${format}`;
      const answer = await exportRoute(new Request(address, { headers: { cookie } }), {
        params: Promise.resolve({ id: space.id }),
      });
      expect(answer.status).toBe(200);
      let bytes = 0;
      for await (const piece of answer.body as ReadableStream<Uint8Array>) bytes += piece.length;
      return bytes;
    });
    console.log(
      `export as ${format}: ${(result / 1e6).toFixed(0)} MB, loop held ${heldMs.toFixed(0)} ms at worst`,
    );
    expect(heldMs).toBeLessThan(100);
  },
  600_000,
);
