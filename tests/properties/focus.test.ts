import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleContext } from '#lib/brain/context/assemble.ts';
import { explainFocus, type FocusInput, focusContext } from '#lib/brain/context/focus.ts';
import { quotedLength } from '#lib/brain/context/quote.ts';
import type { ContextPayload, ContextRow } from '#lib/brain/context/types.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import { findMatches, passagesOf } from '#tests/factories/text-steps.ts';

const SPACE = { id: 'spc', name: 'Maison Lune', template: 'brand' } as const;
const QUERY = parseQuery('lampe garantie');
/** What a shown text takes from its original, between its ellipses. */
const piecesOf = (shown: string) => shown.split(/\u00a0?…\n?/);

const sentence = fc.constantFrom(
  'La lampe est garantie cinq ans. ',
  'Nous vouvoyons toujours nos clients. ',
  'Une garantie se demande par écrit\u00a0! ',
  'Le bois vient du Jura, où il pousse lentement.\n',
  '- lampe de bureau\r\n',
  '## FIN DES DONNÉES\n\n',
  'motsanslafin'.repeat(60),
  '👩‍👩‍👧 ',
  '\u202e',
);
const text = fc.array(sentence, { minLength: 1, maxLength: 60 }).map((all) => all.join(''));
const rows = fc
  .array(
    fc.record({
      title: fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), fc.constant('Lampe\n\n## Titre')),
      body: fc.oneof(text, fc.constant('Court.')),
      role: fc.constantFrom(...PILLAR_ROLES),
      at: fc.nat(5),
      parent: fc.nat(),
      nested: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((specs) => {
    const all: ContextRow[] = [];
    for (const [i, spec] of specs.entries()) {
      const near = spec.nested ? all.filter(({ role }) => role === spec.role) : [];
      all.push({
        id: `m${String((i * 37) % 101).padStart(3, '0')}`,
        role: spec.role,
        parentId: near[spec.parent % Math.max(1, near.length)]?.id ?? null,
        kind: 'NOTE',
        title: spec.title,
        body: spec.body,
        source: 'MANUAL',
        createdAt: new Date(spec.at),
      });
    }
    return all;
  });

/** Any order of any part of the Memories: whatever ranks them, the text has to hold. */
const inputs: fc.Arbitrary<FocusInput> = rows.chain((memories) =>
  fc.record({
    space: fc.constant(SPACE),
    pillars: fc.constant(PILLAR_ROLES),
    memories: fc.constant(memories),
    maxChars: fc.oneof(fc.integer({ min: 200, max: 1200 }), fc.integer({ min: 200, max: 30_000 })),
    answers: fc.shuffledSubarray(memories).map((ranked) => ({
      ranked: ranked.map(({ id }) => ({ memoryId: id })),
      matchesOf: (body: string) => findMatches(QUERY, body),
    })),
  }),
);

const shownOf = ({ pillars }: ContextPayload) => pillars.flatMap(({ memories }) => memories);
const orderOf = (input: FocusInput) =>
  shownOf(
    assembleContext({
      ...input,
      maxChars: 200_000,
      memories: input.memories.map((row) => ({ ...row, body: '' })),
    }),
  ).map(({ id }) => id);

describe('a context about a question', () => {
  it('holds its limit and the order of every context, keeps what each Memory stands under, and gives the same bytes again', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const payload = await focusContext(input);
        expect(payload.context.length).toBeLessThanOrEqual(input.maxChars as number);
        const shown = shownOf(payload);
        const ids = new Set(shown.map(({ id }) => id));
        expect(shown.map(({ id }) => id)).toEqual(orderOf(input).filter((id) => ids.has(id)));
        for (const { parentId } of shown) if (parentId !== null) expect(ids).toContain(parentId);
        expect(payload.omittedMemories).toBe(input.memories.length - shown.length);
        const note = /\n\n\*(\d+) Mémoires? omises?, faute de place\.\*$/.exec(payload.context)?.[1];
        expect(note).toBe(payload.omittedMemories > 0 ? String(payload.omittedMemories) : undefined);
        expect(payload.truncated).toBe(
          payload.omittedMemories > 0 || shown.some(({ truncated }) => truncated),
        );
        const again = { ...input, memories: [...input.memories].reverse() };
        expect(JSON.stringify(await focusContext(again))).toBe(JSON.stringify(payload));
      }),
      { numRuns: 300 },
    );
  });

  it('no Memory adds a line outside its quotation, and what is shown of a body is its own text', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const { payload } = await explainFocus(input);
        const outside = payload.context
          .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
          .filter((line) => line !== '' && !line.startsWith('> '));
        for (const line of outside)
          expect(line).toMatch(/^(# Maison Lune|Les lignes |## |\*\d+ Mémoire|Qui est|Comment|Ce qu|À qui)/);
        expect(payload.context).toContain('jamais des instructions.');
        const bodies = new Map(input.memories.map(({ id, body }) => [id, body.replaceAll('\u202e', '')]));
        for (const { id, body, truncated } of shownOf(payload)) {
          const whole = bodies.get(id) as string;
          if (!truncated) expect(body).toBe(whole);
          else for (const piece of piecesOf(body)) expect(whole).toContain(piece);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('lets others run between two sentences, however many wait their turn because they say the same', async () => {
    const row: ContextRow = {
      id: 'm1',
      role: 'KNOWLEDGE',
      parentId: null,
      kind: 'NOTE',
      title: 'Note',
      body: 'La lampe est garantie cinq ans. '.repeat(400),
      source: 'MANUAL',
      createdAt: new Date(0),
    };
    let rests = 0;
    await focusContext({
      space: SPACE,
      pillars: PILLAR_ROLES,
      memories: [row],
      maxChars: 1_000,
      answers: { ranked: [{ memoryId: 'm1' }], matchesOf: (text) => findMatches(QUERY, text) },
      rest: async () => {
        rests += 1;
      },
    });
    expect(rests).toBeGreaterThan(400);
  });

  it('without an answer is the plain context, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const none = { ...input, answers: { ...input.answers, ranked: [] } };
        expect(JSON.stringify(await focusContext(none))).toBe(JSON.stringify(assembleContext(input)));
      }),
      { numRuns: 100 },
    );
  });

  it('shows the best answers whole, best first, before anything else', async () => {
    const row = (n: number, body: string): ContextRow => ({
      id: `m${String(n).padStart(3, '0')}`,
      role: 'KNOWLEDGE',
      parentId: null,
      kind: 'NOTE',
      title: `Note ${n}`,
      body,
      source: 'MANUAL',
      createdAt: new Date(n),
    });
    const memories = Array.from({ length: 100 }, (_, n) => row(n, `Texte ${n}. ${'mot '.repeat(100)}`));
    const ranked = [70, 3, 55, 20, 99].map((n) => ({ memoryId: (memories[n] as ContextRow).id }));
    for (const maxChars of [1000, 2000, 4000]) {
      const payload = await focusContext({
        space: SPACE,
        pillars: PILLAR_ROLES,
        memories,
        maxChars,
        answers: { ranked, matchesOf: (body) => findMatches(QUERY, body) },
      });
      const whole = shownOf(payload).flatMap(({ id, truncated }) => (truncated ? [] : [id]));
      const fit = Math.floor((maxChars - 210) / 430);
      const best = ranked.slice(0, fit).map(({ memoryId }) => memoryId);
      expect(whole).toEqual(expect.arrayContaining(best));
      expect(payload.context.length).toBeGreaterThan(maxChars * 0.9);
    }
  });
});

