import { UnrecognizedActionError } from 'next/dist/client/components/unrecognized-action-error.js';
import { expect, test, vi } from 'vitest';
import { answerOf } from '#app/_cockpit/act.ts';
import { leave } from '#app/_cockpit/leave.ts';
import { attachRefusalOf } from '#app/_studio/composer/fields/attach-refusal.ts';
import { lostWords } from '#app/_ui/lost-words.ts';
import { onToast, type ToastMessage } from '#app/_ui/toast.ts';
import { until } from '#tests/setup/until.ts';

test('a page that was open before a release is told to be loaded again, and not that the network was lost', async () => {
  const answer = await answerOf(Promise.reject(new UnrecognizedActionError('not found on the server')));
  expect(answer).toMatchObject({ status: 'refused', message: expect.stringMatching(/rechargez-la\.$/) });
});

test('so is who adds a file to a request, or ends the session, on such a page', async () => {
  const unknown = new UnrecognizedActionError('not found on the server');
  expect(attachRefusalOf(unknown).message).toMatch(/rechargez-la\.$/);
  expect(attachRefusalOf(new TypeError('Failed to fetch')).message).toContain('vérifiez votre réseau');
  vi.stubGlobal('window', {});
  const said: ToastMessage[] = [];
  const hear = onToast((message) => said.push(message));
  leave(() => Promise.reject(unknown));
  await until('the toast', () => said.length > 0);
  hear();
  vi.unstubAllGlobals();
  expect(said).toMatchObject([
    { title: 'Vous êtes encore connecté', description: expect.stringMatching(/rechargez-la\.$/) },
  ]);
});

test('without an answer it says what is still there, and to try again', async () => {
  expect(await answerOf(Promise.reject(new TypeError('Failed to fetch')))).toEqual({
    status: 'refused',
    message: 'La connexion a été perdue avant la réponse. Vérifiez votre réseau, puis réessayez.',
  });
  expect(lostWords(null, 'Votre texte est là. ')).toContain('réponse. Votre texte est là. Vérifiez');
});
