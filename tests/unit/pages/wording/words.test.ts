import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionWords, auditActor } from '#app/_cockpit/audit-words.ts';
import { askedWord, moneySteps } from '#app/_studio/detail/steps.tsx';
import { ignoredLayer, settingLabel } from '#app/_studio/setting-words.ts';
import { SYSTEM_JOBS } from '#lib/core/actor.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

const by = (actor: string) =>
  auditActor({ actor, actorName: null, action: 'generation.completed' } as unknown as AuditView);

test('the audit says which job of the service acted', () => {
  expect(SYSTEM_JOBS.map((job) => by(`system:${job}`))).not.toContain('Le système');
  expect(by('system:video-webhook')).toBe('Le retour d’un fournisseur');
  expect([by('system:of-a-former-version'), by('system:constructor')]).toEqual(['Le système', 'Le système']);
});

test('the audit says who acted when nobody of the account did', () => {
  const said = (actor: string, action: string, over: Partial<AuditView> = {}) => {
    const subject = { subjectType: null, subjectName: null };
    const entry = { actor, actorName: null, action, ...subject, data: {}, ...over } as unknown as AuditView;
    return `${auditActor(entry)} ${actionWords(entry)}`.replace(/\u00a0/g, ' ');
  };
  expect(said('admin', 'account.closed')).toBe('L’administration a fermé le compte');
  expect(said('member:mbr_operator', 'account.closed')).toBe('L’exploitant a fermé le compte');
  expect(said('system:retention', 'account.erased')).toBe('La rétention a effacé un compte fermé');
  const invited = { subjectType: 'member', subjectName: 'Agnès' };
  expect(said('person:per_1', 'member.invitation_declined', invited)).toBe('Agnès a refusé l’invitation');
  expect(said('person:per_1', 'session.revoked')).toBe('Quelqu’un a fermé une de ses sessions');
  const ended = (reason: string) => said('anonymous', 'oauth.revoked', { data: { name: 'Pont', reason } });
  expect(['CLIENT', 'CODE_REUSED', 'REFRESH_REUSED'].map(ended)).toEqual([
    'L’application « Pont » a renoncé à son accès',
    'Le service a retiré l’accès de l’application « Pont », dont un code a servi deux fois',
    'Le service a retiré l’accès de l’application « Pont », dont un jeton a servi deux fois',
  ]);
  expect(said('anonymous', 'generation.completed')).toBe('Quelqu’un a terminé une génération');
});

test('what a file has otherwise than asked is said in French; a provider’s own word stays as it is', () => {
  expect(['format', 'viewBox', 'fps', 'pronunciations', 'durationSeconds'].map(settingLabel)).toEqual([
    'Format',
    'Format',
    'Images par seconde',
    'Prononciations',
    'Durée',
  ]);
  expect([settingLabel('guidance_scale'), settingLabel('toString')]).toEqual(['guidance_scale', 'toString']);
});

test('a layer that was ignored is named', () => {
  expect(ignoredLayer('connectors').label).toBe('Connecteurs');
  expect(ignoredLayer('skill:inconnue').label).toBe('Savoir-faire «\u00a0inconnue\u00a0»');
});

test('what was asked agrees with its type', () => {
  const kinds = Object.keys(KIND_LABELS) as GenerationView['kind'][];
  expect(kinds.map((kind) => `${KIND_LABELS[kind]} ${askedWord(kind)}`)).toEqual([
    'Image demandée',
    'Pictogramme demandé',
    'Voix demandée',
    'Vidéo demandée',
    'Mouvement demandé',
    'Synchronisation labiale demandée',
    'Rendu demandé',
  ]);
});

test('money that comes back is said to come back to who paid, and to the reader only when that is the reader', () => {
  const row = {
    status: 'failed',
    charge: 'refunded',
    heldUsd: 0.04,
    costUsd: null,
    chargePending: false,
    params: {},
    createdAt: '2026-11-21T10:00:00Z',
    closedAt: '2026-11-21T10:01:00Z',
  } as unknown as GenerationView;
  const notes = (given: GenerationView, isOwn: boolean) => moneySteps(given, isOwn).at(-1)?.note;
  expect(notes(row, true)).toBe('Non débité. Le montant retenu est revenu à votre solde.');
  expect(notes(row, false)).toBe('Non débité. Le montant retenu est revenu au solde du membre.');
  const settled = { ...row, status: 'done', charge: 'settled', costUsd: 0.03 } as GenerationView;
  expect(notes(settled, false)).toMatch(/rendu au solde du membre$/);
});

test('what was delivered without a reserve says that nothing was debited, and announces no refund', () => {
  const row = {
    status: 'done',
    charge: 'none',
    heldUsd: 0.06,
    costUsd: null,
    chargePending: false,
    params: {},
    createdAt: '2026-11-21T10:00:00Z',
    closedAt: '2026-11-21T10:01:00Z',
  } as unknown as GenerationView;
  expect(moneySteps(row, true).map(({ label, note }) => [label, note])).toEqual([
    ['Rien n’a été débité', 'Aucun montant n’était retenu pour cette génération.'],
  ]);
});

test('a cost that nobody measured is not said to be measured', () => {
  const word = (costSource?: string, kind = 'IMAGE') => {
    const row = {
      kind,
      status: 'done',
      charge: 'settled',
      heldUsd: 0.04,
      costUsd: 0.04,
      chargePending: false,
      params: { costSource },
      createdAt: '2026-11-21T10:00:00Z',
      closedAt: '2026-11-21T10:01:00Z',
    } as unknown as GenerationView;
    const step = moneySteps(row, true).find(({ key }) => key === 'measured');
    const label = step?.label as unknown as { props: { children: unknown[] } } | undefined;
    return [label?.props.children[0], step?.note];
  };
  expect(word('gateway')).toEqual(['Mesuré', 'd’après\u00a0: facture de la passerelle']);
  // A lipsync uses no gateway.
  expect(word('gateway', 'LIPSYNC')).toEqual(['Mesuré', 'd’après\u00a0: facture du fournisseur']);
  expect(word('estimate')).toEqual(['Estimé', 'd’après\u00a0: prix prévu, faute de mesure']);
  expect(word('reserve')).toEqual(['Estimé', 'd’après\u00a0: montant retenu, chiffre reçu à vérifier']);
  expect(word()).toEqual(['Mesuré', undefined]);
});

test('the age of what a page shows keeps up: no page writes it once', () => {
  const once = globSync('app/**/*.tsx').filter(
    (file) => !file.endsWith('_ui/text/time.tsx') && /\bage\(/.test(readFileSync(file, 'utf8')),
  );
  expect(once).toEqual([]);
});
