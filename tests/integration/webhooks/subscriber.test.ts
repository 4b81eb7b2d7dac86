import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { SafePost } from '#lib/core/net/safe-post.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { judgeEventsOut, PATHS, playEventsOut } from '#tests/chaos/events-out.ts';
import type { Instance } from '#tests/chaos/instances.ts';
import { openSubscriber } from '#tests/chaos/subscriber.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { useTestService } from '#tests/setup/service.ts';
import { seeded } from '#tests/simulation/random.ts';

const service = useTestService({ poolMax: 20 });
const SEALING_KEY = 'the key that seals the secrets of this run';

it('a subscriber that refuses, hangs, dies and comes back, told by senders that die in between, misses nothing and knows what came twice', async () => {
  const random = seeded(7);
  const subscriber = await openSubscriber({ seed: 7 });
  const { actor } = await makeAccount(service);
  let deaths = 0;
  const post: SafePost = async (address, { headers, body }) => {
    const answer = await fetch(subscriber.url + new URL(address).pathname, {
      method: 'POST',
      headers: { ...headers },
      body,
      signal: AbortSignal.timeout(400),
    }).catch(() => {
      throw new FetchRefusal('timeout');
    });
    await answer.arrayBuffer();
    // The process is gone: what the subscriber answered is never recorded.
    if (random.chance(0.05)) {
      if (answer.ok) deaths += 1;
      throw new Error('the sender died');
    }
    return { status: answer.status };
  };
  const webhooks = {
    post,
    sealer: sealer([SEALING_KEY]),
    chance: () => random.next(),
    checkAddress: async () => undefined,
    mail: async () => undefined,
  };
  const ctx = { ...testContext(service, { type: 'system', job: 'webhooks' } as const), webhooks };
  const instance = async (name: string) => {
    const server = createServer(async (_request, response) => {
      response.end(JSON.stringify(await runWebhooks(ctx, { budgetMs: 3_000 })));
    });
    await listenHere(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const end = () => new Promise<void>((done) => server.close(() => done()));
    const one: Instance = {
      name,
      url,
      cookieName: '',
      isUp: () => true,
      kill: end,
      stop: end,
      start: async () => undefined,
    };
    return one;
  };
  const instances = [await instance('A'), await instance('B')];
  const run = await playEventsOut({
    connection: service.connection,
    actor,
    sealingKey: SEALING_KEY,
    subscriber,
    instances,
    cronSecret: '',
    random: random.fork(),
  });
  await expect.poll(() => subscriber.taken.length).toBeGreaterThan(80);
  // One in twenty dies: a slow machine may answer the first eighty before any of them.
  await expect.poll(() => deaths).toBeGreaterThan(0);
  await run.stop();
  expect(await run.drain()).toBeLessThan(30);
  await Promise.all(instances.map((one) => one.stop()));
  await subscriber.close();
  const verdict = await judgeEventsOut(service.connection, subscriber);
  expect(verdict.violations).toEqual([]);
  expect(verdict.taken).toBe(verdict.events * PATHS.length + verdict.duplicates);
  expect(verdict.duplicates).toBeGreaterThan(0);
  expect(subscriber.counts.refused + subscriber.counts.hung + subscriber.counts.deaths).toBeGreaterThan(0);

  // The judge tells what is wrong: an event that never came, one that came too early, one that nobody signed.
  const first = subscriber.taken.findIndex(({ path }) => path === '/steady');
  const lost = subscriber.taken.filter(({ id }) => id !== subscriber.taken[first]?.id);
  const counts = { ...subscriber.counts, unverified: 1 };
  const wrong = (await judgeEventsOut(service.connection, { taken: lost, counts })).violations.join('\n');
  expect(wrong).toMatch(/never came/);
  expect(wrong).toMatch(/came as/);
  expect(wrong).toMatch(/the library refuses/);
});
