import { type Env, env } from '#lib/core/env.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import type { VoiceServing } from '#lib/studio/voices/voice-desk.ts';

/**
 * How this process serves voices: live with its key, recorded outside production, or not at all. Recordings need no key; where production does
 * not serve voices, a missing key is reported too.
 */
export function voiceServing(
  config: Pick<Env, 'isProduction' | 'liveProviders' | 'ELEVENLABS_API_KEY'> = env(),
): VoiceServing {
  const { isProduction, liveProviders, ELEVENLABS_API_KEY } = config;
  const isLive = liveProviders.has('elevenlabs');
  return { served: isLive || !isProduction, apiKey: isLive || isProduction ? ELEVENLABS_API_KEY : null };
}

/** The voice used when a request names none: the configured one. Recordings have a default of their own; production has none. */
export function defaultVoiceId(
  config: Pick<Env, 'isProduction' | 'liveProviders' | 'ELEVENLABS_VOICE_ID'>,
): string | null {
  const isRecorded = !config.isProduction && !config.liveProviders.has('elevenlabs');
  return config.ELEVENLABS_VOICE_ID ?? (isRecorded ? RECORDED_DEFAULT_VOICE_ID : null);
}
