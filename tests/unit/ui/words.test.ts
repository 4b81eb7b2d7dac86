import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditActor } from '#app/_cockpit/audit-words.ts';
import { ignoredLayer, settingLabel } from '#app/_studio/setting-words.ts';
import { SYSTEM_JOBS } from '#lib/core/actor.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';

const by = (actor: string) =>
  auditActor({ actor, actorName: null, action: 'generation.completed' } as unknown as AuditView);

test('the audit says which job of the service acted', () => {
  expect(SYSTEM_JOBS.map((job) => by(`system:${job}`))).not.toContain('Le système');
  expect(by('system:video-webhook')).toBe('Le retour d’un fournisseur');
  expect([by('system:of-a-former-version'), by('system:constructor')]).toEqual(['Le système', 'Le système']);
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

test('the age of what a page shows keeps up: no page writes it once', () => {
  const once = globSync('app/**/*.tsx').filter(
    (file) => !file.endsWith('_ui/text/time.tsx') && /\bage\(/.test(readFileSync(file, 'utf8')),
  );
  expect(once).toEqual([]);
});
