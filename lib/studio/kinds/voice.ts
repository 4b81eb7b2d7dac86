import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import type { Product } from '#lib/products/types.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, formulaCostMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { VoiceResult } from '#lib/providers/ports.ts';
import { isOutOfTime } from '#lib/storage/media/measure-in-child.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { measureTrack } from '#lib/storage/media/probe.ts';
import type { StudioContext } from '../context.ts';
import type { Outcome } from '../generation/outcome.ts';
import { type MissedSetting, settingsOf } from '../generation/settings.ts';
import { ignoredLayersOf } from '../prompt/server-layers.ts';
import type { RequestOf } from '../request.ts';
import { pronounce, type SpokenText } from '../speech/pronounce.ts';
import { wordTimes } from '../speech/word-times.ts';
import { keepRequest, refuseInvalid } from './checks.ts';
import { checkConsent, type NewConsent } from './consent.ts';
import { oncePaid, providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';

/** Text to speech. The voice's origin is known, or a signed consent is attached, before anything is spent. */
export const prepareVoice: PrepareKind<'voice'> = async (ctx, request, product) => {
  const model = modelFor('voice');
  const text = request.text.trim();
  const most = model.limits.textCharacters ?? 5_000;
  const mostSaid = most.toLocaleString('fr-FR');
  if (text === '' || text.length > most)
    throw new ServiceError('voice-length', {
      message:
        text === ''
          ? 'Le texte à dire est vide\u00a0: rien n’a été débité.'
          : `Le texte compte ${text.length.toLocaleString('fr-FR')} caractères, il en faut au plus ${mostSaid}\u00a0: rien n’a été débité.`,
      problems: [{ field: 'text', message: `De 1 à ${mostSaid} caractères.` }],
    });
  const spoken = pronounce(text, product.brand?.pronunciations);
  if (spoken.text.length > most)
    throw new ServiceError('voice-length', {
      message: `Écrit comme il se prononce, le texte compte ${spoken.text.length.toLocaleString('fr-FR')} caractères, il en faut au plus ${mostSaid}\u00a0: rien n’a été débité.`,
      problems: [
        { field: 'text', message: `De 1 à ${mostSaid} caractères, prononciations de la marque comprises.` },
      ],
    });
  const voiceId = request.voiceId ?? ctx.studio.config.defaultVoiceId;
  if (!voiceId) {
    refuseInvalid('voiceId', [
      { field: 'voiceId', message: 'Choisissez une voix\u00a0: aucune n’est réglée par défaut.' },
    ]);
    throw new ServiceError('invalid');
  }
  const consent = await verifyOrigin(ctx, product, { request, voiceId });
  const quantities = { characters: spoken.text.length };
  return {
    kind: 'VOICE',
    assetType: 'AUDIO',
    provider: model.service,
    modelId: model.modelId,
    params: {
      prompt: spoken.text,
      brief: text,
      case: 'voice',
      skills: [],
      ignoredLayers: ignoredLayersOf(request),
      engine: model.service,
      pricing: pricingRecord('voice', quantities),
      mode: ctx.studio.providers.modes.elevenlabs,
      settings: settingsOf({
        voiceId,
        stability: request.stability,
        similarityBoost: request.similarityBoost,
        speed: request.speed,
        pronunciations: spoken.replaced || undefined,
      }),
      request: keepRequest(request),
    },
    references: {},
    estimateMicros: estimateMicros('voice', quantities),
    ...(consent ? { consent } : {}),
    async run(): Promise<Outcome> {
      const result = await ctx.studio.providers.voice.synthesize({
        voiceId,
        text: spoken.text,
        ...(request.stability === undefined ? {} : { stability: request.stability }),
        ...(request.similarityBoost === undefined ? {} : { similarityBoost: request.similarityBoost }),
        ...(request.speed === undefined ? {} : { speed: request.speed }),
      });
      if (result.outcome === 'failed') return providerFailure(result);
      return oncePaid({}, () => keepVoice(result, text, spoken, ctx.actor.accountId));
    },
  };
};

/** What was asked of the provider. */
const ASKED_TYPE = 'audio/mpeg';
/** Bounds of a plausible duration: at most so many characters a second, at least one character a second; beyond them, some slack. */
const MAX_CHARACTERS_PER_SECOND = 60;
const SLACK_MS = { short: 1_000, long: 10_000 };

/** The setting that a sound does not respect: its format, or a duration that is plausible for the text; null when it respects both. */
function differencesOf(
  track: { contentType: string; durationMs: number },
  text: string,
): MissedSetting | null {
  if (track.contentType !== ASKED_TYPE) return 'format';
  const leastMs = (text.length * 1_000) / MAX_CHARACTERS_PER_SECOND - SLACK_MS.short;
  const mostMs = text.length * 1_000 + SLACK_MS.long;
  return track.durationMs < leastMs || track.durationMs > mostMs ? 'duration' : null;
}

/** The sound to keep and its price: what the provider counted, else the text's own length; or why the member gets none. */
async function keepVoice(
  result: VoiceResult,
  written: string,
  spoken: SpokenText,
  owner: string,
): Promise<Outcome> {
  const { text } = spoken;
  try {
    const measured = () => measureTrack(result.bytes, { owner });
    // A machine under load reads slowly, and these bytes exist only in this request.
    const track = await measured().catch((error: unknown) => {
      if (error instanceof MediaRefusal && isOutOfTime(error)) return measured();
      throw error;
    });
    const different = differencesOf(track, text);
    if (different)
      return {
        result: 'failed',
        code: 'setting-dropped',
        errorMessage: `${different}: ${track.contentType}, ${track.durationMs} ms for ${text.length} characters`,
        paid: { reason: 'setting-dropped', dropped: [different] },
        facts: { dropped: [different] },
      };
    const file = {
      name: `voix.${track.extension}`,
      bytes: result.bytes,
      contentType: track.contentType,
      durationMs: track.durationMs,
    };
    const formulaMicros = formulaCostMicros('voice', { characters: result.billedCharacters ?? text.length });
    const alignment = result.alignment && wordTimes(written, spoken, result.alignment, track.durationMs);
    return {
      result: 'delivered',
      files: [file],
      cost: { formulaMicros, fromUsage: result.billedCharacters !== undefined },
      facts: { voiceMs: track.durationMs, ...(alignment ? { alignment } : {}) },
    };
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error;
    return {
      result: 'failed',
      code: 'provider-failure',
      message: sentences.unusableFile,
      errorMessage: `unusable voice: ${error.reason}`,
      paid: { reason: 'step-failed' },
    };
  }
}

const VOICE_GONE = 'Cette voix n’existe plus dans le service de voix\u00a0: choisissez-en une autre.';

/**
 * Asks the provider whose voice it is. A voice whose origin is not known, or a person's that nobody checked, needs a signed
 * consent, which is then returned to be written with the row. Throws `voice-unverified`, of a voice that is gone whatever is attached.
 */
async function verifyOrigin(
  ctx: StudioContext<AccountActor>,
  product: Product,
  input: { request: RequestOf<'voice'>; voiceId: string },
): Promise<NewConsent | undefined> {
  const { request, voiceId } = input;
  const described = await ctx.studio.providers.voice.describeVoice(voiceId);
  // No consent brings it back: its reading would fail.
  if (described.outcome === 'failed' && described.reason === 'not-found')
    throw new ServiceError('voice-unverified', {
      detail: described.reason,
      subject: voiceId,
      message: `${VOICE_GONE} Rien n’a été débité.`,
      problems: [{ field: 'voiceId', message: VOICE_GONE }],
    });
  const verified =
    described.outcome === 'success' && !described.voice.consentNeeded && described.voice.origin !== 'unknown';
  if (!request.consent) {
    if (verified) return undefined;
    throw new ServiceError('voice-unverified', {
      detail: described.outcome === 'failed' ? described.reason : described.voice.origin,
      subject: voiceId,
    });
  }
  return checkConsent(ctx, product, { consent: request.consent, voiceId });
}
