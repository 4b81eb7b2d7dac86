import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { localSecrets } from '#lib/local/secrets.ts';
import { signGatewayBody } from '#lib/providers/gateway/signature.ts';
import { readMp4 } from '#tests/setup/storage/measure-media.ts';
import { until } from '#tests/setup/until.ts';
import {
  type Answered,
  age,
  ageTo,
  type Caller,
  callerOf,
  finishNow,
  linesOf,
  readUntil,
  sweepOver,
} from '../setup/caller.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';
import { fund } from '../setup/scenes/studio.ts';
import { serveBeside } from '../setup/serve-beside.ts';
import { openStoreOf } from '../setup/uploads.ts';

const app = inject('app');
const PATH = '/api/generations';
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
const QUOTE = {
  kind: 'render',
  template: 'quote-card',
  size: '1080x1080',
  fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
};

let scenes: Scenes;
let seat: Seat;
let caller: Caller;
let beside: Awaited<ReturnType<typeof serveBeside>>;

// An instance with a public https address in its settings. Providers are given this address for callbacks, but nothing listens there.
beforeAll(async () => {
  scenes = await openScenes(app);
  beside = await serveBeside(app, { SERVICE_PUBLIC_URL: 'https://atelier.exemple.test' });
  seat = await scenes.seat();
  await fund(seat, 50_000_000n);
  caller = callerOf(beside.baseUrl, seat, { https: true });
});
afterAll(async () => {
  await beside?.stop();
  await scenes?.close();
});

const stored = (id: string) => seat.ctx.db.generation.findUniqueOrThrow({ where: { id } });

/** A running video that the recorded provider has finished, with the body of its callback and the secret that signs it. */
async function finishedVideo() {
  const { status, json: row } = await caller.post(PATH, VIDEO);
  expect(status).toBe(202);
  expect(row.params.webhook).toBe(true);
  const { providerWebhookSecret } = await stored(row.id);
  await finishNow(seat, row.id);
  const body = JSON.stringify({
    type: 'video.completed',
    data: { jobId: row.providerJobId, status: 'completed' },
  });
  return { row, body, secret: providerWebhookSecret ?? '' };
}

