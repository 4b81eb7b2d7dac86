import { expect, test } from 'vitest';
import { choosePort } from '#lib/local/serving/choose-port.ts';
import { StartFault } from '#lib/local/serving/start-once.ts';

/** The messages and the result for this PORT, on a machine that answers `code` for every port. */
async function said(asked: string, code: string | undefined): Promise<string> {
  const lines: string[] = [];
  const port = await choosePort((line) => void lines.push(line), { asked, faultOf: async () => code }).catch(
    (error: unknown) => {
      if (!(error instanceof StartFault)) throw error;
      return error.message;
    },
  );
  return [...lines, port].join(' | ');
}

test('a port that is free is taken, the one that is named or 3000', async () => {
  expect(await said('', undefined)).toBe('3000');
  expect(await said('8080', undefined)).toBe('8080');
});

test('a port that cannot be had is said with why: taken, refused to this user, or no such address on this machine', async () => {
  expect(await said('8080', 'EADDRINUSE')).toBe(
    'Le port 8080 est pris. Libérez-le, ou donnez-en un autre dans PORT.',
  );
  expect(await said('80', 'EACCES')).toBe(
    'Le système refuse le port 80 à ce compte. Donnez dans PORT un nombre d’au moins 1024.',
  );
  for (const asked of ['', '8080'])
    expect(await said(asked, 'EADDRNOTAVAIL')).toBe(
      'Cette machine n’a pas l’adresse 127.0.0.1\u00a0: Atelier ne peut pas y répondre.',
    );
  expect(await said('8o80', undefined)).toBe(
    'PORT doit être un nombre de 0 à 65535, pas «\u00a08o80\u00a0».',
  );
});

test('where 3000 is taken and none is named, the next free one is', async () => {
  expect(await said('', 'EADDRINUSE')).toMatch(/^Le port 3000 est pris\u00a0: Atelier prend (\d+)\. \| \1$/);
});
