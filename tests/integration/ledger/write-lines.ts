import type { Actor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { reserve } from '#tests/factories/reserve.ts';

type Orders = {
  url: string;
  owner: { accountId: string; memberId: string };
  generationIds: string[];
  /** What this process's clock says, in milliseconds. */
  at: number;
};

/** One process of the service, which reserves and closes as fast as it can. */
process.once('message', async (message) => {
  const { url, owner, generationIds, at } = message as Orders;
  const connection = connect({ url, poolMax: 2, preparedStatements: preparedBy(process.env) });
  const clock = manualClock(new Date(at).toISOString());
  const ctx = { actor: { type: 'system', job: 'generations-sweep' } as Actor, clock };
  const queue = [...generationIds.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, generationId] = next;
      await reserve(connection.kysely, ctx, { ...owner, generationId, amountMicros: 40_000n });
      clock.advance(1);
      if (index % 4 === 0) await refund(connection.kysely, ctx, { generationId });
      else await settle(connection.kysely, ctx, { generationId, costMicros: 1_000n + BigInt(index) });
    }
  };
  await Promise.all([work(), work()]);
  await connection.close();
  process.disconnect();
});
