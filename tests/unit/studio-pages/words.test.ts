import { describe, expect, it } from 'vitest';
import { type ComposerData, EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import { fromRequest } from '#app/_studio/composer/draft/from-request.ts';
import { leftOut } from '#app/_studio/composer/draft/left-out.ts';
import { firstRole } from '#app/_studio/composer/draft/roles.ts';
import { toRequest } from '#app/_studio/composer/draft/to-request.ts';
import { journalHref, readIds } from '#app/_studio/journal/filters/query.ts';
import { readAddress } from '#app/_studio/journal/filters/read-address.ts';
import { retentionWords } from '#app/_studio/journal/rows/retention-words.ts';
import { reviewWords } from '#app/_studio/review/review-words.ts';
import { moneyWords, nextCloser } from '#app/_studio/words.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { MODELS } from '#lib/providers/models/catalogue.ts';
import { generationRequest } from '#lib/studio/request.ts';

/** The problems of a refusal. */
const refusalOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return (error as ServiceError).options.problems;
  }
};

const START = '2026-11-21T10:00:00.000Z';
const at = (seconds: number) => Date.parse(START) + seconds * 1000;
const row = {
  status: 'running' as const,
  charge: 'open' as const,
  heldUsd: 0.4,
  costUsd: null,
  chargePending: false,
  params: {},
  kind: 'VIDEO' as const,
  createdAt: START,
  submittedAt: START,
};
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('who closes a running row next', () => {
  it('is a read at fifteen seconds, then the first sweep after five minutes, on the clock of the sweeps', () => {
    expect(plain(nextCloser(row, at(3)))).toBe('vérification dans 12 s');
    expect(plain(nextCloser(row, at(60)))).toBe('relève automatique dans 4 min');
    expect(plain(nextCloser(row, at(301)))).toBe('relève automatique dans 4 min 59 s');
    expect(plain(nextCloser({ ...row, params: { webhook: true } }, at(60)))).toMatch(
      /^clos par le fournisseur, sinon /,
    );
  });

  it('is counted from the start of a video, however long its provider took to answer, and from the dispatch of a render', () => {
    const slow = { ...row, submittedAt: '2026-11-21T10:00:40.000Z' };
    expect(plain(nextCloser(slow, at(45)))).toBe('relève automatique dans 4 min 15 s');
    expect(plain(nextCloser({ ...slow, kind: 'RENDER' }, at(45)))).toBe(
      'clos par le service de rendu, au plus tard dans 1 h 39 min',
    );
  });

  it('is the answer within its budget for an image, and the sweep once the budget is spent', () => {
    expect(plain(nextCloser({ ...row, kind: 'IMAGE' }, at(20)))).toBe('réponse au plus tard dans 1 min 40 s');
    expect(plain(nextCloser({ ...row, kind: 'IMAGE' }, at(130)))).toBe('relève automatique dans 12 min 50 s');
  });
});

it('a row says « non débité » as soon as nothing is owed, and never before', () => {
  expect(plain(moneyWords(row))).toBe('0,40 $US retenu');
  expect(plain(moneyWords({ ...row, status: 'failed', charge: 'refunded' }))).toBe('non débité');
  expect(plain(moneyWords({ ...row, status: 'done', charge: 'settled', costUsd: 0.0421 }))).toBe(
    '0,0421 $US',
  );
  expect(
    plain(moneyWords({ ...row, status: 'done', chargePending: true, params: { pendingCostMicros: 30_000 } })),
  ).toBe('0,03 $US mesuré, débit en attente');
});

it('a file says when it expires, warns in its last days, and says nothing of time once something keeps it', () => {
  const file = {
    id: 'a',
    generationId: 'g',
    state: 'GENERATED' as const,
    reviewReason: null,
    type: 'IMAGE' as const,
    reviews: [],
    lasting: null,
    expiresAt: new Date(at(12 * 86_400)),
  };
  expect(retentionWords(file, at(0))).toMatchObject({ text: 'expire dans 12\u00a0jours', soon: false });
  expect(retentionWords(file, at(9 * 86_400)).soon).toBe(true);
  expect(retentionWords(file, at(11 * 86_400))).toMatchObject({
    text: 'expire dans 1\u00a0j',
    short: '1\u00a0j',
  });
  expect(retentionWords({ ...file, lasting: 'avatar', expiresAt: null }, at(0))).toMatchObject({
    text: 'gardé',
    reason: 'gardé comme avatar',
  });
});

