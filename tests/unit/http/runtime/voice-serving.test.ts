import { describe, expect, test } from 'vitest';
import { parseEnv } from '#lib/core/env.ts';
import { defaultVoiceId, voiceServing } from '#lib/http/runtime/voice-serving.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';

/** A configuration of this environment, with these variables of the voice. */
const configured = (serviceEnv: 'development' | 'production', source: Record<string, string> = {}) =>
  parseEnv({
    SERVICE_ENV: serviceEnv,
    DATABASE_URL: 'postgresql://localhost/x',
    SERVICE_SESSION_SECRET: 's'.repeat(32),
    CRON_SECRET: 'c'.repeat(16),
    CALLBACK_SECRET: 'k'.repeat(16),
    SERVICE_SMTP_URL: 'smtps://mail.example',
    SERVICE_PUBLIC_URL: 'https://atelier.example',
    ...source,
  });

describe('production that does not serve the voice', () => {
  test.each(['fixtures', 'gateway'])(
    'with SERVICE_PROVIDERS=%s has neither its key nor a default voice: each is told beside the service',
    (listed) => {
      const bare = configured('production', { SERVICE_PROVIDERS: listed, AI_GATEWAY_API_KEY: 'key' });
      expect(voiceServing(bare)).toEqual({ served: false, apiKey: undefined });
      expect(defaultVoiceId(bare)).toBeNull();
    },
  );

  test('is told apart from what it has: a key and a voice that are given lack no more', () => {
    const given = configured('production', {
      SERVICE_PROVIDERS: 'fixtures',
      ELEVENLABS_API_KEY: 'sk_1',
      ELEVENLABS_VOICE_ID: 'v1',
    });
    expect(voiceServing(given)).toEqual({ served: false, apiKey: 'sk_1' });
    expect(defaultVoiceId(given)).toBe('v1');
  });
});

test('a live voice needs its key and its own default voice, a recorded one neither', () => {
  for (const serviceEnv of ['development', 'production'] as const) {
    const live = configured(serviceEnv, { SERVICE_PROVIDERS: 'live' });
    expect(voiceServing(live)).toEqual({ served: true, apiKey: undefined });
    expect(defaultVoiceId(live)).toBeNull();
  }
  const recorded = configured('development');
  expect(voiceServing(recorded)).toEqual({ served: true, apiKey: null });
  expect(defaultVoiceId(recorded)).toBe(RECORDED_DEFAULT_VOICE_ID);
});
