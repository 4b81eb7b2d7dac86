import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { spaceNamed } from '#lib/brain/queries/find-space.ts';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { readChanges } from '#lib/brain/queries/read-changes.ts';
import type { CredentialActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { McpHost } from '../protocol/host.ts';
import { readAddress } from './addresses.ts';
import { memoryParts, spaceParts } from './read-resource.ts';

const MAX_WATCHED = 64;
/** Changes this recent when a stream opens are published on it too: a client that reconnects at once misses none. */
const OVERLAP_MS = 15_000;

type Watched = { uri: string; of: 'spaces' | 'memories'; id: string };

type Watch = {
  bus: ServerEventBus;
  /** Compares once, and publishes what changed since the last time. */
  poll(): Promise<void>;
};

/** The addresses that a client subscribes to, each with its row. Errors: `invalid_request`, `not_found` (a stranger's too). */
async function watchedOf(host: McpHost, uris: readonly string[]): Promise<Watched[]> {
  if (uris.length > MAX_WATCHED)
    throw new ServiceError('invalid_request', {
      message: `Un abonnement suit au plus ${MAX_WATCHED} adresses.`,
    });
  const names = uris.map((uri) => ({ uri, named: readAddress(uri) }));
  const spaces = names.some(({ named }) => named.kind !== 'memory') ? await listSpaceNames(host.context) : [];
  const watched: Watched[] = [];
  for (const { uri, named } of names) {
    if (named.kind === 'memory') {
      const { memoryId } = host.validate(memoryParts, { memoryId: named.memoryId });
      watched.push({ uri, of: 'memories', id: memoryId });
    } else {
      const { space } = host.validate(spaceParts, { space: named.space });
      watched.push({ uri, of: 'spaces', id: spaceNamed(spaces, space).id });
    }
  }
  return watched;
}

/**
 * Watches an account for one stream. Each poll compares the versions of its rows with those of the poll before, and publishes which addresses
 * changed and whether the list did; as the database is compared, it works across instances. Before publishing, `currentActor` gives the rights
 * that still apply. Errors: those of `watchedOf`; of a poll, those of `currentActor`.
 */
export async function watchAccount(
  host: McpHost,
  uris: readonly string[],
  currentActor: () => Promise<CredentialActor>,
): Promise<Watch> {
  let ctx = host.context;
  const watched = await watchedOf(host, uris);
  const memoryIds = watched.filter(({ of }) => of === 'memories').map(({ id }) => id);
  const settledAt = new Date(ctx.clock.now().getTime() - OVERLAP_MS);
  const [now, settled] = await Promise.all([
    readChanges(ctx, memoryIds),
    readChanges(ctx, memoryIds, settledAt),
  ]);
  const missing = watched.find(({ of, id }) => !now[of].has(id));
  if (missing)
    throw new ServiceError('not_found', { message: 'Cette adresse ne désigne rien dans ce compte.' });
  let known = settled;
  const listeners = new Set<(event: ServerEvent) => void>();
  const publish = (event: ServerEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    bus: {
      publish,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    async poll() {
      const seen = await readChanges(ctx, memoryIds);
      if (!differs(known.spaces, seen.spaces) && !differs(known.memories, seen.memories)) return;
      // The credential's rights may have been reduced since the stream opened.
      ctx = { ...ctx, actor: await currentActor() };
      const state = await readChanges(ctx, memoryIds);
      if (differs(known.spaces, state.spaces)) publish({ kind: 'resources_list_changed' });
      for (const { uri, of, id } of watched)
        if (known[of].get(id) !== state[of].get(id)) publish({ kind: 'resource_updated', uri });
      known = state;
    },
  };
}

function differs(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): boolean {
  return before.size !== now.size || [...now].some(([id, version]) => before.get(id) !== version);
}