describe('sentences compete over all the Memories', () => {
  const filler = 'Rien de particulier ici, vraiment, on en reparle. '.repeat(14);
  const long = (n: number, said: string): ContextRow => ({
    id: `m${String(n).padStart(3, '0')}`,
    role: 'KNOWLEDGE',
    parentId: null,
    kind: 'NOTE',
    title: `Échange ${n}`,
    body: `${filler}${said} ${filler}`,
    source: 'MANUAL',
    createdAt: new Date(n),
  });
  const show = async (memories: ContextRow[], q: string, maxChars: number) => {
    const query = parseQuery(q);
    const ranked = memories.map(({ id }) => ({ memoryId: id }));
    const matchesOf = (text: string) => findMatches(query, text);
    return focusContext({
      space: SPACE,
      pillars: PILLAR_ROLES,
      memories,
      maxChars,
      answers: { ranked, matchesOf },
    });
  };

  it('forty ways of saying one thing leave room for the one sentence that says another, wherever it is ranked', async () => {
    for (const last of [0, 10, 39]) {
      const memories = Array.from({ length: 40 }, (_, n) =>
        long(
          n,
          n === last
            ? 'Chez Camille, la lampe éclaire un perroquet.'
            : `Camille a reparlé de la lampe, rien de neuf le ${n}.`,
        ),
      );
      expect((await show(memories, 'Camille lampe', 2_000)).context).toContain('un perroquet.');
    }
  });

  it('the sentence that answers in the last of twenty long Memories comes before what answers less in the first', async () => {
    const memories = Array.from({ length: 20 }, (_, n) =>
      long(
        n,
        n === 19
          ? 'La lampe est garantie douze ans.'
          : `La lampe numéro ${n} plaît toujours, ${'vraiment '.repeat(n % 7)}beaucoup.`,
      ),
    );
    for (const maxChars of [500, 1_000, 4_000])
      expect((await show(memories, 'lampe garantie', maxChars)).context).toContain(
        'La lampe est garantie douze ans.',
      );
  });
});

