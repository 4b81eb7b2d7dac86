import { describe, expect, it } from 'vitest';
import { microsFromUsd, usdFromMicros } from '#lib/core/money.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { listSent } from '#lib/studio/journal/list-sent.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { submitVariants } from '#lib/studio/submission/submit-variants.ts';
import { variantsBody, variantsHeaders, variantsQuery } from '#lib/studio/variants-schemas.ts';
import { makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import {
  IMAGE,
  recordedProviders,
  request,
  studioScene,
  withVoicesTogether,
} from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const asked = request(IMAGE);
/** What the recorded image holds and costs. */
const EACH = 30_000n;

/** Providers that count their calls, and answer the n-th one so. */
function counted(answer: (call: number) => 'success' | 'provider-error' = () => 'success') {
  const calls = { made: 0 };
  const with_ = (clock: Parameters<typeof recordedProviders>[0]) => ({
    ...recordedProviders(clock),
    image: {
      generate: (...input: Parameters<ReturnType<typeof recordedProviders>['image']['generate']>) => {
        calls.made += 1;
        return recordedProviders(clock, answer(calls.made)).image.generate(...input);
      },
    },
  });
  return { calls, with: with_ };
}

describe('several generations of one request', () => {
  it('are each held, made and settled by themselves, for the price that was said before', async () => {
    const { ctx, owner } = await studioScene(service);
    const preview = await previewGeneration(ctx, { request: asked, variants: 4 });
    expect(preview).toMatchObject({ heldUsd: usdFromMicros(EACH * 4n), eachUsd: usdFromMicros(EACH) });
    const { rows, isReplayed } = await submitVariants(ctx, {
      request: asked,
      variants: 4,
      idempotencyKey: 'four',
    });
    expect(isReplayed).toBe(false);
    expect(rows.map(({ state }) => state)).toEqual(Array(4).fill('COMPLETED'));
    expect(new Set(rows.map(({ artifacts }) => artifacts[0]?.pathname)).size).toBe(4);
    for (const { id } of rows) {
      const lines = await service.db.ledgerLine.findMany({
        where: { generationId: id },
        orderBy: { position: 'asc' },
      });
      expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'SETTLE']);
    }
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(4);
    const taken = (variants: number) => variantsBody.safeParse({ request: IMAGE, variants }).success;
    expect([0, 1, 4, 5].map(taken)).toEqual([false, true, true, false]);
    expect(variantsQuery.parse({ variants: '4' })).toEqual({ variants: 4 });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('share the one read of the Brain that their context costs', async () => {
    const { ctx, owner } = await studioScene(service, { capacityCu: 1_000 });
    const space = await makeSpace(service, owner.accountId);
    const { rows } = await submitVariants(ctx, {
      request: request({ ...IMAGE, spaceId: space.id }),
      variants: 3,
      idempotencyKey: 'context',
    });
    expect(rows.map(({ state }) => state)).toEqual(Array(3).fill('COMPLETED'));
    const { accountId } = owner;
    expect(await service.db.readMonth.findMany({ where: { accountId } })).toMatchObject([{ used: 1 }]);
  });

  it('asked again under the key, or pressed ten times at once, are the same ones; another number under it conflicts', async () => {
    const { ctx, owner, clock } = await studioScene(service);
    const provider = counted();
    const here = { ...ctx, studio: { ...ctx.studio, providers: provider.with(clock) } };
    const send = (variants = 3) =>
      submitVariants(here, { request: asked, variants, idempotencyKey: 'pressed' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
    const again = await send();
    expect(again.isReplayed).toBe(true);
    const ids = again.rows.map(({ id }) => id);
    expect(new Set(answers.flatMap(({ rows }) => rows.map(({ id }) => id)))).toEqual(new Set(ids));
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(provider.calls.made).toBe(3);
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(3);
    expect((await listSent(ctx, { idempotencyKey: 'pressed' })).map(({ id }) => id)).toEqual(ids);
    await expect(send(2)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await expect(send(4)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const other = { request: request({ ...IMAGE, brief: 'Autre' }), variants: 3, idempotencyKey: 'pressed' };
    await expect(submitVariants(here, other)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const rows = await service.db.generation.findMany({ where: { memberId: owner.memberId } });
    expect(rows.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([
      'pressed',
      'pressed#2',
      'pressed#3',
    ]);
    expect(variantsHeaders.safeParse({}).success).toBe(false);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('conflict with one generation asked under their key, whichever came first, or both at once', async () => {
    const voice = request({ kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' });
    const conflict = { code: 'idempotency_conflict' };
    const scene = await studioScene(service);
    const { ctx } = scene;
    const one = (key: string, on = ctx) => submitGeneration(on, { request: voice, idempotencyKey: key });
    const several = (key: string, variants: number, on = ctx) =>
      submitVariants(on, { request: voice, variants, idempotencyKey: key });
    await one('one-first');
    for (const variants of [1, 2])
      await expect(several('one-first', variants)).rejects.toMatchObject(conflict);
    await several('two-first', 2);
    await expect(one('two-first')).rejects.toMatchObject(conflict);
    // Both have looked for the key's rows, and found none, before any is written.
    const together = withVoicesTogether(scene, 2);
    const pressed = await Promise.allSettled([one('at-once', together), several('at-once', 2, together)]);
    expect(pressed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(pressed.find(({ status }) => status === 'rejected')).toMatchObject({ reason: conflict });
    const made = await service.db.generation.count({ where: { memberId: scene.owner.memberId } });
    expect([4, 5]).toContain(made);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('made before a first one had the key itself are found by it still', async () => {
    const { ctx, owner } = await studioScene(service);
    const send = () => submitVariants(ctx, { request: asked, variants: 2, idempotencyKey: 'older' });
    const { rows } = await send();
    await service.db.generation.updateMany({
      where: { memberId: owner.memberId, idempotencyKey: 'older' },
      data: { idempotencyKey: 'older#1' },
    });
    const again = await send();
    expect(again.isReplayed).toBe(true);
    expect(again.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('sent twice at once under one key, with credit for them alone, are the same ones and refuse nobody', async () => {
    const voice = request({ kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' });
    const { ctx: rich } = await studioScene(service);
    const { heldUsd } = await previewGeneration(rich, { request: voice, variants: 2 });
    const scene = await studioScene(service, { creditMicros: microsFromUsd(heldUsd) });
    // Both have looked for the key's rows, and found none, before any is written.
    const ctx = withVoicesTogether(scene, 2);
    const answers = await Promise.all(
      [1, 2].map(() => submitVariants(ctx, { request: voice, variants: 2, idempotencyKey: 'twice' })),
    );
    expect(answers.map(({ isReplayed }) => isReplayed).sort()).toEqual([false, true]);
    expect(new Set(answers.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(2);
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(2);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('are all refused before anybody is called when the wallet holds but two of four, with the figures', async () => {
    const { ctx, owner, clock } = await studioScene(service, { creditMicros: EACH * 2n + 1n });
    const provider = counted();
    const here = { ...ctx, studio: { ...ctx.studio, providers: provider.with(clock) } };
    const preview = await previewGeneration(here, { request: asked, variants: 4 });
    const send = () => submitVariants(here, { request: asked, variants: 4, idempotencyKey: 'too-many' });
    const refused = await send().catch((error) => error);
    expect(refused).toMatchObject({ code: 'balance', options: { detail: 'balance' } });
    expect(refused.options.message).toMatch(/0,06.*0,12/);
    expect(refused.options.message).toContain('Aucune des 4 générations');
    expect(preview.refusal).toEqual({ code: 'balance', message: refused.options.message });
    expect(provider.calls.made).toBe(0);
    const rows = await service.db.generation.findMany({ where: { memberId: owner.memberId } });
    expect(rows.map(({ state, id }) => [state, id])).toEqual([['CANCELLED', refused.options.subject]]);
    const wallet = await service.db.wallet.findUniqueOrThrow({ where: { memberId: owner.memberId } });
    expect(wallet.heldMicros).toBe(0n);
    // The key stayed free: two go under it once the member asks for what there is.
    const two = await submitVariants(here, { request: asked, variants: 2, idempotencyKey: 'too-many' });
    expect(two.rows).toHaveLength(2);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('pass the cap of one generation one by one, and that of the month together', async () => {
    const { ctx, owner } = await studioScene(service);
    const send = (key: string) => submitVariants(ctx, { request: asked, variants: 3, idempotencyKey: key });
    await setCaps(ctx, { memberId: owner.memberId, perGenerationCapMicros: EACH });
    expect((await send('under')).rows).toHaveLength(3);
    await setCaps(ctx, {
      memberId: owner.memberId,
      perGenerationCapMicros: null,
      monthlyCapMicros: EACH * 5n,
    });
    await expect(send('over')).rejects.toMatchObject({ code: 'cap', options: { detail: 'monthly' } });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('pass the account’s ceiling and the cap of their key together or not at all, as the preview says, and nobody is called', async () => {
    const { ctx, owner, clock } = await studioScene(service);
    const provider = counted();
    const here = { ...ctx, studio: { ...ctx.studio, providers: provider.with(clock) } };
    const held = async () =>
      (await service.db.wallet.findUniqueOrThrow({ where: { memberId: owner.memberId } })).heldMicros;
    const refusedFor = async (by: typeof here, detail: string) => {
      const preview = await previewGeneration(by, { request: asked, variants: 3 });
      const asking = { request: asked, variants: 3, idempotencyKey: detail };
      const refused = await submitVariants(by, asking).catch((error) => error);
      expect(refused).toMatchObject({ code: 'cap', options: { detail } });
      expect(preview).toMatchObject({ heldUsd: usdFromMicros(EACH * 3n), eachUsd: usdFromMicros(EACH) });
      expect(preview.refusal).toEqual({ code: 'cap', message: refused.options.message });
      const { subject: id } = refused.options;
      expect(await service.db.generation.findUniqueOrThrow({ where: { id } })).toMatchObject({
        state: 'CANCELLED',
        code: 'cap',
      });
      expect([provider.calls.made, await held()]).toEqual([0, 0n]);
    };
    const where = { accountId: owner.accountId };
    await service.db.budget.update({ where, data: { monthlyCeilingMicros: EACH * 3n - 1n } });
    await refusedFor(here, 'account');
    await service.db.budget.update({ where, data: { monthlyCeilingMicros: EACH * 3n } });
    const member = await service.db.member.findUniqueOrThrow({ where: { id: owner.memberId } });
    const { secret } = await makeKey(service, member, {
      scopes: ['studio:read', 'studio:generate'],
      monthlyCapMicros: EACH * 3n - 1n,
      now: clock.now(),
    });
    const found = await authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: true });
    if (!found) throw new Error('the key is refused');
    await refusedFor({ ...here, actor: found.actor } as unknown as typeof here, 'credential');
    const whole = await submitVariants(here, { request: asked, variants: 3, idempotencyKey: 'whole' });
    expect(whole.rows).toHaveLength(3);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('fail one by one: what one provider’s answer spoils is refunded, the others are delivered and debited', async () => {
    const { ctx, clock } = await studioScene(service);
    const provider = counted((call) => (call === 2 ? 'provider-error' : 'success'));
    const here = { ...ctx, studio: { ...ctx.studio, providers: provider.with(clock) } };
    const { rows } = await submitVariants(here, { request: asked, variants: 3, idempotencyKey: 'one-bad' });
    expect(rows.map(({ state }) => state).sort()).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
    for (const { id, state } of rows) {
      const lines = await service.db.ledgerLine.findMany({
        where: { generationId: id },
        orderBy: { position: 'asc' },
      });
      const closing = state === 'FAILED' ? 'REFUND' : 'SETTLE';
      expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', closing]);
    }
    expect(await bookFaults(service)).toEqual([]);
  });

  it('of what would come out the same each time are refused; so is a key of another member to who asks what it made', async () => {
    const { ctx } = await studioScene(service);
    for (const body of [
      { ...IMAGE, seed: 7 },
      { ...IMAGE, case: 'image-upscale', references: ['x'], scale: 2 },
      // Twice as large, as no scale says.
      { ...IMAGE, case: 'image-upscale', references: ['x'] },
      { kind: 'lipsync', voiceGenerationId: 'gen_x', character: 'x' },
      { kind: 'render', template: 'quote-card', size: '1080x1080', fields: { quote: 'La cire.' } },
    ]) {
      const refused = { code: 'invalid', options: { detail: 'variants' } };
      const same = { request: request(body), variants: 2 };
      await expect(submitVariants(ctx, { ...same, idempotencyKey: 'same' })).rejects.toMatchObject(refused);
      await expect(previewGeneration(ctx, same)).rejects.toMatchObject(refused);
    }
    await submitGeneration(ctx, { request: asked, idempotencyKey: 'mine' });
    expect(await listSent(ctx, { idempotencyKey: 'mine' })).toHaveLength(1);
    const stranger = await studioScene(service);
    const other = await makeMember(service, ctx.actor.accountId, { permissions: ['generate'] });
    for (const who of [stranger.ctx, { ...ctx, actor: memberActor(other) }])
      expect(await listSent(who, { idempotencyKey: 'mine' })).toEqual([]);
  });
});