it('the journal’s address keeps the API’s filters, drops and names what the API would refuse, in one order', () => {
  const address = readAddress({ status: 'done', kind: 'nimporte', q: 'bougie', vue: 'table' });
  expect(address).toMatchObject({
    filters: { status: 'done', q: 'bougie' },
    ignored: ['kind'],
    view: 'table',
  });
  expect(journalHref({ q: 'bougie', status: 'done' }, { kind: 'image' })).toBe(
    '/journal?status=done&kind=image&q=bougie',
  );
  expect(journalHref({ status: 'done' }, { status: null })).toBe('/journal');
  // The identifiers to compare: each once, four at most.
  const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `gen_${letter.repeat(26)}`);
  expect(readIds(['gen_x', ids[0], ...ids].join(','))).toEqual(ids.slice(0, 4));
});

describe('the composer’s request', () => {
  const data = { cases: MODELS, templates: [] } as unknown as ComposerData;

  it('is accepted by the API’s own schema for every kind, and comes back as the same draft', () => {
    const draft = { ...EMPTY_DRAFT, brief: 'Une bougie', text: 'Bonjour', voiceGenerationId: 'gen_x' };
    for (const kind of ['image', 'vector', 'voice', 'video', 'lipsync'] as const) {
      const parsed = generationRequest.safeParse(
        JSON.parse(JSON.stringify(toRequest({ ...draft, kind }, data))),
      );
      expect(parsed.error?.issues, kind).toBeUndefined();
      if (!parsed.data) continue;
      const again = fromRequest(parsed.data, {});
      expect(JSON.parse(JSON.stringify(toRequest(again, data)))).toMatchObject(
        JSON.parse(JSON.stringify(toRequest({ ...draft, kind }, data))),
      );
    }
  });

  it('sends only what the model offers: another model’s setting or role stays in the draft', () => {
    const draft = {
      ...EMPTY_DRAFT,
      kind: 'video' as const,
      videoCase: 'cinematic',
      brief: 'x',
      durationSeconds: '4',
      resolution: '4k',
      references: [
        { key: '1', role: 'clips' as const, ref: 'upl_1', name: 'clip', contentType: 'video/mp4' },
      ],
    };
    const request = toRequest(draft, data);
    expect(request.durationSeconds).toBe(4);
    expect(request.resolution).toBeUndefined();
    expect(request.clips).toBeUndefined();
    expect(toRequest({ ...draft, videoCase: 'seedance-2' }, data).clips).toEqual(['upl_1']);
    expect(firstRole({ ...draft, videoCase: 'seedance-2' }, data, 'video/mp4')).toBe('clips');
  });

  it('reads a number as it is typed in French, and sends what is none for the server to name its field', () => {
    const image = { ...EMPTY_DRAFT, kind: 'image' as const, brief: 'Une bougie' };
    const seed = (typed: string) => toRequest({ ...image, seed: typed }, data).seed;
    expect(['1 000', '1\u202f000', '1\u00a0000', ' 42 '].map(seed)).toEqual([1000, 1000, 1000, 42]);
    expect(seed(' ')).toBeUndefined();
    const voice = { ...EMPTY_DRAFT, kind: 'voice' as const, text: 'Bonjour' };
    const stability = (typed: string) => toRequest({ ...voice, stability: typed }, data).stability;
    expect(['0,5', '0.5', '0,', '-0,5'].map(stability)).toEqual([0.5, 0.5, 0, -0.5]);
    const said = (draft: typeof EMPTY_DRAFT) =>
      refusalOf(() => validate(generationRequest, JSON.parse(JSON.stringify(toRequest(draft, data)))));
    const named = (field: string, message: string) => [{ field, message }];
    for (const typed of ['0,5,5', '1e3', '½', '١', '１', '12 $', '--1'])
      expect([typed, said({ ...voice, speed: typed })]).toEqual([
        typed,
        named('speed', 'Il faut un nombre.'),
      ]);
    expect(said({ ...voice, speed: '12' })).toEqual(named('speed', 'La valeur doit être d’au plus 1,2.'));
    for (const typed of ['1,5', '1e3', '½'])
      expect([typed, said({ ...image, seed: typed })]).toEqual([
        typed,
        named('seed', 'Il faut un nombre entier.'),
      ]);
    // Eleven digits were cut to ten, and a minus left out: another number than the one typed.
    expect(said({ ...image, seed: '21474836471' })?.[0]?.field).toBe('seed');
    expect(said({ ...image, seed: '-3' })?.[0]?.field).toBe('seed');
  });

  it('leaves out the empty items of a list, but those that a list lacks, which are asked for where they stand', () => {
    const sent = (required: boolean, items: Record<string, string>[]) => {
      const field = { id: 'slides', kind: 'list', required, minItems: 2 };
      const templates = [{ id: 'carousel', sizes: [], fields: [field] }];
      const draft = {
        ...EMPTY_DRAFT,
        kind: 'render' as const,
        template: 'carousel',
        fields: { carousel: { title: ' ', slides: items } },
      };
      return toRequest(draft, { ...data, templates } as unknown as ComposerData).fields;
    };
    const [one, two] = [{ title: 'Une' }, { title: 'Deux' }];
    expect(sent(true, [one, { title: ' ' }, two, {}])).toEqual({ slides: [one, two] });
    expect(sent(true, [{}, two, {}])).toEqual({ slides: [{}, two] });
    expect(sent(false, [{}, { title: '' }])).toEqual({});
    expect(sent(false, [{}, one])).toEqual({ slides: [one] });
  });
});

