import { recordedJson } from '../fixtures/recorded-files.ts';
import type { RecordedRequest } from '../fixtures/recorded-request.ts';
import {
  GARBAGE_VIDEO,
  jsonAnswer,
  type RecordedErrors,
  recordedError,
  startError,
} from '../fixtures/recorded-results.ts';
import { recordedVoice, recordedVoiceMs } from '../fixtures/recorded-voice.ts';
import { brokenRule } from '../fixtures/refusal-rule.ts';
import { ELEVENLABS_REFUSALS } from './recorded-rules.ts';

/** A voice of the recorded library that needs no consent: the default where none is configured. */
export const RECORDED_DEFAULT_VOICE_ID = 'Camille0Recorded0001';

type VoicePage = { voices: { voice_id: string }[] };

/** ElevenLabs, from recorded answers. */
export async function answerElevenLabs(request: RecordedRequest): Promise<Response> {
  const errors = await recordedJson<RecordedErrors>('elevenlabs', 'errors.json');
  const { text = '', model_id: model = '' } = (request.json ?? {}) as { text?: string; model_id?: string };
  const broken = brokenRule(ELEVENLABS_REFUSALS, request, model);
  if (broken) return refused(broken);
  const { pathname } = request.url;
  if (request.method === 'GET') return answerRead(request, pathname, errors);
  const [, voiceId, isTimed] = SPEECH.exec(pathname) ?? [];
  if (voiceId === undefined) return recordedError(errors, 'not-found');
  const failed = startError(errors, request.scenario);
  if (failed) return failed;
  if (request.scenario === 'bad-answer') return jsonAnswer({ hello: 'there' });
  if (!(await voiceOf(decodeURIComponent(voiceId)))) return recordedError(errors, 'not-found');
  const bytes = request.scenario === 'garbage-file' ? GARBAGE_VIDEO : await recordedVoice(text);
  const cost = { 'character-cost': String(text.length) };
  if (!isTimed)
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'audio/mpeg', ...cost } });
  const audio = Buffer.from(bytes).toString('base64');
  return jsonAnswer({ audio_base64: audio, alignment: recordedTimes(text) }, 200, cost);
}

/** Asked without its times, a voice is its sound alone. */
const SPEECH = /^\/v1\/text-to-speech\/([^/]+)(\/with-timestamps)?$/;

/** A refusal as ElevenLabs tells it: what its validation finds in a list, else by its name. */
function refused({ says, status }: { says: string; status: number }): Response {
  const detail =
    status === 422
      ? [{ type: 'value_error', loc: ['body'], msg: says }]
      : { status: says, message: 'The request is refused.' };
  return jsonAnswer({ detail }, status);
}

/** Times as even as the recorded reading: a character each fifteenth of a second. */
function recordedTimes(text: string) {
  const characters = [...text];
  const totalMs = recordedVoiceMs(text);
  const at = (index: number) => Math.round((index * totalMs) / characters.length) / 1_000;
  return {
    characters,
    character_start_times_seconds: characters.map((_, index) => at(index)),
    character_end_times_seconds: characters.map((_, index) => at(index + 1)),
  };
}

async function answerRead(
  request: RecordedRequest,
  pathname: string,
  errors: RecordedErrors,
): Promise<Response> {
  const { scenario } = request;
  if (pathname === '/v2/voices') {
    if (scenario === 'list-unreadable') return recordedError(errors, 'provider-error');
    return jsonAnswer(await recordedJson('elevenlabs', 'voices.json'));
  }
  if (pathname === '/v1/user/subscription') {
    if (scenario === 'missing-permission') return recordedError(errors, 'missing-permission');
    const answer = await recordedJson<Record<string, unknown>>('elevenlabs', 'subscription.json');
    if (scenario === 'quota-exhausted') answer.character_count = answer.character_limit;
    return jsonAnswer(answer);
  }
  const voiceId = /^\/v1\/voices\/([^/]+)$/.exec(pathname)?.[1];
  const voice = voiceId && (await voiceOf(decodeURIComponent(voiceId)));
  return voice ? jsonAnswer(voice) : recordedError(errors, 'not-found');
}

async function voiceOf(voiceId: string): Promise<{ voice_id: string } | undefined> {
  const { voices } = await recordedJson<VoicePage>('elevenlabs', 'voices.json');
  return voices.find((voice) => voice.voice_id === voiceId);
}
