import type { ServerEvent } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import type { CredentialActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import type { McpHost } from '#lib/mcp/protocol/host.ts';
import { memoryAddress, spaceAddress } from '#lib/mcp/resources/addresses.ts';
import { watchAccount } from '#lib/mcp/resources/watch.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
/** Before what changes while it is watched, so that all counts as settled when it begins. */
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

async function setting() {
  const { account, actor, member } = await makeAccount(service);
  const { actor: key } = await makeKey(service, member);
  const space = await makeSpace(service, account.id, { name: 'Maison', now: AN_HOUR_AGO });
  const other = await makeSpace(service, account.id, { name: 'Secret', now: AN_HOUR_AGO });
  const host: McpHost = {
    context: testContext(service, key),
    origin: 'http://atelier.test',
    validate,
    refusal: (thrown) => (thrown instanceof ServiceError ? thrown : new ServiceError('internal_error')),
  };
  const write = (spaceId: string) =>
    addMemory(testContext(service, actor), {
      spaceId,
      pillar: 'ITEMS',
      title: 'Lampe',
      body: 'Laiton.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  return { key, host, space, other, write };
}

/** What a watch of these Spaces tells; `current` is asked before each notice. */
async function watched(
  host: McpHost,
  spaceIds: readonly string[],
  current: () => Promise<CredentialActor>,
  uris = spaceIds.map(spaceAddress),
) {
  const events: ServerEvent[] = [];
  const watch = await watchAccount(host, uris, current);
  watch.bus.subscribe((event) => events.push(event));
  return { events, poll: watch.poll };
}

it('rights taken away since a stream opened count at the next notice: none is told past them', async () => {
  const { key, host, space, other, write } = await setting();
  let current = async (): Promise<CredentialActor> => key;
  const { events, poll } = await watched(host, [space.id, other.id], () => current());
  await poll();
  expect(events).toEqual([]);
  current = async () => ({ ...key, spaces: { [space.id]: 'read' } });
  await write(space.id);
  await poll();
  // The other one is told once as gone, which is what happened to it here; its changes never again.
  expect(events.filter(({ kind }) => kind === 'resources_list_changed')).toHaveLength(1);
  events.length = 0;
  await write(other.id);
  await poll();
  expect(events).toEqual([]);
  current = async () => {
    throw new ServiceError('invalid_api_key');
  };
  await write(space.id);
  await expect(poll()).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(events).toEqual([]);
});

it('what changed just before a stream opened is told on it, once: a client that comes back at once misses nothing', async () => {
  const { key, host, space, other, write } = await setting();
  await write(space.id);
  const { events, poll } = await watched(host, [space.id, other.id], async () => key);
  await poll();
  await poll();
  expect(events).toEqual([
    { kind: 'resources_list_changed' },
    { kind: 'resource_updated', uri: spaceAddress(space.id) },
  ]);
});

it('a stream of many addresses reads the names of Spaces once', async () => {
  const { key, host, space } = await setting();
  let reads = 0;
  const db = host.context.db.$extends({
    query: {
      space: {
        findMany({ args, query }) {
          reads += 1;
          return query(args);
        },
      },
    },
  }) as unknown as McpHost['context']['db'];
  const many = { ...host, context: { ...host.context, db } };
  const spaceIds = Array.from({ length: 64 }, () => space.id);
  await watched(many, spaceIds, async () => key);
  // The names, and twice where the Spaces stand.
  expect(reads).toBe(3);
});

it('a Memory is told as gone once its Space is put away or no longer given, and its changes never again', async () => {
  const { key, host, space, other, write } = await setting();
  const ids = [(await write(space.id)).memory.id, (await write(other.id)).memory.id];
  await service.db.memory.updateMany({ where: { id: { in: ids } }, data: { updatedAt: AN_HOUR_AGO } });
  const uris = ids.map(memoryAddress);
  let actor: CredentialActor = key;
  const { events, poll } = await watched(host, [], async () => actor, uris);
  const updated = async () => {
    events.length = 0;
    await poll();
    return events.flatMap((event) => (event.kind === 'resource_updated' ? [event.uri] : []));
  };
  expect(await updated()).toEqual([]);
  await service.db.space.update({ where: { id: space.id }, data: { archivedAt: new Date() } });
  expect(await updated()).toEqual([uris[0]]);
  actor = { ...key, spaces: { [space.id]: 'read' } };
  await write(other.id);
  expect(await updated()).toEqual([uris[1]]);
  await service.db.memory.updateMany({ where: { id: { in: ids } }, data: { version: { increment: 1 } } });
  expect(await updated()).toEqual([]);
});
