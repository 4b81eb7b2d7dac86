import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { recordedVoice } from '#lib/providers/fixtures/recorded-voice.ts';
import type { StudioContext } from '../context.ts';
import { findDeskVoice, type VoiceServing } from './voice-desk.ts';

/** Where the provider keeps the extracts of its voices. */
const HOSTS = [
  'storage.googleapis.com',
  'api.elevenlabs.io',
  'api.us.elevenlabs.io',
  'static-assets.elevenlabs.io',
];
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * The extract by which a voice is heard before it is used: the provider's own, or a recorded reading where answers are recorded.
 * Debits nothing and uses no quota. Errors: `not_found` (no such voice, no extract), `provider-failure` when it cannot be read.
 */
export async function readVoicePreview(
  ctx: StudioContext<AccountActor>,
  serving: VoiceServing,
  voiceId: string,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const voice = await findDeskVoice(ctx, serving, voiceId);
  if (!voice) throw new ServiceError('not_found');
  if (ctx.studio.providers.modes.elevenlabs === 'fixtures')
    return { bytes: await recordedVoice(voice.description ?? voice.name), contentType: 'audio/mpeg' };
  if (!voice.previewUrl) throw new ServiceError('not_found');
  try {
    const { bytes, contentType } = await ctx.studio.fetch(voice.previewUrl, {
      policy: { hosts: HOSTS },
      maxBytes: MAX_BYTES,
      timeoutMs: 10_000,
      accept: ['audio/*'],
    });
    return { bytes, contentType: contentType || 'audio/mpeg' };
  } catch (cause) {
    throw new ServiceError('provider-failure', {
      message: 'L’extrait de cette voix n’a pas pu être lu.',
      cause,
    });
  }
}
