import type { InputRefusal, JobFailed } from '../ports.ts';
import { isOfContent } from '../transport-status.ts';

type Refusal = InputRefusal | 'invalid-request' | 'quota-exhausted';

/**
 * The codes by which sync.so says what is wrong with a request, at its start or on its job: sync.so/docs/developer-guides/error-handling, and
 * the catalogue `GET /v2/errors` as a published client transcribed it on 2026-08-25. None of them is of moderation.
 */
const CODES: Readonly<Record<string, Refusal>> = {
  generation_input_video_inaccessible: 'input-unreadable',
  generation_input_audio_inaccessible: 'input-unreadable',
  generation_input_image_inaccessible: 'input-unreadable',
  generation_input_video_invalid: 'input-unreadable',
  generation_input_audio_invalid: 'input-unreadable',
  generation_media_metadata_missing: 'input-unreadable',
  generation_audio_length_exceeded: 'input-too-long',
  generation_input_duration_greater_than_max_duration: 'input-too-long',
  generation_model_duration_exceeded: 'input-too-long',
  generation_plan_duration_exceeded: 'input-too-long',
  generation_input_resolution_unsupported: 'input-size',
  generation_input_face_selection_invalid: 'no-face',
  generation_input_validation_failed: 'invalid-request',
  generation_input_asset_type_mismatch: 'invalid-request',
  generation_input_too_many_visual: 'invalid-request',
  generation_unsupported_model: 'invalid-request',
  generation_audio_missing: 'invalid-request',
  generation_video_missing: 'invalid-request',
  free_tier_generations_exhausted: 'quota-exhausted',
  account_payment_required: 'quota-exhausted',
  account_on_hold: 'quota-exhausted',
};

/** Policy refusals have no code: they are recognised by their words. */
const saysPolicy = (words: string) => isOfContent(words) || /policy/i.test(words);

/** The refusal of a service's code; undefined for any other code, and without one. */
export function refusalOf(code: string | null | undefined): Refusal | undefined {
  return code && Object.hasOwn(CODES, code) ? CODES[code] : undefined;
}

/**
 * Why a job ended without a film. `REJECTED` covers everything that the service did not start, from an unreadable input to a policy refusal:
 * the code tells which, then the words; without either it is reported as refused, with no further reason.
 */
export function jobFailure(told: {
  isRejected: boolean;
  code: string | null | undefined;
  words: string;
}): JobFailed['reason'] {
  const refusal = refusalOf(told.code);
  if (refusal && refusal !== 'invalid-request') return refusal;
  if (saysPolicy(told.words)) return 'content-refused';
  return refusal ?? (told.isRejected ? 'invalid-request' : 'provider-error');
}
