import { env } from '#lib/core/env.ts';
import type { VoiceServing } from '#lib/studio/voices/voice-desk.ts';

/** How the voice service stands in this process: live with its key, recorded outside production, or not served. */
export function voiceServing(): VoiceServing {
  const { isProduction, liveProviders, ELEVENLABS_API_KEY } = env();
  const isLive = liveProviders.has('elevenlabs');
  return { served: isLive || !isProduction, apiKey: isLive ? ELEVENLABS_API_KEY : null };
}
