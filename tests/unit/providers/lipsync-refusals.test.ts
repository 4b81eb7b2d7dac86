import { describe, expect, test } from 'vitest';
import { json, liveProviders, scriptedNetwork } from './calls.ts';

const ASKED = {
  case: 'lipsync',
  visual: { kind: 'url', url: 'https://files.example/clip.mp4' },
  audio: { kind: 'url', url: 'https://files.example/voice.mp3' },
  audioMs: 4_000,
} as const;

const ended = async (answer: object) => {
  const network = scriptedNetwork(json({ id: 'job_1', ...answer }));
  return liveProviders(network.fetch).lipsync.status({ operation: { id: 'job_1' } });
};
const asked = (status: number, body: object) =>
  liveProviders(scriptedNetwork(json(body, status)).fetch).lipsync.start(ASKED, { idempotencyKey: 'gen_1' });

describe('what sync.so refuses is told as what it is', () => {
  test.each([
    ['generation_input_video_inaccessible', 'input-unreadable'],
    ['generation_input_audio_inaccessible', 'input-unreadable'],
    ['generation_input_image_inaccessible', 'input-unreadable'],
    ['generation_input_audio_invalid', 'input-unreadable'],
    ['generation_media_metadata_missing', 'input-unreadable'],
    ['generation_audio_length_exceeded', 'input-too-long'],
    ['generation_model_duration_exceeded', 'input-too-long'],
    ['generation_plan_duration_exceeded', 'input-too-long'],
    ['generation_input_resolution_unsupported', 'input-size'],
    ['generation_input_face_selection_invalid', 'no-face'],
    ['generation_input_validation_failed', 'invalid-request'],
    ['account_payment_required', 'quota-exhausted'],
  ])('%s: %s, of a job rejected or failed, and of a start', async (code, reason) => {
    for (const status of ['REJECTED', 'FAILED'])
      for (const named of [{ errorCode: code }, { error_code: code }])
        expect(await ended({ status, error: 'No.', ...named })).toEqual({
          outcome: 'job-failed',
          reason,
          detail: `${code} · No.`,
        });
    for (const status of [400, 402])
      expect(await asked(status, { statusCode: status, message: 'No.', errorCode: code })).toMatchObject({
        outcome: 'failed',
        retrySafe: 'refused',
        reason,
      });
  });

  test('a policy is told by its words alone, and only where no code says otherwise', async () => {
    const policy = { status: 'REJECTED', error: 'This content is against our usage policy.' };
    expect(await ended(policy)).toMatchObject({ reason: 'content-refused' });
    const general = { ...policy, errorCode: 'generation_input_validation_failed' };
    expect(await ended(general)).toMatchObject({ reason: 'content-refused' });
    const unreadable = { ...policy, errorCode: 'generation_input_video_inaccessible' };
    expect(await ended(unreadable)).toMatchObject({ reason: 'input-unreadable' });
    const moderated = await asked(400, { message: 'Refused by moderation' });
    expect(moderated).toMatchObject({ reason: 'content-refused' });
  });

  test('a rejection without a reason is a refusal, of nothing in particular; a failure is one of theirs', async () => {
    expect(await ended({ status: 'REJECTED' })).toMatchObject({ reason: 'invalid-request' });
    expect(await ended({ status: 'REJECTED', errorCode: 'constructor' })).toMatchObject({
      reason: 'invalid-request',
    });
    const broken = { status: 'FAILED', errorCode: 'generation_pipeline_failed', error: 'An error occurred.' };
    expect(await ended(broken)).toMatchObject({ reason: 'provider-error' });
  });

  test('what its validation finds may be a list of sentences: all of them are told, and judged', async () => {
    const message = ['input.0.url must be a URL', 'input.1 was refused by moderation'];
    expect(await asked(400, { statusCode: 400, message, error: 'Bad Request' })).toMatchObject({
      reason: 'content-refused',
      detail: 'HTTP 400 · input.0.url must be a URL, input.1 was refused by moderation',
    });
    expect(await asked(400, { message: [7, null], error: 'Bad Request' })).toMatchObject({
      reason: 'invalid-request',
      detail: 'HTTP 400 · Bad Request',
    });
  });

  test('a job of its own that it names in a refusal is no generation of the gateway, whose cost one could ask', async () => {
    const body = { message: 'No.', errorCode: 'IDEMPOTENCY_CONFLICT', generationId: 'job_7' };
    const failure = await asked(409, body);
    expect(failure).toMatchObject({ outcome: 'failed', status: 409, retrySafe: 'unknown' });
    expect(failure).not.toHaveProperty('gatewayGenerationId');
  });

  test('a start that may have been served is no refusal, whatever its code', async () => {
    const body = { message: 'No.', errorCode: 'generation_input_video_inaccessible' };
    expect(await asked(500, body)).toMatchObject({ reason: 'provider-error', retrySafe: 'unknown' });
    expect(await asked(402, { message: 'Payment required' })).toMatchObject({ reason: 'quota-exhausted' });
  });
});
