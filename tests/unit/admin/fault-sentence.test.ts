import { expect, test } from 'vitest';
import { ApplicationAddressMissing } from '#lib/local/prisma/migrate.ts';
import { connectionSentence, faultSentence } from '../../../scripts/admin/fault-sentence.ts';

const CONFIGURED = { DATABASE_URL: 'postgresql://atelier_app@db.example/atelier' };
const coded = (code: string, more = {}) => Object.assign(new Error('connect'), { code, ...more });
/** The error of Node for a name with two addresses that both refuse: it has no message. */
const bothRefused = new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]);

test.each<[string, unknown, string]>([
  ['does not answer', bothRefused, 'ne répond pas (ECONNREFUSED)'],
  ['has a name of no machine', coded('ENOTFOUND'), 'ne répond pas (ENOTFOUND)'],
  ['refuses the password', coded('28P01'), 'refuse ce rôle ou ce mot de passe (28P01)'],
  ['is not on that server', coded('3D000'), 'n’existe pas sur ce serveur (3D000)'],
  [
    'takes reads alone',
    coded('25006'),
    'n’accepte que des lectures, comme une réplique ou pendant une bascule (25006)',
  ],
  ['has no room', coded('53100'), 'n’a plus de place sur son disque (53100)'],
])('a configured database that %s is told in one sentence that says what to look at', (_, thrown, said) => {
  expect(connectionSentence(thrown, CONFIGURED)).toBe(
    `La base de données ${said}\u00a0: vérifiez DATABASE_URL et DATABASE_DIRECT_URL.`,
  );
});

test('a store that is away, another fault, and the embedded database are told otherwise', () => {
  expect(connectionSentence(coded('ECONNREFUSED', { statement: 'store.list' }), CONFIGURED)).toBeUndefined();
  expect(connectionSentence(new Error('autre'), CONFIGURED)).toBeUndefined();
  expect(connectionSentence(coded('ECONNREFUSED'), {})).toBeUndefined();
  expect(connectionSentence(new ApplicationAddressMissing(), {})).toContain('sans DATABASE_URL');
});

test('a database without this version’s migrations names the command; no fault is told by an empty line', () => {
  expect(faultSentence(coded('42P01'))).toContain('npm run migrate');
  expect(faultSentence(new Error('Le fichier est illisible.'))).toBe('Le fichier est illisible.');
  expect(faultSentence(new AggregateError([coded('EACCES')]))).toContain('EACCES');
});
