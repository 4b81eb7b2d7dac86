import { type Env, env } from '#lib/core/env.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import type { VoiceServing } from '#lib/studio/voices/voice-desk.ts';

/**
 * How the voice service stands in this process: live with its key, recorded outside production, or not served. Only a recording needs no
 * key: where production does not serve the voice, a key that lacks is named too.
 */
export function voiceServing(
  config: Pick<Env, 'isProduction' | 'liveProviders' | 'ELEVENLABS_API_KEY'> = env(),
): VoiceServing {
  const { isProduction, liveProviders, ELEVENLABS_API_KEY } = config;
  const isLive = liveProviders.has('elevenlabs');
  return { served: isLive || !isProduction, apiKey: isLive || isProduction ? ELEVENLABS_API_KEY : null };
}

/** The voice that says what names none: the configured one; without it the recordings have theirs, and production none. */
export function defaultVoiceId(
  config: Pick<Env, 'isProduction' | 'liveProviders' | 'ELEVENLABS_VOICE_ID'>,
): string | null {
  const isRecorded = !config.isProduction && !config.liveProviders.has('elevenlabs');
  return config.ELEVENLABS_VOICE_ID ?? (isRecorded ? RECORDED_DEFAULT_VOICE_ID : null);
}
