import { expect, test } from 'vitest';
import { quotaExceeded } from '#lib/brain/quota/read-quota.ts';
import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { toolError } from '#lib/mcp/protocol/tool-error.ts';

const textOf = (...of: Parameters<typeof toolError>) => toolError(...of).content[0]?.text ?? '';
const missing = (field: string) => ({ field, message: 'Ce champ est obligatoire.' });

test('the text of a refusal names every field at fault, each once, as its first sentence or after it', () => {
  const first = missing('spaceId');
  const problems = [first, missing('title'), { field: 'espace', message: 'Ce champ est inconnu.' }];
  const all =
    'spaceId\u00a0: Ce champ est obligatoire. title\u00a0: Ce champ est obligatoire. espace\u00a0: Ce champ est inconnu. Corrigez';
  // The message may be the sentence of the first field, with or without its name, or another sentence.
  for (const message of [first.message, `spaceId\u00a0: ${first.message}`])
    expect(textOf(new ServiceError('invalid_request', { message, problems }))).toContain(all);
  expect(textOf(new ServiceError('invalid', { problems: [missing('brief')] }))).toMatch(
    /^La demande n’est pas valide.* brief\u00a0: Ce champ est obligatoire\. Corrigez .* \(invalid\)$/,
  );
  const roles = 'Les cinq rôles sont IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE.';
  const problem = { field: 'pillar', message: roles };
  const pillar = textOf(new ServiceError('pillar_invalid', { problems: [problem] }));
  expect(pillar.split(roles)).toHaveLength(2);
});

test('of more fields at fault than the text names, it says how many others there are', () => {
  const problems = Array.from({ length: 14 }, (_, n) => missing(`champ${n}`));
  const said = (count: number) =>
    textOf(new ServiceError('invalid', { problems: problems.slice(0, count) })).replaceAll('\u00a0', ' ');
  expect(said(10)).not.toContain('autre');
  expect(said(11)).toContain('champ9 : Ce champ est obligatoire. Et 1 autre champ fautif.');
  expect(said(14)).toContain('champ9 : Ce champ est obligatoire. Et 4 autres champs fautifs.');
});

test('where an argument is unknown, the text says which there are', () => {
  const error = new ServiceError('invalid_request', { problems: [missing('q')] });
  const accepted = ['q', 'limit'];
  expect(textOf(error, { accepted })).toContain('Arguments possibles\u00a0: q, limit. Corrigez');
  expect(textOf(error, { accepted: [] })).toContain('Arguments possibles\u00a0: aucun. Corrigez');
  expect(textOf(error)).not.toContain('Arguments possibles');
});

test('what no retry can change is not to be tried again, whatever its status; a fault of ours is, once', () => {
  const retryable = (code: ErrorCode) => toolError(new ServiceError(code))._meta['atelier/error'].retryable;
  for (const code of ['not_configured', 'composition-unavailable', 'balance', 'cap', 'forbidden'] as const) {
    expect(retryable(code), code).toBe(false);
    expect(textOf(new ServiceError(code)), code).toContain('Ne réessayez pas');
  }
  expect(retryable('internal_error')).toBe(true);
  expect(retryable('unavailable')).toBe(true);
});

test('a right that lacks is told with both who can give it: it may be the connection’s or the member’s', () => {
  const error = new ServiceError('insufficient_scope');
  for (const said of ['Ne réessayez pas', 'en autorisant de nouveau cette connexion', 'un fondateur'])
    expect(textOf(error)).toContain(said);
});

test('a quota that is used up is told with its date; one that includes no read with whom to tell: no month gives it any', () => {
  const now = new Date('2026-04-21T10:00:00Z');
  const spent = textOf(quotaExceeded(now, 1));
  const none = textOf(quotaExceeded(now, 0));
  expect(spent).toContain('Il se renouvelle le 1er mai 2026');
  expect(spent).toContain('Ne réessayez pas avant cette date');
  expect(none).toContain('Aucune lecture n’est comprise dans ce compte');
  expect(none).toContain('Ne réessayez pas\u00a0: dites-le à la personne.');
  expect(none).not.toMatch(/date|renouvelle/);
});