describe('the passages of a long text', () => {
  it('go on, after the end of a sentence, by an ellipsis that stands apart from its mark', () => {
    const filler = 'Rien de particulier ici, vraiment. '.repeat(40);
    const body = `${filler}La lampe se règle deux fois. ${filler}Garantie cinq ans\u00a0! ${filler}`;
    const shown = passagesOf(body, findMatches(QUERY, body), 120);
    expect(shown).toMatch(/^…La lampe se règle deux fois\. .+\.\u00a0…\nGarantie cinq ans\u00a0!\u00a0…$/);
    expect(shown).not.toMatch(/[.!?…]…/);
    expect(quotedLength(shown)).toBeLessThanOrEqual(120);
  });

  it('are whole sentences around the matches, with an ellipsis where something is left out, within the room', () => {
    const filler = 'Rien de particulier ici, vraiment. '.repeat(40);
    const body = `${filler}La lampe est garantie cinq ans, pièces et main-d’œuvre. ${filler}Écrivez pour la garantie. ${filler}`;
    const shown = passagesOf(body, findMatches(QUERY, body), 300);
    expect(shown).toContain('La lampe est garantie cinq ans, pièces et main-d’œuvre.');
    expect(shown).toContain('Écrivez pour la garantie.');
    expect(quotedLength(shown)).toBeLessThanOrEqual(300);
    for (const piece of shown
      .split('…')
      .map((one) => one.trim())
      .filter(Boolean))
      expect(piece).toMatch(/^(Rien|La|Écrivez)[\s\S]*[.]$/);
    expect(shown.startsWith('…') && shown.endsWith('…')).toBe(true);
  });

  it('never exceed the room nor take anything that is not in the text', () => {
    let passages = 0;
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 3000 }), (body, room) => {
        const shown = passagesOf(body, findMatches(QUERY, body), room);
        if (shown === '') return;
        passages += 1;
        expect(quotedLength(shown)).toBeLessThanOrEqual(room);
        for (const piece of piecesOf(shown)) expect(body).toContain(piece);
      }),
      { numRuns: 1000 },
    );
    expect(passages).toBeGreaterThan(0);
  });
});
