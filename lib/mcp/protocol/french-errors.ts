import type { Problem } from '#lib/core/errors.ts';
import { FRENCH_TYPES } from '#lib/core/input/validate.ts';
import { INVALID_PARAMS, INVALID_REQUEST } from './json-rpc.ts';

const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;
/** A message may quote input of any length: beyond this, it is not searched for versions. */
const LONGEST_VERSIONS = 1_000;

type ProtocolError = { code: number; message: string; data?: unknown };
type Issue = { path?: (string | number)[]; expected?: string };

/** An error of the protocol library in our words: a French sentence and the fields at fault, never a dump of the schema. */
function inFrench(error: ProtocolError): ProtocolError {
  if (isOurs(error.data)) return error;
  const problems = problemsOf(error.message);
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

function sentenceOf({ code, message }: ProtocolError, [first]: Problem[]): string {
  if (first) return `${first.field}\u00a0: ${first.message}`;
  const versions = /Unsupported protocol version: ([^ ]+) \(supported versions: ([^)]+)\)/.exec(
    message.slice(0, LONGEST_VERSIONS),
  );
  if (versions)
    return `La version ${versions[1]} du protocole n’est pas servie. Versions\u00a0: ${versions[2]}.`;
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
