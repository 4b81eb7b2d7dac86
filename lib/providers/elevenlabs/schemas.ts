import { z } from 'zod';

/** Answers of ElevenLabs (field names of @elevenlabs/elevenlabs-js 2.73 on the wire), read leniently. */

export const voiceSchema = z.object({
  voice_id: z.string().min(1),
  name: z.string().nullish(),
  category: z.string().nullish(),
  description: z.string().nullish(),
  labels: z.record(z.string(), z.string()).nullish().catch(undefined),
  preview_url: z.string().nullish(),
  is_owner: z.boolean().nullish(),
  sharing: z.object({ public_owner_id: z.string().nullish() }).nullish().catch(undefined),
  voice_verification: z.object({ is_verified: z.boolean() }).nullish().catch(undefined),
});

export type VoiceAnswer = z.output<typeof voiceSchema>;

export const voicePageSchema = z.object({
  /** Each is parsed separately: an unreadable one does not discard the others. */
  voices: z.array(z.unknown()),
  has_more: z.boolean(),
  next_page_token: z.string().nullish(),
});

const seconds = z.array(z.number().nonnegative());

export const timedSpeechSchema = z.object({
  audio_base64: z.string().min(1),
  /** Of the text as it was sent; `normalized_alignment` is of numbers and signs as they are read. */
  alignment: z
    .object({
      characters: z.array(z.string()),
      character_start_times_seconds: seconds,
      character_end_times_seconds: seconds,
    })
    .nullish()
    .catch(undefined),
});

export const subscriptionSchema = z.object({
  character_count: z.number().nonnegative(),
  character_limit: z.number().nonnegative(),
  /** Credits that the account may use beyond its limit, billed apart; `unlimited`: as many as it likes. */
  max_credit_limit_extension: z
    .union([z.number().nonnegative(), z.literal('unlimited')])
    .nullish()
    .catch(undefined),
  /** An instant of the calendar, in seconds. */
  next_character_count_reset_unix: z.number().min(0).max(8_640_000_000_000).nullish().catch(undefined),
});
