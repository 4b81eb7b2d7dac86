import { describe, expect, test } from 'vitest';
import { type Entry, entriesOf, everythingOf, saidOf } from '#app/(cockpit)/corbeille/entries.ts';

const at = new Date('2026-11-21T10:00:00Z');
const memory = (memories: number) =>
  ({ memory: { deletionId: `del_${memories}`, memories, deletedAt: at } }) as unknown as Entry;
const thing = (kind: string, files = 1) =>
  ({ thing: { id: 'x', kind, files, deletedAt: at } }) as unknown as Entry;
const said = (...entries: Entry[]) => saidOf(entries, entries.length).replaceAll('\u00a0', ' ');

describe('the summary of the bin', () => {
  test('counts what the types count, and says what went with it apart', () => {
    expect(said(memory(4), memory(1), memory(1))).toBe(
      '3 mémoires supprimées avec les 3 qu’elles contenaient',
    );
    expect(said(memory(2))).toBe('1 mémoire supprimée avec celle qu’elle contenait');
    expect(said(memory(1), memory(1), memory(1))).toBe('3 mémoires supprimées');
    expect(said(thing('files'), thing('files'))).toBe('2 fichiers supprimés');
    expect(said(thing('files', 4), thing('files'))).toBe('2 suppressions de 5 fichiers');
    expect(said(memory(1), thing('upload'), thing('avatar'), thing('concept'))).toBe(
      '1 mémoire supprimée, 1 envoi supprimé, 1 avatar supprimé, 1 concept supprimé',
    );
  });

  test('of more than it shows, counts all', () => {
    expect(saidOf([memory(1), memory(1)], 1_200)).toBe('Les 2 dernières suppressions sur 1\u202f200');
  });

  test('of a later page, says that it goes on, and of how many', () => {
    expect(saidOf([memory(1), memory(1)], 102, 2)).toBe('Suite\u00a0: 2\u00a0suppressions sur 102');
  });

  test('of everything that comes back, counts what no page shows yet, and nothing that stays', () => {
    const total = { files: 0, upload: 1, avatar: 0, concept: 120 };
    const mine = [memory(1), memory(3), thing('upload')];
    const of = (...given: Parameters<typeof everythingOf>) => {
      const { memories, things, all, said } = everythingOf(...given);
      return [memories, things, all, said.replaceAll('\u00a0', ' ')];
    };
    expect(of(mine, 2, { ...total, concept: 0 }, undefined)).toEqual([
      2,
      1,
      3,
      '2 mémoires supprimées avec les 2 qu’elles contenaient, 1 envoi supprimé',
    ]);
    expect(of(mine, 150, total, undefined)).toEqual([150, 121, 271, 'Les 271 éléments supprimés']);
    expect(of(mine, 150, null, undefined)).toEqual([150, 0, 150, 'Les 150 éléments supprimés']);
    expect(of(mine.slice(0, 2), 1_150, total, 'memoires')).toEqual([
      1_150,
      0,
      1_150,
      'Les 1\u202f150 éléments supprimés',
    ]);
    expect(of([], 150, total, 'concepts')).toEqual([0, 120, 120, 'Les 120 éléments supprimés']);
  });

  test('begins with the number of its type', () => {
    const deletions = [memory(3), memory(2)].map((one) => ('memory' in one ? one.memory : null)!);
    const { entries, totals, total } = entriesOf(
      { deletions, total: 2 },
      { items: [], total: { files: 0, upload: 0, avatar: 0, concept: 0 }, bytes: 0 },
      'memoires',
    );
    expect(saidOf(entries, total).startsWith(`${totals.memoires}`)).toBe(true);
  });

  test('says what all of it weighs, and of one type not what the others weigh', () => {
    const things = { items: [], total: { files: 1, upload: 1, avatar: 1, concept: 0 }, bytes: 4_096 };
    const bytesOf = (type?: 'fichiers' | 'avatars') =>
      entriesOf({ deletions: [], total: 0 }, things, type).bytes;
    expect([bytesOf(), bytesOf('fichiers'), bytesOf('avatars')]).toEqual([4_096, 0, 0]);
  });
});
