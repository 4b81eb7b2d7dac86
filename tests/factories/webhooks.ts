import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import type { MemberActor, SystemActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { SafePost } from '#lib/core/net/safe-post.ts';
import type { DisabledNotice, WebhookContext, WebhookPorts } from '#lib/webhooks/context.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { SUBSCRIBABLE } from '#lib/webhooks/events.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import type { TestService } from '#tests/setup/service.ts';
import { seeded } from '#tests/simulation/random.ts';
import { makeAccount, makeSpace } from './account.ts';
import { testContext } from './context.ts';

/** What a subscriber does with a posting: a status, no answer, or (`crash`) the sender dies once the subscriber took it. */
export type Reaction = number | 'timeout' | 'crash' | Promise<number | 'timeout'>;
type Posting = {
  url: string;
  id: string;
  type: string;
  data: Record<string, unknown>;
  headers: Record<string, string>;
  body: string;
  accepted: boolean;
};

/** Whether the published library takes a posting as signed with this secret, at this instant. */
export function isVerified(secret: string, posting: Pick<Posting, 'headers' | 'body'>, now: Date): boolean {
  const at = vi.spyOn(Date, 'now').mockReturnValue(now.getTime());
  try {
    new Webhook(secret).verify(posting.body, posting.headers);
    return true;
  } catch {
    return false;
  } finally {
    at.mockRestore();
  }
}

/** An account with a Space, and simulated subscribers in virtual time: every request they receive is recorded, and each answers as it is set to. */
export async function webhookScene(service: TestService, options: { seed?: number } = {}) {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const random = seeded(options.seed ?? 1);
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const space = await makeSpace(service, account.id, { now: clock.now() });
  const postings: Posting[] = [];
  const notices: DisabledNotice[] = [];
  const reactions = new Map<string, (posting: Posting) => Reaction>();
  const onWay = new Set<string>();
  const doubles: string[] = [];
  const post: SafePost = async (url, { headers, body }) => {
    const { type, data } = JSON.parse(body) as Pick<Posting, 'type' | 'data'>;
    const id = headers['webhook-id'] ?? '';
    const posting: Posting = { url, id, type, data, headers: { ...headers }, body, accepted: false };
    postings.push(posting);
    const way = `${url} ${id}`;
    if (onWay.has(way)) doubles.push(way);
    onWay.add(way);
    try {
      const reaction = await (reactions.get(url)?.(posting) ?? 200);
      if (reaction === 'timeout') throw new FetchRefusal('timeout');
      posting.accepted = reaction === 'crash' || (reaction >= 200 && reaction < 300);
      if (reaction === 'crash') throw new Error('the sender died');
      return { status: reaction };
    } finally {
      onWay.delete(way);
    }
  };
  const webhooks: WebhookPorts = {
    post,
    checkAddress: async () => undefined,
    sealer: sealer(['a key of the test, long enough to be one']),
    chance: () => random.next(),
    mail: async (notice) => void notices.push(notice),
  };
  const context = <A extends MemberActor | SystemActor>(as: A): WebhookContext<A> => ({
    ...testContext(service, as, { clock }),
    webhooks,
  });
  const ctx = context(actor);
  const pass = context({ type: 'system', job: 'webhooks' } as const);
  const subscribe = (
    url: string,
    events: readonly string[] = SUBSCRIBABLE,
    react?: (posting: Posting) => Reaction,
  ) => {
    if (react) reactions.set(url, react);
    return createEndpoint(ctx, { url, events });
  };
  const add = (title = 'Une idée') =>
    addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body: 'Corps',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  const rows = () =>
    service.db.webhookDelivery.findMany({ where: { accountId: account.id }, orderBy: { position: 'asc' } });
  return {
    account,
    member,
    actor,
    space,
    clock,
    random,
    postings,
    notices,
    reactions,
    doubles,
    webhooks,
    ctx,
    pass,
    context,
    subscribe,
    add,
    rows,
    to: (url: string) => postings.filter((posting) => posting.url === url),
    newId: () => createId('webhookDelivery'),
  };
}
