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
  if (!request.headers.get('xi-api-key')) return recordedError(errors, 'unauthorized');
  const { pathname } = request.url;
  if (request.method === 'GET') return answerRead(request, pathname, errors);
  if (!pathname.startsWith('/v1/text-to-speech/')) return recordedError(errors, 'not-found');
  const failed = startError(errors, request.scenario);
  if (failed) return failed;
  if (request.scenario === 'bad-answer') return jsonAnswer({ hello: 'there' });
  const voiceId = decodeURIComponent(pathname.split('/')[3] ?? '');
  if (!(await voiceOf(voiceId))) return recordedError(errors, 'not-found');
  const { text = '', model_id: model = '' } = request.json as { text?: string; model_id?: string };
  const broken = brokenRule(ELEVENLABS_REFUSALS, request, model);
  if (broken)
    return jsonAnswer({ detail: { status: broken.says, message: 'The request is refused.' } }, broken.status);
  const bytes = request.scenario === 'garbage-file' ? GARBAGE_VIDEO : await recordedVoice(text);
  return jsonAnswer(
    { audio_base64: Buffer.from(bytes).toString('base64'), alignment: recordedTimes(text) },
    200,
    {
      'character-cost': String(text.length),
    },
  );
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
