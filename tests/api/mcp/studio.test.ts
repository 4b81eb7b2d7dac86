import { expect, it, onTestFinished, vi } from 'vitest';
import { POST as mcp } from '#app/api/mcp/route.ts';
import type { Scope } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { microsFromUsd } from '#lib/core/money.ts';
import { generationRequest } from '#lib/studio/request.ts';
import { fingerprintOf } from '#lib/studio/submission/find-replay.ts';
import { makeKey, makeSpace } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { ORIGIN, stopClock } from '#tests/setup/api.ts';
import { callTool, messageHeaders, modern, readMessage, speak } from '#tests/setup/mcp.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';

const service = useStudioApi();
const BOTH: Scope[] = ['studio:read', 'studio:generate'];
const IMAGE = { brief: 'Une bougie sur une table' };
const headers = { host: '127.0.0.1' };

async function assistant(scopes: Scope[], monthlyCapMicros?: bigint) {
  const { member } = await signedIn(service);
  const { secret: token } = await makeKey(service, member, {
    scopes,
    ...(monthlyCapMicros === undefined ? {} : { monthlyCapMicros }),
  });
  const generate = async (args: object) =>
    (await callTool('studio_generate_image', { ...IMAGE, ...args }, { token, headers })).result;
  const rows = () => service.db.generation.count({ where: { memberId: member.id } });
  return { token, member, generate, rows };
}

it('studio_generate_image tells the price and what the cap leaves, makes nothing; confirmed, it reserves once however often it is called', async () => {
  const { token, generate, rows } = await assistant(BOTH, 2_000_000n);
  const { structuredContent: price } = await generate({});
  expect(price).toMatchObject({ made: false, capUsd: 2, capLeftUsd: 2, refusal: null, generation: null });
  expect(await rows()).toBe(0);
  const confirmCostMicros = price.costMicros;
  const cheaper = await generate({ confirmCostMicros: confirmCostMicros - 1 });
  expect([cheaper.isError, cheaper.content[0].text]).toEqual([
    true,
    expect.stringContaining('rien n’a été fait'),
  ]);
  expect(await rows()).toBe(0);
  const all = await Promise.all(Array.from({ length: 5 }, () => generate({ confirmCostMicros })));
  const ids = new Set(all.map(({ structuredContent }) => structuredContent.generation.id));
  expect(ids.size).toBe(1);
  expect(await rows()).toBe(1);
  const again = (await generate({ confirmCostMicros })).structuredContent;
  expect(again).toMatchObject({ made: true, generation: { status: 'done' } });
  expect(microsFromUsd(again.capLeftUsd)).toBe(2_000_000n - microsFromUsd(again.generation.costUsd));
  const status = await callTool('studio_status', { generationId: again.generation.id }, { token, headers });
  expect(status.result.structuredContent).toEqual(again.generation);
  const journal = await callTool('studio_journal', { limit: 1, cursor: '' }, { token, headers });
  expect(journal.result.structuredContent).toEqual({ generations: [again.generation], nextCursor: null });
  // Once its files are deleted, it still cost what it cost.
  const where = { id: again.generation.id };
  await service.db.generation.update({ where, data: { filesDeletedAt: new Date() } });
  const gone = (await generate({ confirmCostMicros })).structuredContent;
  expect(gone.generation).toMatchObject({ status: 'deleted', costUsd: again.generation.costUsd });
  expect(gone.next).toContain('supprimés');
  // A key of the assistant's own says which one is meant: the same again is not made again, another is.
  const keyed = async (idempotencyKey: string) =>
    (await generate({ confirmCostMicros, idempotencyKey })).structuredContent.generation.id;
  const one = await keyed('une');
  expect([await keyed('une'), await rows()]).toEqual([one, 2]);
  expect([(await keyed('deux')) === one, await rows()]).toEqual([false, 3]);
  expect(await bookFaults(service)).toEqual([]);
});

