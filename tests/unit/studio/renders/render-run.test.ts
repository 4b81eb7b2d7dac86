import { expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import { EXIT, runRender } from '#lib/studio/renders/render-run.ts';
import { readCallbackBody } from '#lib/studio/webhooks/callback-body.ts';

test('a run whose failure is told in too many words, cut within a character, still gives a report that is read', async () => {
  const generationId = createId('generation');
  const said: string[] = [];
  const code = await runRender({
    inputs: {
      generation_id: generationId,
      template: 'quote-card',
      size: '1080x1080',
      // Named in the message, whose 500th code unit is then the first half of a character.
      fields: JSON.stringify({
        [`${'x'.repeat(484)}${'😀'.repeat(20)}`]: 'a',
        quote: 'Une phrase.',
        author: 'Rousseau',
      }),
      brand: '{}',
      images: '{}',
      folder: generationFolder(generationId),
      uploads: '{}',
      store_api_url: '',
      callback_url: 'https://atelier.example/api/webhooks/render',
    },
    runId: '7',
    runAttempt: '1',
    callbackSecret: 'whsec_c2VjcmV0LW9mLXRoZS1yZW5kZXItdGVzdHM=',
    fetch: async (_url, init) => {
      said.push(String(init?.body));
      return new Response(null, { status: 204 });
    },
    now: () => new Date(),
    sleep: async () => {},
    log: () => {},
  });
  expect(code).toBe(EXIT.renderFailed);
  expect(said).toHaveLength(1);
  const [body = ''] = said;
  const { message } = (JSON.parse(body) as { error: { message: string } }).error;
  expect(message).toHaveLength(500);
  expect(readCallbackBody(body)).toMatchObject({ generationId, errorCode: 'fields-invalid' });
});
