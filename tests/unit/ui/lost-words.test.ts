import { UnrecognizedActionError } from 'next/dist/client/components/unrecognized-action-error.js';
import { expect, test } from 'vitest';
import { answerOf } from '#app/_cockpit/act.ts';
import { lostWords } from '#app/_ui/lost-words.ts';

test('a page that was open before a release is told to be loaded again, and not that the network was lost', async () => {
  const answer = await answerOf(Promise.reject(new UnrecognizedActionError('not found on the server')));
  expect(answer).toMatchObject({ status: 'refused', message: expect.stringMatching(/rechargez-la\.$/) });
});

test('without an answer it says what is still there, and to try again', async () => {
  expect(await answerOf(Promise.reject(new TypeError('Failed to fetch')))).toEqual({
    status: 'refused',
    message: 'La connexion a été perdue avant la réponse. Vérifiez votre réseau, puis réessayez.',
  });
  expect(lostWords(null, 'Votre texte est là. ')).toContain('réponse. Votre texte est là. Vérifiez');
});
