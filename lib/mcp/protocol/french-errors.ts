import type { Problem } from '#lib/core/errors.ts';
import { FRENCH_TYPES } from '#lib/core/input/validate.ts';
import { INVALID_PARAMS, INVALID_REQUEST } from './json-rpc.ts';

const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
/** A message may quote input of any length: beyond this, it is not searched for versions. */
const LONGEST_VERSIONS = 1_000;

type ProtocolError = { code: number; message: string; data?: unknown };
type Issue = { path?: (string | number)[]; expected?: string };

/** An error of the protocol library in our words: a French sentence and the fields at fault, never a dump of the schema. */
function inFrench(error: ProtocolError): ProtocolError {
  if (isOurs(error.data)) return error;
  const told = problemsOf(error.message);
  const problems = told.length > 0 ? told : envelopeProblems(error.data);
  const code = problems.length > 0 ? INVALID_PARAMS : error.code;
  const known = typeof error.data === 'object' ? error.data : {};
  const data = {
    ...known,
    code: 'invalid_request',
    retryable: false,
    ...(problems.length > 0 ? { problems } : {}),
  };
  return { code, message: sentenceOf(error, problems), data };
}

/** Our own refusals carry a code and retry advice, and are already in French. */
const isOurs = (data: unknown) =>
  typeof data === 'object' && data !== null && 'code' in data && 'retryable' in data;

/** The version that was asked for and those that there are: the 2026 revision gives them as data, the earlier ones in the message. */
function versionsOf({ code, message, data }: ProtocolError): [asked: string, served: string] | null {
  const [, asked, served] =
    /Unsupported protocol version: ([^ ]+) \(supported versions: ([^)]+)\)/.exec(
      message.slice(0, LONGEST_VERSIONS),
    ) ?? [];
  if (asked !== undefined && served !== undefined) return [asked, served];
  if (code !== UNSUPPORTED_VERSION) return null;
  const { requested, supported } = (data ?? {}) as { requested?: unknown; supported?: unknown };
  if (typeof requested !== 'string' || !Array.isArray(supported)) return null;
  return [requested.slice(0, LONGEST_VERSIONS), supported.join(', ')];
}

function sentenceOf(error: ProtocolError, [first]: Problem[]): string {
  const { code, message } = error;
  if (first) return `${first.field}\u00a0: ${first.message}`;
  const [asked, served] = versionsOf(error) ?? [];
  if (asked !== undefined)
    return `La version ${asked} du protocole n’est pas servie. Versions\u00a0: ${served}.`;
  if (/^Tool .* not found$/s.test(message))
    return 'Cet outil n’existe pas\u00a0: tools/list donne ceux qui existent.';
  if (/^Prompt .* not found$/s.test(message))
    return 'Cette consigne n’existe pas\u00a0: prompts/list donne celles qui existent.';
  if (/^Resource template .* not found$/s.test(message))
    return 'Cette forme d’adresse n’existe pas\u00a0: resources/templates/list donne celles qui existent.';
  if (/^Resource (URI .* is invalid$|not found: )/s.test(message))
    return 'Cette adresse ne désigne rien dans ce service\u00a0: resources/list donne celles qui existent.';
  if (/^Subscription limit reached$/.test(message))
    return 'Trop d’abonnements sont ouverts\u00a0: fermez-en un, ou revenez dans une minute.';
  if (/^Not Acceptable/.test(message))
    return 'Le client doit accepter application/json et text/event-stream.';
  if (/^Unsupported Media Type/.test(message)) return 'Le corps doit être envoyé en application/json.';
  return SENTENCES[code] ?? 'Le protocole refuse ce message.';
}

const SENTENCES: Record<number, string> = {
  [METHOD_NOT_FOUND]: 'Cette méthode n’existe pas ici.',
  [INVALID_PARAMS]: 'Les paramètres n’ont pas la forme attendue.',
  [INVALID_REQUEST]: 'Le corps n’est pas un message JSON-RPC valable.',
  [HEADER_MISMATCH]: 'Les en-têtes de la requête et son corps ne disent pas la même chose.',
};

/** The fields named in a dumped schema error. Its start and end are searched separately: one pattern for both would be quadratic. */
function problemsOf(message: string): Problem[] {
  const start = message.search(/\[\s*\{/);
  const end = message.lastIndexOf(']');
  if (start === -1 || end < start) return [];
  try {
    const issues = JSON.parse(message.slice(start, end + 1)) as Issue[];
    return issues.slice(0, 20).map(({ path = [], expected }) => ({
      field: path.join('.') || 'corps',
      message: expected
        ? `Le type attendu est ${FRENCH_TYPES[expected] ?? expected}.`
        : 'La valeur n’est pas valable.',
    }));
  } catch {
    return [];
  }
}

/** The members of `params._meta` at fault, which the 2026 revision wants in every request. */
function envelopeProblems(data: unknown): Problem[] {
  const { envelope } = (data ?? {}) as { envelope?: { missing?: unknown; key?: unknown; problem?: unknown } };
  const { missing, key, problem } = envelope ?? {};
  const names: unknown[] = Array.isArray(missing) ? missing : key === undefined ? [] : [key];
  const isMissing = Array.isArray(missing) || problem === 'missing';
  return names.map((name) => ({
    field: name === '_meta' ? 'params._meta' : `params._meta.${String(name)}`,
    message: isMissing ? 'Ce champ est obligatoire.' : 'La valeur n’est pas valable.',
  }));
}

/** A JSON-RPC message as written, its error in our words; anything else as it is. */
export function messageInFrench(text: string): string {
  if (!text.slice(0, 400).includes('"error"')) return text;
  try {
    const message = JSON.parse(text) as { error?: ProtocolError };
    const { error } = message;
    if (typeof error?.code !== 'number' || typeof error.message !== 'string') return text;
    return JSON.stringify({ ...message, error: inFrench(error) });
  } catch {
    return text;
  }
}