it('a confirmed call that is tried again after midnight pays once; what was made already is said before it is asked for again', async () => {
  const { generate, rows } = await assistant(BOTH);
  const confirmed = { confirmCostMicros: (await generate({})).structuredContent.costMicros as number };
  stopClock();
  const midnightMs = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  vi.setSystemTime(midnightMs - 10_000);
  const first = (await generate(confirmed)).structuredContent;
  expect(first.next).toBe('Donnez openUrl à la personne\u00a0: elle y voit l’image.');
  vi.setSystemTime(midnightMs + 10_000);
  const again = (await generate(confirmed)).structuredContent;
  expect([again.generation.id, await rows()]).toEqual([first.generation.id, 1]);
  expect(again.next).toContain('avait déjà été faite');
  const price = (await generate({})).structuredContent;
  expect(price).toMatchObject({ made: false, generation: null });
  expect(price.next).toContain(first.generation.id);
  // A key of one's own says which is meant, whatever was asked for the day before.
  const own = (await generate({ ...confirmed, idempotencyKey: 'une-autre' })).structuredContent;
  expect([own.generation.id === first.generation.id, await rows()]).toEqual([false, 2]);
  vi.setSystemTime(midnightMs + 3_600_000);
  const other = (await generate(confirmed)).structuredContent;
  expect([other.generation.id === first.generation.id, await rows()]).toEqual([false, 3]);
  expect(await bookFaults(service)).toEqual([]);
});

it('the same brief with the context of a Space, and without, is two requests', async () => {
  const { member, generate, rows } = await assistant(['brain:read', ...BOTH]);
  const { id: accountId } = await service.db.account.update({
    where: { id: member.accountId },
    data: { contractualReads: 10 },
  });
  const { id: spaceId } = await makeSpace(service, accountId);
  const confirmed = { confirmCostMicros: 1_000_000_000 };
  const [plain, withSpace] = [await generate(confirmed), await generate({ ...confirmed, spaceId })];
  expect([plain.isError, withSpace.isError, await rows()]).toEqual([undefined, undefined, 2]);
});

it('an image that is still being made is asked for again by the same call; what is wrong or unknown says which field, and where to look', async () => {
  const { token, member, generate, rows } = await assistant(BOTH);
  const now = new Date();
  const deadlineAt = new Date(now.getTime() + 3_600_000);
  const request = generationRequest.parse({ kind: 'image', ...IMAGE });
  await service.db.generation.create({
    data: {
      id: createId('generation', now),
      accountId: member.accountId,
      memberId: member.id,
      productId: 'libre',
      kind: 'IMAGE',
      assetType: 'IMAGE',
      state: 'STARTING',
      searchText: '',
      params: {},
      references: {},
      artifacts: [],
      createdAt: now,
      updatedAt: now,
      deadlineAt,
      dueAt: deadlineAt,
      requestId: 'req_x',
      idempotencyKey: 'en-cours',
      idempotencyFingerprint: new Uint8Array(fingerprintOf({ request, relaunchOfId: null })),
    },
  });
  const asked = { confirmCostMicros: '40000', idempotencyKey: 'en-cours' };
  const running = (await generate(asked)).structuredContent;
  expect(running.generation.status).toBe('running');
  expect(running.next).toMatch(/Dans 15 s, rappelez avec les mêmes arguments/);
  expect(await rows()).toBe(1);
  const ratio = await generate({ aspectRatio: '7:13' });
  expect(ratio.isError).toBe(true);
  expect(ratio.content[0].text).toMatch(/^aspectRatio\u00a0: .+ Corrigez les arguments/);
  const { result } = await callTool('studio_status', { generationId: 'gen_inconnue' }, { token, headers });
  expect(result.content[0].text).toContain('studio_journal');
});

