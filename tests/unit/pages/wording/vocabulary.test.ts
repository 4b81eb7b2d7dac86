import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionWords, auditActor } from '#app/_cockpit/audit-words.ts';
import { PERMISSION_WORDS } from '#app/_cockpit/permission-words.ts';
import { count, date, ofName } from '#app/_ui/format.ts';
import { PERMISSIONS } from '#lib/core/actor.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { visibleTexts } from './visible-text.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

/** The words of docs/vocabulaire.md, with the patterns that they forbid. */
function forbidden(): { word: string; pattern: RegExp }[] {
  const page = readFileSync(join(repositoryRoot, 'docs/vocabulaire.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Mot'));
  return rows.flatMap((line) => {
    // A bar within a pattern is escaped, as in every Markdown table.
    const [, word = '', , never = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return [...never.matchAll(/`([^`]+)`/g)].map(([, source = '']) => ({
      word,
      pattern: new RegExp(source.replaceAll('\\|', '|'), 'u'),
    }));
  });
}

describe('the vocabulary of the product', () => {
  const files = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: repositoryRoot }).filter(
    (file) => !file.startsWith('lib/db/generated') && !file.startsWith('lib/local'),
  );

  test('has a word for each thing, and a pattern for what that thing is not called', () => {
    const rules = forbidden();
    expect(new Set(rules.map(({ word }) => word)).size).toBeGreaterThanOrEqual(18);
    const finds = (text: string) => rules.filter(({ pattern }) => pattern.test(text)).map(({ word }) => word);
    expect(finds('Choisissez un modèle.')).toEqual(['Type d’espace']);
    expect(finds('Les sous-titres d’une voix ou d’un lipsync')).toEqual(['Synchronisation labiale']);
    expect(finds('clos par une lecture de la ligne')).toEqual(['Lecture']);
    expect(finds('Partager ce texte en 3 mémoires')).toEqual(['Partage']);
    expect(finds('Choisissez un autre modèle, ou un gabarit')).toEqual([]);
  });

  test('is kept by everything that the product says', () => {
    expect(files.length).toBeGreaterThan(500);
    const rules = forbidden();
    const faults: string[] = [];
    for (const file of files) {
      const source = readFileSync(join(repositoryRoot, file), 'utf8');
      if (!rules.some(({ pattern }) => pattern.test(source)) && !/\p{L}\(s\)/u.test(source)) continue;
      for (const { text } of visibleTexts(source, file)) {
        for (const { word, pattern } of rules)
          if (pattern.test(text)) faults.push(`${file}: « ${text.trim().slice(0, 80)} » (${word})`);
        if (/\p{L}\(s\)/u.test(text) && !text.includes('http(s)'))
          faults.push(`${file}: « ${text.trim().slice(0, 80)} » (pluriel)`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('describes each right as what it opens: a verb, then a sentence, never the name that programs give it', () => {
    expect(Object.keys(PERMISSION_WORDS).sort()).toEqual([...PERMISSIONS].sort());
    for (const [right, { label, hint }] of Object.entries(PERMISSION_WORDS)) {
      expect(label, right).toMatch(/^\p{Lu}\p{Ll}*(?:er|ir|re) \p{L}/u);
      expect(hint, right).toMatch(/^\p{Lu}.{10,}\.$/su);
      expect(`${label} ${hint}`, right).not.toContain(right);
      expect(`${label} ${hint}`, right).not.toMatch(/permission|\bdroit d/u);
    }
    // A permission that lets data leave the account by a link says so to those who grant it.
    for (const right of ['brain.write', 'generate'] as const)
      expect(PERMISSION_WORDS[right].hint, right).toMatch(/partager .* par un lien/);
    const labels = Object.values(PERMISSION_WORDS).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('counts, elides and dates as French does', () => {
    expect([0, 1, 2].map((n) => plain(count(n, 'caractère')))).toEqual([
      '0 caractère',
      '1 caractère',
      '2 caractères',
    ]);
    expect(['Agnès', 'Thomas', 'Hélène', 'Yves', 'Yann', 'un membre'].map(ofName)).toEqual([
      'd’Agnès',
      'de Thomas',
      'd’Hélène',
      'd’Yves',
      'de Yann',
      'd’un membre',
    ]);
    expect(plain(date('2026-12-01T12:00:00Z'))).toBe('1er décembre 2026');
    const entry = {
      action: 'member.updated',
      actor: 'admin',
      subjectName: 'Agnès',
      data: {},
    } as unknown as AuditView;
    expect(`${auditActor(entry)} ${actionWords(entry)}`).toBe(
      'L’administration a changé le rôle ou les droits d’Agnès',
    );
    const address = { ...entry, action: 'webhook.deleted', data: { host: 'exemple.fr' } } as AuditView;
    expect(actionWords(address)).toBe('a supprimé l’abonnement de l’adresse exemple.fr');
  });
});
