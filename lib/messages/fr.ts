import type { ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { FAILURE_SENTENCES } from './studio.ts';

/** One sentence per error code; `{name}` is filled from the error's params. */
const ERROR_MESSAGES = {
  pillar_invalid: 'Pilier inconnu. Les cinq rôles sont IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE.',
  invalid_request: 'La requête n’est pas valide.',
  invalid_api_key: 'Clé de développeur ou jeton d’accès absent, inconnu, expiré ou révoqué.',
  capacity_full:
    'La capacité de contexte du compte est pleine\u00a0: rien n’a été écrit. Supprimez des mémoires, ou demandez davantage de capacité à l’exploitant du service.',
  insufficient_scope: 'Ces identifiants ne donnent pas le droit demandé.',
  account_closed:
    'Ce compte est fermé\u00a0: il se lit, et plus rien n’y est écrit. Un de ses fondateurs peut le rouvrir.',
  not_found: 'Introuvable dans ce compte.',
  method_not_allowed: 'Cette adresse n’accepte pas cette méthode.',
  idempotency_conflict:
    'Cette clé d’idempotence a déjà servi pour un autre contenu\u00a0: rien n’a été écrit.',
  payload_too_large: 'Le corps de la requête dépasse {limit} octets\u00a0: rien n’a été écrit.',
  unsupported_media_type: 'Le corps doit être envoyé en {expected}.',
  rate_limited: 'Trop de requêtes. Réessayez dans {seconds} s.',
  quota_exceeded: 'Le quota de lectures du mois est épuisé. Il se renouvelle le {resetsAt}.',
  internal_error:
    'Une erreur interne est survenue. Rien n’est perdu\u00a0; réessayez, puis citez l’identifiant de la requête.',
  unauthenticated: 'Connectez-vous pour continuer.',
  forbidden: 'Vous n’avez pas le droit de faire cela. Un fondateur du compte peut vous l’accorder.',
  verification_required:
    'Cette action demande une preuve récente que c’est bien vous\u00a0: rien n’a été fait. Confirmez-le, ou reconnectez-vous, puis recommencez.',
  conflict: 'Quelqu’un a modifié cet élément entre-temps.',
  invalid: 'La demande n’est pas valide\u00a0: rien n’a été débité.',
  balance: 'Le solde disponible ne couvre pas le montant à retenir\u00a0: rien n’a été débité.',
  cap: 'Un plafond de dépense serait dépassé\u00a0: rien n’a été débité.',
  'product-registered':
    'Ce produit est encore enregistré\u00a0: retirez-le du registre avant de purger ses fichiers.',
  'reference-refused': 'Une référence a été refusée\u00a0: rien n’a été débité.',
  'voice-length': 'Le texte est vide ou trop long pour une voix\u00a0: rien n’a été débité.',
  'voice-unverified': 'L’origine de cette voix n’a pas pu être vérifiée\u00a0: rien n’a été débité.',
  // What a failed generation says, whether its row is read or its request is answered.
  'composition-failed': FAILURE_SENTENCES['composition-failed'],
  'provider-failure': FAILURE_SENTENCES['provider-failure'],
  'setting-dropped': FAILURE_SENTENCES['setting-dropped'],
  video_timeout: FAILURE_SENTENCES.video_timeout,
  orphaned: FAILURE_SENTENCES.orphaned,
  'internal-error': FAILURE_SENTENCES['internal-error'],
  not_configured: 'Le service de rendu n’est pas configuré\u00a0: rien n’a été débité.',
  'composition-unavailable': 'La composition d’images n’est pas disponible\u00a0: rien n’a été débité.',
  unavailable: 'Le service est momentanément indisponible. Réessayez dans un instant.',
} as const satisfies Record<ErrorCode, string>;

function fill(template: string, params: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? String(params[name]) : whole,
  );
}

/** The French sentence a caller reads for this error. */
export function errorMessage(error: ServiceError): string {
  return error.options.message ?? fill(ERROR_MESSAGES[error.code], error.options.params);
}

/** What an error could have filled its sentence with. */
const EXAMPLES = {
  limit: '65\u202f536',
  expected: 'application/json',
  seconds: 30,
  resetsAt: '1er décembre à 0\u00a0h UTC',
};

/** The catalogue's sentence for a code, as an example of what callers read; for the API documents. */
export function catalogMessage(code: ErrorCode): string {
  return fill(ERROR_MESSAGES[code], EXAMPLES);
}
