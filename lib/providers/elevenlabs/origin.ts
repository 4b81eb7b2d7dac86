import type { Voice, VoiceOrigin } from '../ports.ts';
import type { VoiceAnswer } from './schemas.ts';

/** A voice as the studio shows it. */
export function readVoice(answer: VoiceAnswer): Voice {
  const origin = originOf(answer);
  return {
    id: answer.voice_id,
    name: answer.name?.trim() || answer.voice_id,
    origin,
    consentNeeded: origin === 'clone' || origin === 'unknown',
    labels: answer.labels ?? {},
    ...(answer.category ? { category: answer.category } : {}),
    ...(answer.description ? { description: answer.description } : {}),
    ...(answer.preview_url ? { previewUrl: answer.preview_url } : {}),
  };
}

/**
 * Where a voice comes from. A `professional` voice is a person's whose consent ElevenLabs checks; without `is_owner` it
 * comes from the shared library. A `cloned` one is somebody's unless its verification says so. A category that is absent
 * or new to us is `unknown`: it is not ours to guess whose voice it is.
 */
function originOf(answer: VoiceAnswer): VoiceOrigin {
  const verified = answer.voice_verification?.is_verified === true;
  const shared = answer.is_owner !== true && Boolean(answer.sharing?.public_owner_id);
  switch (answer.category) {
    case 'premade':
      return 'provider';
    case 'generated':
      return 'synthetic';
    case 'famous':
    case 'high_quality':
      return 'library';
    case 'professional':
      if (shared) return 'library';
      return verified ? 'verified-clone' : 'clone';
    case 'cloned':
      return verified ? 'verified-clone' : 'clone';
    default:
      return 'unknown';
  }
}
