import type { AccountActor } from '#lib/core/actor.ts';
import { type Clock, manualClock } from '#lib/core/clock.ts';
import { createLogger } from '#lib/core/log.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { Connection } from '#lib/db/connection.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import type { WebhookContext } from '#lib/webhooks/context.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { QUOTE_CARD } from '#tests/factories/files/rendered-files.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { type MemoryStore, memoryStore } from '#tests/factories/memory-store.ts';
import { recordedProviders, request, START, TEST_CONFIG } from '#tests/factories/studio.ts';
import { type Credential, type Door, honestDoor } from './door.ts';
import { Instance } from './instance.ts';
import { type Outside, outsideProviders, outsideStore } from './outside.ts';
import type { Asked, Call, Plan } from './plan.ts';
import { Turns } from './turns.ts';

/** A verb's context on one instance: the studio's, the files' and the webhooks' at once. */
export type SceneContext<A extends AccountActor = AccountActor> = StudioContext<A> &
  FilesContext<A> &
  WebhookContext<A>;

/** A call without any trouble, on an instance whose clock is right. */
export const CALM: Call = { skewMs: 0, seed: 0, troubles: [] };

/** What the subscriber of an account was sent and took. */
export type Taken = { id: string; generationId: string; status: string };

const TEMPLATE = findTemplate('quote-card');
const VOICE = { kind: 'voice', voiceId: 'Camille0Recorded0001' };
const SEALER = sealer(['a key of the simulation, long enough to be one']);