it('the badge of a row says what its files have in common, else what is left to judge, else how many passed', () => {
  const file = (
    state: 'GENERATED' | 'REJECTED' | 'APPROVED' | 'DELIVERED',
    reviewReason: string | null = null,
  ) => ({
    state,
    reviewReason,
  });
  expect(reviewWords([])).toBeNull();
  expect(reviewWords([file('REJECTED', 'Doublon')])).toMatchObject({
    label: 'Rejeté',
    tone: 'fail',
    tip: 'Doublon',
  });
  expect(reviewWords([file('APPROVED'), file('APPROVED')])).toMatchObject({ label: 'Approuvé', tip: null });
  expect(reviewWords([file('APPROVED'), file('GENERATED')])).toMatchObject({ label: '1 à vérifier sur 2' });
  expect(reviewWords([file('APPROVED'), file('REJECTED', 'Flou')])).toMatchObject({
    label: '1 sur 2 gardé',
    tip: 'Flou',
  });
  expect(reviewWords([file('APPROVED'), file('DELIVERED'), file('REJECTED')])).toMatchObject({
    label: '2 sur 3 gardés',
  });
});

it('what a reference lacks is said in words that agree with it', () => {
  const lacking = (imageCase: string, ...roles: ('mask' | 'source' | 'startImage')[]) =>
    leftOut(
      {
        ...EMPTY_DRAFT,
        imageCase,
        references: roles.map((role, at) => ({ key: `r${at}`, role, ref: 'upl_1', name: 'a' })),
      },
      {} as ComposerData,
    );
  expect(plain(lacking('image-edit', 'mask').unpaired?.sentence ?? '')).toBe(
    '« Masque » ne part pas sans « Image de départ » : ajoutez-la, ou changez ce rôle.',
  );
  expect(plain(lacking('image-edit', 'source').unpaired?.sentence ?? '')).toBe(
    '« Image de départ » ne part pas sans « Masque » : ajoutez-le, ou changez ce rôle.',
  );
  expect(plain(lacking('image-fast', 'mask', 'mask').reasons.get('r1') ?? '')).toBe(
    'Une seule référence « Masque » part, la première : changez ce rôle ou retirez l’autre.',
  );
});
