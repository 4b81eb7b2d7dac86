import { expect, test } from 'vitest';
import { FAILURE_SENTENCES } from '#lib/messages/studio.ts';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import { providerFailure } from '#lib/studio/kinds/failures.ts';
import { json, liveProviders, networkError, scriptedNetwork } from '#tests/unit/providers/calls.ts';

const BUSY = /trop de demandes.*remboursé.*Réessayez dans quelques minutes/;
const KEY = /la clé du service.*remboursé.*Prévenez l’exploitant/;
const elevenlabs = (status: string) => ({ detail: { status, message: 'no' } });

// Told as « n’a pas livré » alone, all of these look like something to ask for again, or not at all.
test.each<[string, () => Response | Promise<Response>, RegExp]>([
  ['too many at once', json(elevenlabs('too_many_concurrent_requests'), 429, { 'retry-after': '600' }), BUSY],
  ['a key that is wrong', json(elevenlabs('invalid_api_key'), 401), KEY],
  ['a key that may not', json(elevenlabs('missing_permissions'), 401), KEY],
  [
    'a voice that is gone',
    json(elevenlabs('voice_not_found'), 404),
    /ne trouve pas.*remboursé.*Choisissez autre chose/,
  ],
  [
    'nobody at its address',
    networkError('ECONNREFUSED'),
    /n’a pas pu être joint.*remboursé.*Réessayez dans quelques minutes/,
  ],
])('%s is told as what it is, with what to do', async (_, answer, told) => {
  const { voice } = liveProviders(scriptedNetwork(answer).fetch);
  const failure = await voice.synthesize({ voiceId: 'v', text: 'Bonjour.' });
  expect(failure.outcome).toBe('failed');
  const { code, message = FAILURE_SENTENCES['provider-failure'] } = providerFailure(
    failure as ProviderFailure,
  );
  expect(code).toBe('provider-failure');
  expect(message).toMatch(told);
  expect(message).toMatch(/\u00a0: /);
});