export type Owner = {
  accountId: string;
  name: string;
  /** Its member who is no founder. */
  memberId: string;
  actors: Record<Asked['by'], AccountActor>;
  /** As its clients know them: a key that was replaced is another one once its answer came. */
  credentials: Record<Asked['by'], Credential>;
  lipsync: object | null;
};

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** The accounts of a plan, with members, keys, credit and subscribers, one store and the outside, at the moment when it begins. */
export async function openScene(connection: Connection, plan: Plan, door: Door = honestDoor) {
  const clock = manualClock(START);
  const store: MemoryStore = memoryStore(() => clock.now());
  const outside: Outside = { jobs: new Map(), runs: new Map(), paid: new Map() };
  const taken: Taken[] = [];
  const turns = new Turns();
  const base = recordedProviders(clock);
  const log = createLogger({ write: () => {}, now: () => clock.now() });
  const plain = { db: connection.db, kysely: connection.kysely, log, requestId: 'req_sim' };
  const owners = new Map<number, Owner>();
  /** Of the rows that were open at some moment. */
  const accountOf = new Map<string, string>();

  function contextOf<A extends AccountActor>(
    instance: Instance | null,
    actor: A,
    more: { skewMs: number; asked?: Asked; answer?: number | 'timeout' },
  ): SceneContext<A> {
    const at: Clock = { ...clock, now: () => new Date(clock.now().getTime() + more.skewMs) };
    const files = instance ? outsideStore(store, instance) : store;
    const reach = <T>(work: () => Promise<T>) => (instance ? instance.call(work) : work());
    return {
      ...plain,
      actor,
      clock: at,
      kysely: instance ? instance.queries(connection.pool) : connection.kysely,
      studio: {
        providers: instance
          ? outsideProviders({ base, outside, instance, clock: clock as Clock, asked: more.asked })
          : base,
        store: files,
        fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
        config: TEST_CONFIG,
        mailSpendAlert: async () => {},
      },
      files: { store: files, storeToken: TEST_CONFIG.storeToken, storeApiUrl: null },
      webhooks: {
        post: (_url, { headers, body }) =>
          reach(async () => {
            const { data } = JSON.parse(body) as {
              data: { generationId: string; status: string };
            };
            if (more.answer === 'timeout') throw new FetchRefusal('timeout');
            if (more.answer === 200)
              taken.push({
                id: headers['webhook-id'] ?? '',
                generationId: data.generationId,
                status: data.status,
              });
            return { status: more.answer ?? 500 };
          }),
        checkAddress: async () => undefined,
        sealer: SEALER,
        chance: () => 0.5,
        mail: async () => undefined,
      },
    };
  }
  const run = <T>(
    call: Call,
    actor: AccountActor,
    operation: (ctx: SceneContext) => Promise<T>,
    more: { asked?: Asked; answer?: number | 'timeout' } = {},
  ): Promise<T | undefined> => {
    const instance = new Instance(turns, call);
    return instance.run(() => operation(contextOf(instance, actor, { skewMs: call.skewMs, ...more })));
  };

  for (let index = 0; index < plan.accounts; index += 1) {
    const mine = plan.asked.filter((one) => one.account === index);
    if (mine.length === 0 && index > 0) continue;
    const { account, member, actor } = await makeAccount(connection, { now: clock.now() });
    const colleague = await makeMember(connection, account.id, {
      now: clock.now(),
      role: 'MEMBER',
      permissions: ['generate'],
    });
    const key = await makeKey(connection, member, { now: clock.now(), monthlyCapMicros: 900_000n });
    const memberKey = await makeKey(connection, colleague, { now: clock.now(), monthlyCapMicros: 600_000n });
    const calm = contextOf(null, actor, CALM);
    await giveCredit(calm, member.id, 1_000_000_000n);
    // A little more than one video, and no single picture of it above its cap: some of its requests are refused.
    await giveCredit(calm, colleague.id, 800_000n, { monthlyCapMicros: 700_000n });
    await createEndpoint(calm, { url: 'https://exemple.test/evenements', events: ['generation.closed'] });
    const actors = {
      founder: actor,
      member: memberActor(colleague),
      key: key.actor,
      'member-key': memberKey.actor,
    };
    const lipsync = mine.some(({ kind }) => kind === 'lipsync') ? await makeLipsync(calm) : null;
    const sessionOf = async ({ id: memberId }: { id: string }): Promise<Credential> => {
      const { sessionId } = await openSession(calm, { accountId: account.id, memberId });
      return { memberId, sessionId };
    };
    const keyOf = ({ key: { id: keyId, memberId }, secret }: typeof key): Credential => ({
      memberId,
      keyId,
      secret,
    });
    const credentials = {
      founder: await sessionOf(member),
      member: await sessionOf(colleague),
      key: keyOf(key),
      'member-key': keyOf(memberKey),
    };
    const { id: accountId, name } = account;
    owners.set(index, { accountId, name, memberId: colleague.id, actors, credentials, lipsync });
  }
  const founder = owners.get(0)?.actors.founder as AccountActor;
  const accountIds = [...owners.values()].map(({ accountId }) => accountId);

  /** What a request asks for. */
  const bodyOf = (asked: Asked): Record<string, unknown> => {
    switch (asked.kind) {
      case 'video':
        return { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
      case 'render':
        return {
          kind: 'render',
          template: 'quote-card',
          size: TEMPLATE?.sizes[0]?.id ?? '',
          fields: TEMPLATE ? exampleFields(TEMPLATE) : {},
        };
      case 'image':
        return { kind: 'image', brief: 'Une bougie' };
      case 'pictogram':
        return { kind: 'vector', brief: 'Une flamme' };
      case 'voice':
        return { ...VOICE, text: 'Une flamme qui dure.' };
      case 'lipsync':
        return { kind: 'lipsync', ...owners.get(asked.account)?.lipsync };
    }
  };

  return {
    accountIds,
    clock,
    store,
    outside,
    taken,
    turns,
    run,
    founder,
    founderOf: (accountId: string) =>
      contextOf(
        null,
        [...owners.values()].find((one) => one.accountId === accountId)?.actors.founder as AccountActor,
        CALM,
      ),
    ownerOf: (account: number): Owner | undefined => owners.get(account),
    /** One request of a plan, by whoever asks for it; a later one is let in first, each time that it is sent. */
    ask(asked: Asked): Promise<unknown> {
      const owner = owners.get(asked.account);
      if (!owner) return Promise.resolve();
      const credential = owner.credentials[asked.by];
      const input = { request: request(bodyOf(asked)), idempotencyKey: `request-${asked.id}` };
      const send = async (ctx: SceneContext): Promise<void> => {
        const actor = asked.later ? await door(ctx, credential) : ctx.actor;
        if (actor) await submitGeneration({ ...ctx, actor }, input);
      };
      return run(
        asked,
        owner.actors[asked.by],
        async (ctx) => {
          await send(ctx);
          if (asked.again) await send(ctx);
        },
        { asked },
      );
    },
    /** A member of the row's account looks at it. */
    async read(call: Call, generationId: string): Promise<void> {
      const owner = [...owners.values()].find(({ accountId }) => accountId === accountOf.get(generationId));
      if (owner) await run(call, owner.actors.founder, (ctx) => getGeneration(ctx, { generationId }));
    },
    /** One pass of retention over every account. */
    retain(call: Call): Promise<unknown> {
      return run(call, founder, (ctx) =>
        runRetention({ ...ctx, actor: { type: 'system', job: 'retention' } }),
      );
    },
    /** The outside runner publishes and calls back, when it has something to say. */
    async callBack(call: Call, generationId: string, lies: boolean): Promise<void> {
      const job = outside.runs.get(`run_${generationId}`);
      if (!job || job.script.ends === 'vanished' || job.script.ends === 'blackout') return;
      if (clock.now().getTime() < job.readyAt) return;
      const pathname = `${generationFolder(generationId)}${QUOTE_CARD.name}`;
      const isMade = job.script.ends === 'success';
      await run(call, founder, async (ctx) => {
        if (isMade && !lies)
          await ctx.studio.store?.put(pathname, QUOTE_CARD.bytes, { contentType: 'image/png' });
        await handleRenderCallback(ctx, {
          generationId,
          runId: job.id,
          durationMs: 90_000,
          status: lies || job.script.ends === 'failure' ? 'failure' : 'success',
          files: isMade ? [{ pathname }] : [],
        });
      });
    },
    /** The server has noticed every dead process: what they had begun is rolled back. */
    async quiet(): Promise<void> {
      for (;;) {
        const { rows } = await connection.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
        );
        if (rows.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** The open rows, by the request that made each; an account's own voice and picture are closed before it begins. */
    async openRows(): Promise<Map<number, string>> {
      const { rows } = await connection.pool.query<{ id: string; key: string; accountId: string }>(
        `SELECT "id", "idempotencyKey" AS key, "accountId" FROM "Generation" WHERE "accountId" = ANY($1) AND "state" IN ('STARTING', 'SUBMITTED') ORDER BY "id"`,
        [accountIds],
      );
      for (const { id, accountId } of rows) accountOf.set(id, accountId);
      return new Map(rows.map(({ id, key }) => [Number(key.slice('request-'.length)), id]));
    },
    doublePayments(): string[] {
      return [...outside.paid]
        .filter(([, calls]) => calls > 1)
        .map(([id, calls]) => `${id}: the provider was called ${calls} times`);
    },
  };
}

/** A voice of the account and a picture for it to speak by, made without trouble: what its lipsyncs ask for. */
async function makeLipsync(ctx: SceneContext): Promise<object> {
  const make = (body: Record<string, unknown>, idempotencyKey: string) =>
    submitGeneration(ctx, { request: request(body), idempotencyKey });
  const voice = await make({ ...VOICE, text: 'Bonjour à tous.' }, 'a voice');
  const picture = await make({ kind: 'image', brief: 'Une personne' }, 'a picture');
  return { voiceGenerationId: voice.row.id, character: `${picture.row.id}#0` };
}
