import { NONE_INCLUDED } from '#lib/brain/quota/read-quota.ts';
import { ERROR_CATALOG, type ErrorCode, type Problem, type ServiceError } from '#lib/core/errors.ts';
import { plural } from '#lib/core/text/plural.ts';
import { errorMessage } from '#lib/messages/fr.ts';

/** Whether the same call can succeed later, and when; else what has to change first. */
type RetryAdvice = { retryable: boolean; afterSeconds: number | null; sentence: string };

const CORRECT = 'Corrigez les arguments avant de rappeler l’outil.';
const TELL = 'Ne réessayez pas\u00a0: dites-le à la personne.';

const NOT_BEFORE_A_CHANGE: Partial<Record<ErrorCode, string>> = {
  invalid_request: CORRECT,
  invalid: CORRECT,
  pillar_invalid: 'Corrigez le pilier avant de rappeler l’outil.',
  payload_too_large: 'Raccourcissez le texte, ou divisez-le en plusieurs mémoires.',
  not_found:
    'Reprenez l’identifiant que donne l’outil qui liste ou qui cherche (brain_list_spaces pour un espace, brain_search pour une mémoire, studio_journal pour une génération).',
  idempotency_conflict: 'Donnez une autre clé d’idempotence pour un autre contenu.',
  capacity_full:
    'Ne réessayez pas\u00a0: il faut libérer de la capacité ou en demander davantage. Dites-le à la personne qui vous a demandé cet ajout.',
  insufficient_scope:
    'Ne réessayez pas\u00a0: dites-le à la personne. Ce droit s’accorde en autorisant de nouveau cette connexion ou, s’il manque au membre, par un fondateur du compte.',
  account_closed:
    'Ne réessayez pas\u00a0: dites à la personne qui vous a demandé cet ajout que le compte est fermé.',
  invalid_api_key: 'Ne réessayez pas\u00a0: la connexion est à refaire.',
  forbidden: TELL,
  balance: TELL,
  cap: TELL,
  not_configured: TELL,
  'composition-unavailable': TELL,
};

/** Most faulty fields that one answer lists. */
const MAX_TOLD = 10;

/** What an assistant should do after a refusal. */
function retryAdvice(error: ServiceError): RetryAdvice {
  const afterSeconds = error.options.retryAfterSeconds ?? null;
  if (error.code === 'quota_exceeded')
    return {
      retryable: false,
      afterSeconds,
      sentence:
        error.options.detail === NONE_INCLUDED
          ? TELL
          : 'Ne réessayez pas avant cette date\u00a0: travaillez avec ce que vous avez déjà lu.',
    };
  if (error.code === 'rate_limited' || error.code === 'unavailable')
    return {
      retryable: true,
      afterSeconds,
      sentence: `Le même appel peut réussir dans ${afterSeconds ?? 5} s.`,
    };
  const change = NOT_BEFORE_A_CHANGE[error.code];
  if (change === undefined && ERROR_CATALOG[error.code].status >= 500)
    return {
      retryable: true,
      afterSeconds,
      sentence: 'Réessayez une fois\u00a0; si l’erreur revient, arrêtez.',
    };
  return {
    retryable: false,
    afterSeconds,
    sentence: change ?? 'Le même appel sera refusé de nouveau.',
  };
}

/** The machine-readable part of a refusal, the same in a tool's result and in a JSON-RPC error. */
export function errorData(error: ServiceError) {
  const { retryable, afterSeconds } = retryAdvice(error);
  return {
    code: error.code,
    retryable,
    ...(afterSeconds === null ? {} : { retryAfterSeconds: afterSeconds }),
    ...(error.options.problems ? { problems: error.options.problems } : {}),
  };
}

/** The sentence of a refusal followed by the faulty fields, ten at most, and how many others: many assistants read nothing but the text. */
function faultsOf(error: ServiceError): string {
  const message = errorMessage(error);
  const problems = error.options.problems ?? [];
  const named = ({ field, message: fault }: Problem) => `${field}\u00a0: ${fault}`;
  const [first] = problems;
  if (!first) return message;
  const head = message === first.message ? named(first) : message;
  const others = message.includes(first.message) ? problems.slice(1) : problems;
  const left = others.length - MAX_TOLD;
  const more = left > 0 ? [`Et ${left} ${plural(left, 'autre champ fautif', 'autres champs fautifs')}.`] : [];
  return [head, ...others.slice(0, MAX_TOLD).map(named), ...more].join(' ');
}

/**
 * A refusal as a tool's result: sentences that an assistant can act on, and its code under `_meta`. `accepted`: the arguments that the tool takes, where one was
 * given that it does not know.
 */
export function toolError(error: ServiceError, { accepted }: { accepted?: readonly string[] } = {}) {
  const takes = accepted && `Arguments possibles\u00a0: ${accepted.join(', ') || 'aucun'}.`;
  const said = [faultsOf(error), takes, retryAdvice(error).sentence, `(${error.code})`];
  const text = said.filter(Boolean).join(' ');
  return {
    content: [{ type: 'text' as const, text }],
    isError: true,
    _meta: { 'atelier/error': errorData(error) },
  };
}
