import { describe, expect, it } from 'vitest';
import { judgeReserve } from '#lib/ledger/judge-reserve.ts';
import { droppedSettings } from '#lib/providers/gateway/video-warnings.ts';
import { isBlackout } from '#lib/providers/github/blackout.ts';
import { decideCost } from '#lib/studio/closing/decide-cost.ts';
import { RENDER_DEADLINE_MS, VIDEO_DEADLINE_MS } from '#lib/studio/limits.ts';
import { checkSvg } from '#lib/studio/vector/svg-allow-list.ts';

describe('the limits of the specification, on both sides of each', () => {
  it('a render waits 100 minutes for its callback, a video lives 120', () => {
    expect(RENDER_DEADLINE_MS).toBe(6_000_000);
    expect(VIDEO_DEADLINE_MS).toBe(7_200_000);
  });

  it('a gateway cost exactly 20 % away from the formula is no divergence; one micro-dollar more is', () => {
    const divergent = (gatewayMicros: bigint) =>
      decideCost({ formulaMicros: 100_000n, gatewayMicros }, 100_000n).divergentMicros;
    expect([80_000n, 100_000n, 120_000n].map(divergent)).toEqual([null, null, null]);
    expect([79_999n, 120_001n].map(divergent)).toEqual([79_999n, 120_001n]);
  });

  it('a gateway cost of exactly 20 times the formula and the reserve, or of 50 $, is debited; one micro-dollar more debits the reserve', () => {
    const debited = (gatewayMicros: bigint, formulaMicros: bigint, heldMicros: bigint) => {
      const { costMicros, costSource } = decideCost({ formulaMicros, gatewayMicros }, heldMicros);
      return [costMicros, costSource];
    };
    expect(debited(2_000_000n, 100_000n, 90_000n)).toEqual([2_000_000n, 'gateway']);
    expect(debited(2_000_001n, 100_000n, 90_000n)).toEqual([90_000n, 'reserve']);
    // It is compared with the larger of the formula and the reserve.
    expect(debited(2_000_001n, 100_000n, 110_000n)).toEqual([2_000_001n, 'gateway']);
    expect(debited(50_000_000n, 10_000_000n, 10_000_000n)).toEqual([50_000_000n, 'gateway']);
    expect(debited(50_000_001n, 10_000_000n, 10_000_000n)).toEqual([10_000_000n, 'reserve']);
    // Above 50 $, but explained: within 20 % of what was expected.
    expect(debited(60_000_000n, 50_000_000n, 50_000_000n)).toEqual([60_000_000n, 'gateway']);
    expect(debited(60_000_001n, 50_000_000n, 50_000_000n)).toEqual([50_000_000n, 'reserve']);
  });

  it('a run in which one step was executed failed for a reason of its own: no quota', () => {
    const job = (change: object) => ({
      status: 'completed',
      conclusion: 'failure',
      started_at: '2026-11-10T12:00:00Z',
      completed_at: '2026-11-10T12:00:15Z',
      steps: [],
      ...change,
    });
    expect(isBlackout([job({})])).toBe(true);
    expect(isBlackout([job({ steps: [{ name: 'Set up job' }] })])).toBe(false);
    expect(isBlackout([job({}), job({ steps: [{}] })])).toBe(false);
    expect(isBlackout([job({ completed_at: '2026-11-10T12:00:15.001Z' })])).toBe(false);
    expect(isBlackout([job({ conclusion: 'cancelled' })])).toBe(false);
    expect(isBlackout([])).toBe(false);
  });

  it('a job that never started, with no time at all or without the one or the other, is quota too', () => {
    const job = { status: 'completed', conclusion: 'failure', started_at: null, completed_at: null };
    const at = '2026-11-10T12:00:00Z';
    expect(isBlackout([job])).toBe(true);
    expect(isBlackout([{ ...job, started_at: at }])).toBe(true);
    expect(isBlackout([{ ...job, completed_at: at }])).toBe(true);
    // GitHub has reported an end before the start.
    expect(isBlackout([{ ...job, started_at: at, completed_at: '2026-11-10T11:59:59Z' }])).toBe(true);
  });

  it('an end image that was dropped is told, wherever the warning names it, among others', () => {
    const dropped = (...warnings: { type: string; feature?: string; details?: string }[]) =>
      droppedSettings(warnings).endFrameDropped;
    expect(dropped({ type: 'unsupported', feature: 'lastFrame' })).toBe(true);
    expect(dropped({ type: 'unsupported', feature: 'frameImages', details: 'no last frame' })).toBe(true);
    expect(dropped({ type: 'unsupported', details: 'image_tail is ignored' })).toBe(true);
    expect(
      dropped({ type: 'unsupported', feature: 'seed' }, { type: 'unsupported', feature: 'end_image' }),
    ).toBe(true);
    expect(dropped({ type: 'unsupported', feature: 'frameImages' })).toBe(false);
    expect(dropped({ type: 'other', feature: 'lastFrame' })).toBe(false);
    expect(dropped()).toBe(false);
    expect(
      droppedSettings([
        { type: 'unsupported', feature: 'fps' },
        { type: 'unsupported', feature: 'fps' },
      ]).dropped,
    ).toEqual(['fps']);
  });

  it('each setting that decides the price of a video is told when the model drops it', () => {
    for (const feature of ['duration', 'resolution', 'generateAudio', 'mode', 'fps'])
      expect(droppedSettings([{ type: 'unsupported', feature }]).dropped).toEqual([feature]);
    expect(droppedSettings([{ type: 'unsupported', feature: 'seed' }]).dropped).toEqual([]);
    expect(droppedSettings([{ type: 'other', feature: 'fps' }]).dropped).toEqual([]);
  });

  it('a reference that its maker says it ignored is told; a start image is one, an end image is not, nor is one read in its own way', () => {
    const dropped = (feature: string, details?: string) =>
      droppedSettings([{ type: 'unsupported', feature, ...(details ? { details } : {}) }]).dropped;
    expect(dropped('inputReferences', 'The reference images were ignored.')).toEqual(['references']);
    expect(dropped('image', 'Text-to-video does not support image input. Use another model.')).toEqual([
      'references',
    ]);
    expect(dropped('frameImages', 'A video is no frame image; it was ignored.')).toEqual(['references']);
    expect(dropped('URL-based image input', 'URL will be ignored.')).toEqual(['references']);
    expect(dropped('frameImages', 'The last_frame image was ignored.')).toEqual([]);
    expect(dropped('inputReferences', 'The reference was treated as an image.')).toEqual([]);
    expect(dropped('inputReferences')).toEqual([]);
    expect(dropped('seed', 'It was ignored.')).toEqual([]);
  });

  it('a pictogram draws 10,000 elements and not one more, every reference followed', () => {
    // The root, `defs`, a group of 99 shapes (100), and 97 references that draw the group again (101 each): 9,899.
    const group = `<defs><g id="a">${'<path d="M0 0h1"/>'.repeat(99)}</g></defs>`;
    const check = (more: number) =>
      checkSvg(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${group}${'<use href="#a"/>'.repeat(97)}${'<path d="M0 0h2"/>'.repeat(more)}</svg>`,
      );
    expect(check(101)).toMatchObject({ ok: true });
    expect(check(102)).toMatchObject({ ok: false, reason: 'expansion' });
  });

  it('a wallet names what refuses: the balance first, then the cap of one generation, then the month’s, then the account’s ceiling, then that of the key or application', () => {
    const wallet = {
      availableMicros: 100n,
      perGenerationCapMicros: 50n,
      monthlyCapMicros: 70n,
      monthUsedMicros: 30n,
      accountCeilingMicros: 240n,
      accountUsedMicros: 200n,
      credentialCapMicros: null as bigint | null,
      credentialUsedMicros: 0n,
    };
    const why = (amount: bigint, change: Partial<typeof wallet> = {}) =>
      judgeReserve({ ...wallet, ...change }, amount);
    expect(why(40n)).toBeNull();
    expect(why(101n)).toEqual({ code: 'balance', detail: 'balance', availableMicros: 100n });
    expect(why(51n)).toEqual({ code: 'cap', detail: 'per-generation', capMicros: 50n, usedMicros: 30n });
    expect(why(41n)).toEqual({ code: 'cap', detail: 'monthly', capMicros: 70n, usedMicros: 30n });
    expect(why(40n, { accountUsedMicros: 201n })).toEqual({
      code: 'cap',
      detail: 'account',
      capMicros: 240n,
      usedMicros: 201n,
    });
    expect(why(100n, { monthUsedMicros: 0n })).toMatchObject({ detail: 'per-generation' });
    expect(why(40n, { credentialCapMicros: 60n, credentialUsedMicros: 20n })).toBeNull();
    expect(why(40n, { credentialCapMicros: 60n, credentialUsedMicros: 21n })).toEqual({
      code: 'cap',
      detail: 'credential',
      capMicros: 60n,
      usedMicros: 21n,
    });
  });
});