async function deliver(id: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`${beside.baseUrl}/api/webhooks/video/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await answer.text();
  return answer.status;
}

const signed = (body: string, secret: string, at = new Date()) => ({
  'x-ai-gateway-signature': signGatewayBody(body, secret, at),
});

describe('the webhook of a video, through its route', () => {
  it('closes the row by itself, settles once, and does nothing more however often it is replayed', async () => {
    const { row, body, secret } = await finishedVideo();
    expect(secret).not.toBe('');
    const headers = signed(body, secret);
    // Three deliveries at once, as from a sender that retries.
    const answers = await Promise.all([1, 2, 3].map(() => deliver(row.id, body, headers)));
    expect(answers.every((status) => status === 204)).toBe(true);
    // Nobody reads the row over HTTP: a read could close it.
    await until('the row to be closed', async () => (await stored(row.id)).state === 'COMPLETED');
    expect(await stored(row.id)).toMatchObject({ closedBy: 'webhook', providerWebhookSecret: null });
    const once = [
      ['RESERVE', 0n],
      ['SETTLE', -400_000n],
    ];
    expect(await linesOf(seat, row.id)).toEqual(once);
    expect(await deliver(row.id, body, headers)).toBe(204);
    expect(await deliver(row.id, 'no longer read', {})).toBe(401);
    expect(await linesOf(seat, row.id)).toEqual(once);
    const { json } = await caller.get(`${PATH}/${row.id}`);
    const { bytes } = await caller.file(json.files[0]?.url ?? '');
    expect(readMp4(bytes).find(({ handler }) => handler === 'vide')).toMatchObject({
      durationMs: 4_000,
      whole: true,
    });
  });

  it('that is forged, stale, from the future, truncated, of another row or job, or oversized is refused; signed and unreadable, it only has the row read', async () => {
    const { row, body, secret } = await finishedVideo();
    const other = await finishedVideo();
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const foreignJob = JSON.stringify({
      type: 'video.completed',
      data: { jobId: other.row.providerJobId, status: 'completed' },
    });
    const refused: [string, Promise<number>][] = [
      ['unsigned', deliver(row.id, body)],
      ['forged', deliver(row.id, body, signed(body, 'whsec_of_somebody_else'))],
      ['stale', deliver(row.id, body, signed(body, secret, minutes(-6)))],
      ['from the future', deliver(row.id, body, signed(body, secret, minutes(6)))],
      ['truncated', deliver(row.id, body.slice(0, -2), signed(body, secret))],
      ['of another row', deliver(row.id, other.body, signed(other.body, other.secret))],
      ['of another job, well signed', deliver(row.id, foreignJob, signed(foreignJob, secret))],
      ['of a row that is not', deliver('gen_00000000000000000000000000', body, signed(body, secret))],
    ];
    for (const [name, status] of refused) expect(await status, name).toBe(401);
    const large = JSON.stringify({ jobId: row.providerJobId, padding: 'x'.repeat(70_000) });
    expect(await deliver(row.id, large, signed(large, secret))).toBe(413);
    expect(await stored(row.id)).toMatchObject({ state: 'SUBMITTED', providerWebhookSecret: secret });
    expect(await linesOf(seat, row.id)).toEqual([['RESERVE', 0n]]);
    // The body of a video's callback is not documented: if it is signed, it only makes the app ask the provider.
    expect(await deliver(row.id, '{"data":', signed('{"data":', secret))).toBe(204);
    await until('the row to be closed', async () => (await stored(row.id)).state === 'COMPLETED');
    expect(await linesOf(seat, row.id)).toHaveLength(2);
    expect(await stored(other.row.id)).toMatchObject({ state: 'SUBMITTED' });
  });

  it('is never registered for an instance without a public https address, whatever the request claims to have come by', async () => {
    const plain = callerOf(app.baseUrl, seat);
    const { json } = await plain.post(PATH, VIDEO, { 'x-forwarded-proto': 'https' });
    expect(json).toMatchObject({ status: 'running', params: { webhook: false } });
    expect((await stored(json.id)).providerWebhookSecret).toBeNull();
  });
});

describe('a render whose callback cannot reach the service', () => {
  it('publishes and is never heard of: no-callback at 100 minutes by the sweep, refunded, the published file said', async () => {
    const { CRON_SECRET } = await localSecrets(app.dataDir);
    const { status, json: row } = await caller.post(PATH, QUOTE);
    expect(status).toBe(202);
    const store = await openStoreOf(app);
    try {
      const { list } = await import('@vercel/blob');
      const published = async () =>
        (await list({ prefix: `generations/${row.id}/`, token: store.token })).blobs.length > 0;
      await until('the run to publish its file', published);
    } finally {
      await store.close();
    }
    const read = async (): Promise<Answered> => (await caller.get(`${PATH}/${row.id}`)).json;
    await ageTo(seat, row.id, 99);
    await sweepOver(app.baseUrl, CRON_SECRET);
    expect(await read()).toMatchObject({ status: 'running', charge: 'open' });
    await age(seat, row.id, 1.1);
    expect(await read()).toMatchObject({ status: 'no-callback' });
    await sweepOver(app.baseUrl, CRON_SECRET);
    const closed = await readUntil(caller, row.id, ({ charge }) => charge === 'refunded');
    expect(closed).toMatchObject({
      status: 'no-callback',
      label: 'Sans retour',
      closedBy: 'sweep',
      charge: 'refunded',
      costUsd: null,
      canRelaunch: true,
    });
    expect(closed.message).toContain('Un fichier a pourtant été publié');
    expect(await linesOf(seat, row.id)).toEqual([
      ['RESERVE', 0n],
      ['REFUND', 0n],
    ]);
  });
});