it('a spent cap is told before and refused after, in French, and nothing is made', async () => {
  const { generate, rows } = await assistant(BOTH, 1n);
  const { structuredContent: price } = await generate({});
  expect(price.refusal).toContain('plafond du mois de cette clé');
  const refused = await generate({ confirmCostMicros: price.costMicros });
  expect([refused.isError, refused._meta['atelier/error'].code]).toEqual([true, 'cap']);
  expect(await rows()).toBe(1);
});

it('the tools of the Studio are listed for who may use them, and another’s call is a challenge for their scope', async () => {
  const listed = async (token: string) => {
    const { tools } = (await speak(modern('tools/list'), { token, headers })).json.result;
    const names: string[] = tools.map(({ name }: { name: string }) => name);
    // Those of the Brain are listed to everybody, whatever the scopes.
    expect(names).toEqual(expect.arrayContaining(['brain_list_spaces', 'brain_search', 'brain_add_memory']));
    return names.filter((name) => name.startsWith('studio_'));
  };
  expect(await listed((await assistant(BOTH)).token)).toEqual([
    'studio_generate_image',
    'studio_status',
    'studio_journal',
  ]);
  expect(await listed((await assistant(['studio:read'])).token)).toEqual(['studio_status', 'studio_journal']);
  const { token } = await assistant(['brain:read']);
  expect(await listed(token)).toEqual([]);
  const refused = await speak(modern('tools/call', { name: 'studio_generate_image', arguments: IMAGE }), {
    token,
    headers,
  });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toContain('scope="studio:generate"');
});

it('a client that asked hears that its image is being made, so that it does not give up what is paid', async () => {
  const { token, generate } = await assistant(BOTH);
  const { costMicros: confirmCostMicros } = (await generate({})).structuredContent;
  const message = modern('tools/call', {
    name: 'studio_generate_image',
    arguments: { ...IMAGE, confirmCostMicros },
  });
  Object.assign(message.params._meta, { progressToken: 'image-1' });
  // Of the messages of a stream, the first.
  const { json } = await speak(message, { token, headers });
  expect(json).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 'image-1', progress: 0, message: 'L’image est en cours' },
  });
  expect((await generate({ confirmCostMicros })).structuredContent).toMatchObject({
    made: true,
    generation: { status: 'done' },
  });
});

it.each([
  ['2026-07-28', modern],
  ['2025-11-25', (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })],
] as const)(
  '%s: the answer of an image begins before it is made, so that nothing between ends a silent connection; in one piece for who takes that alone',
  async (_, of) => {
    const { token, generate } = await assistant(BOTH);
    const { costMicros: confirmCostMicros } = (await generate({})).structuredContent;
    const ask = (brief: string, accept: string) => {
      const message = of('tools/call', {
        name: 'studio_generate_image',
        arguments: { ...IMAGE, brief, confirmCostMicros },
      }) as Parameters<typeof messageHeaders>[0];
      return mcp(
        new Request(`${ORIGIN}/api/mcp`, {
          method: 'POST',
          headers: { ...messageHeaders(message), ...headers, authorization: `Bearer ${token}`, accept },
          body: JSON.stringify(message),
        }),
      );
    };
    const isMade = async (answer: Response) =>
      readMessage(await answer.text()).json.result.structuredContent.generation.status;
    const [reached, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put: typeof service.store.put = async (...file) => {
      reached.resolve();
      await kept.promise;
      return service.store.put(...file);
    };
    service.ports({ store: { ...service.store, put } });
    onTestFinished(() => {
      kept.resolve();
      service.ports({});
    });
    const begun = ask('Une bougie', 'application/json, text/event-stream');
    await reached.promise;
    const first = await Promise.race([begun, new Promise((turn) => setImmediate(turn, 'silent'))]);
    expect(first).toBeInstanceOf(Response);
    const answer = await begun;
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    kept.resolve();
    expect(await isMade(answer)).toBe('done');
    const whole = await ask('Une lampe', 'application/json');
    expect(whole.headers.get('content-type')).toBe('application/json');
    expect(await isMade(whole)).toBe('done');
  },
);
