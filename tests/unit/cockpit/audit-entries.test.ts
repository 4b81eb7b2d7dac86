import { describe, expect, test } from 'vitest';
import { actionWords } from '#app/_cockpit/audit-words.ts';
import { auditChanges } from '#app/(cockpit)/audit/changes.ts';
import { auditObject } from '#app/(cockpit)/audit/objects.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

function entry(action: string, subjectType: string, data: Record<string, unknown>): AuditView {
  return {
    id: 'aud_x',
    at: new Date('2026-11-21T10:00:00Z'),
    action,
    actor: 'member:mbr_x',
    actorName: 'Agnès',
    subjectType,
    subjectId: `${subjectType}_1`,
    subjectName: null,
    data,
    requestId: 'req_x',
    traceId: null,
  };
}

const changes = (data: Record<string, unknown>) =>
  auditChanges(entry('any', 'space', data)).map(({ label, before, after }) =>
    [label, before, plain(after)].filter((part) => part !== undefined).join(' | '),
  );

describe('what an entry of the audit changed', () => {
  test('is said in words, what was beside what became of it, and what did not change is left out', () => {
    const before = { role: 'MEMBER', permissions: ['generate'] };
    expect(changes({ before, after: { role: 'FOUNDER', permissions: ['generate'] } })).toEqual([
      'Rôle | Membre | Fondateur',
    ]);
    expect(changes({ before, after: { role: 'MEMBER', permissions: [] } })).toEqual([
      'Droits | Générer dans le Studio | Aucun',
    ]);
    const from = { pillar: 'ITEMS', parentId: null };
    expect(changes({ spaceId: 's', from, to: { pillar: 'PEOPLE', parentId: null } })).toEqual([
      'Pilier | Offre | Publics',
    ]);
  });

  test('says under which Memory another was put by its title, never by its identifier', () => {
    const put = (parentTitles: Record<string, string>, from: string | null, to: string | null) => {
      const place = (parentId: string | null) => ({ pillar: 'ITEMS', parentId });
      const moved = entry('memory.moved', 'memory', { spaceId: 's', from: place(from), to: place(to) });
      return auditChanges({ ...moved, parentTitles }).map(({ label, before, after }) =>
        plain(`${label} | ${before} | ${after}`),
      );
    };
    expect(put({ mem_1: 'Gamme' }, null, 'mem_1')).toEqual(['Rangée sous | La racine du pilier | « Gamme »']);
    expect(put({}, 'mem_1', null)).toEqual([
      'Rangée sous | Une mémoire effacée depuis | La racine du pilier',
    ]);
    expect(put({ mem_1: 'Ton', mem_2: 'Ton' }, 'mem_1', 'mem_2')).toEqual([
      'Rangée sous | « Ton » | « Ton »',
    ]);
    expect(put({ mem_1: 'Ton' }, 'mem_1', 'mem_1')).toEqual([]);
  });

  test('names amounts, scopes, ends and counts, and leaves identifiers to the exact record', () => {
    expect(
      changes({
        name: 'Programme',
        scopes: ['brain:read'],
        expiresAt: null,
        memberId: 'mbr_1',
        monthlyCapMicros: '20500000',
      }),
    ).toEqual([
      'Nom | Programme',
      'Portées | Lire les espaces',
      'Fin | Sans fin',
      'Plafond du mois | 20,50 $US',
    ]);
    expect(changes({ lineId: 'led_1', amountMicros: '-42100' })).toEqual(['Montant | −0,0421 $US']);
    expect(changes({ perGenerationCapMicros: null })).toEqual(['Plafond par génération | Aucun']);
    expect(changes({ jobId: 'imp_1', created: 12, refused: 0 })).toEqual(['Créés | 12', 'Refusés | 0']);
    expect(changes({ from: 'GENERATED', generationId: null })).toEqual(['État d’avant | À vérifier']);
  });

  test('stands any detail, of any version', () => {
    expect(
      changes({ amountMicros: 'beaucoup', permissions: 'x', role: 3, expiresAt: null, from: {} }),
    ).toEqual(['Montant | beaucoup', 'Droits | Aucun', 'Rôle | 3', 'Fin | Sans fin']);
    expect(
      changes({ source: 'constructor', template: '__proto__', reason: 'toString', bytes: null }),
    ).toEqual(['Origine | constructor', 'Place | Sans limite']);
  });
});

describe('what an entry of the audit is about', () => {
  test('is named and leads to where it is seen', () => {
    expect(auditObject(entry('space.created', 'space', { name: 'Marque' }))).toEqual({
      kind: 'Espace',
      name: 'Marque',
      href: '/espaces/space_1',
    });
    expect(auditObject(entry('memory.updated', 'memory', { spaceId: 'spc_1' }))?.href).toBe(
      '/espaces/spc_1?memoire=memory_1&vue=historique',
    );
    expect(auditObject(entry('asset.approved', 'asset', { generationId: 'gen_1' }))?.href).toBe(
      '/journal/gen_1',
    );
    expect(auditObject(entry('asset.approved', 'asset', { generationId: null }))?.href).toBeNull();
    const image = { ...entry('generation.failed', 'generation', { code: 'x' }), subjectName: 'Image' };
    expect(auditObject(image)).toEqual({ kind: 'Image', name: null, href: '/journal/generation_1' });
    expect(auditObject(entry('any', 'constructor', {}))).toBeNull();
    expect(auditObject({ ...entry('any', 'space', {}), subjectId: null })).toBeNull();
  });
});

test('a count in a sentence of the audit keeps its thousands apart, and none is singular', () => {
  const said = (action: string, data: Record<string, unknown>) =>
    plain(actionWords(entry(action, 'memory', data)));
  expect(said('memory.erased', { memories: 1_204 })).toBe('a effacé 1 204 mémoires pour toujours');
  expect(said('memory.erased', { memories: 1 })).toBe('a effacé une mémoire pour toujours');
  expect(said('asset.imported', { created: 0 })).toBe('a repris 0 fichier de l’ancienne application');
  expect(said('asset.imported', { created: 12_480 })).toBe(
    'a repris 12 480 fichiers de l’ancienne application',
  );
  expect(said('memory.deleted', { memories: 2_001 })).toMatch(/ et 2 000 autres$/);
});

test('a delivery without a reserve is said to be debited nothing, and objects that no row names are no generation’s', () => {
  const said = (action: string, data: Record<string, unknown>) =>
    plain(actionWords(entry(action, 'generation', data)));
  expect(said('generation.charge_missing', { costMicros: '60000' })).toBe(
    'a livré une génération pour laquelle rien n’était retenu : rien n’a été débité',
  );
  const lost = { by: 'orphan-scan', folder: 'references/', pathnames: ['references/libre/a.png'] };
  expect(said('generation.files_expired', lost)).toBe(
    'a supprimé des fichiers du magasin que rien ne nommait plus',
  );
  expect(said('generation.files_expired', { assetIds: ['ast_1'], pathnames: ['a'] })).toBe(
    'a supprimé les fichiers d’une génération arrivés à leur terme',
  );
});
