import type { ErrorCode } from '#lib/core/errors.ts';
import type { FailureCode } from '#lib/studio/generation/failure-codes.ts';

/** What happened beyond the sentence of the answer, and what its reader can do about it. */
type ErrorGuide = { meaning: string; action: string };

/** Every code that an answer or a failed generation can carry: one that is added to the catalogue is asked for here by the compiler. */
export const ERROR_GUIDES: Readonly<Record<ErrorCode | FailureCode, ErrorGuide>> = {
  pillar_invalid: {
    meaning: 'Le pilier demandé n’est pas un des cinq rôles, écrits en majuscules.',
    action:
      'Envoyez IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS ou PEOPLE\u00a0; les noms affichés changent d’un type d’espace à l’autre, pas les rôles.',
  },
  invalid_request: {
    meaning: 'Un champ, un paramètre ou un en-tête manque, est de trop, ou n’a pas la bonne forme.',
    action:
      'Lisez `problems`\u00a0: chaque entrée nomme le champ et dit ce qui ne va pas. Corrigez, puis renvoyez.',
  },
  invalid_api_key: {
    meaning: 'Aucune clé, ou une clé ou un jeton inconnu, expiré ou révoqué.',
    action:
      'Vérifiez l’en-tête `Authorization: Bearer …`. Créez une autre clé dans Développeurs si celle-ci est finie\u00a0; un jeton se renouvelle.',
  },
  capacity_full: {
    meaning:
      'Le compte n’a pas la place de ce texte, ou aucune capacité ne lui est attribuée. Rien n’a été écrit.',
    action:
      'Supprimez ou raccourcissez des mémoires, ou demandez davantage de capacité à l’exploitant du service\u00a0; [la liste des espaces](/docs/api#listSpaces) dit dans `capacity` où vous en êtes.',
  },
  insufficient_scope: {
    meaning:
      'La clé ou le jeton est valable, mais ne donne pas ce droit, ou pas dans cet espace, ou le membre qui l’a fait ne l’a pas.',
    action:
      'La phrase dit lequel des trois. L’en-tête `WWW-Authenticate`, quand il est là, nomme le droit à demander, par une autre clé ou dans l’autorisation OAuth. Sinon, un fondateur du compte peut donner ce qui manque.',
  },
  account_closed: {
    meaning: 'Le compte est fermé\u00a0: il se lit, et plus rien n’y est écrit.',
    action: 'Un de ses fondateurs peut le rouvrir pendant trente jours.',
  },
  not_found: {
    meaning:
      'Cet identifiant n’existe pas dans votre compte. Ce qui est à un autre compte répond exactement pareil.',
    action:
      'Vérifiez l’identifiant, et que la clé est celle du bon compte\u00a0; une mémoire supprimée répond ainsi aussi.',
  },
  method_not_allowed: {
    meaning: 'L’adresse existe, pas avec cette méthode.',
    action: 'L’en-tête `Allow` dit lesquelles elle accepte.',
  },
  idempotency_conflict: {
    meaning: 'Cette clé d’idempotence a déjà servi pour un autre contenu. Rien n’a été écrit.',
    action: 'Prenez une nouvelle clé pour un nouveau contenu\u00a0; gardez l’ancienne pour rejouer l’ancien.',
  },
  payload_too_large: {
    meaning: 'Le corps dépasse la taille que cette opération accepte. Rien n’a été écrit.',
    action: 'Divisez le texte en plusieurs mémoires, ou réduisez le fichier.',
  },
  unsupported_media_type: {
    meaning: 'Le corps n’est pas du type attendu, ou il est compressé.',
    action:
      'Donnez l’en-tête `Content-Type` que la phrase indique, le plus souvent `application/json`, et envoyez le corps sans compression (`Content-Encoding`).',
  },
  rate_limited: {
    meaning:
      'Trop de requêtes en une minute, pour cette clé ou pour le compte entier, ou trop de travaux du compte à la fois\u00a0; la phrase le dit.',
    action:
      'Attendez `Retry-After` secondes, puis recommencez la même requête. Répartissez vos appels si cela revient.',
  },
  quota_exceeded: {
    meaning:
      'Les lectures du mois sont épuisées, ou le compte n’en comprend aucune (`detail`\u00a0: `none-included`).',
    action:
      'Attendez la date indiquée, ou demandez davantage à l’exploitant du service\u00a0; sans lecture comprise, aucune date n’y change rien. Un `If-None-Match` à jour ne coûte aucune lecture.',
  },
  internal_error: {
    meaning: 'Une faute de notre côté, dans l’API de contexte. Rien n’est écrit à moitié.',
    action: 'Recommencez une fois. Si cela dure, écrivez-nous avec l’en-tête `Request-Id`.',
  },
  unauthenticated: {
    meaning: 'Aucune session de membre, ou une session finie.',
    action: 'Reconnectez-vous. Un programme ne peut pas renouveler une session à votre place.',
  },
  forbidden: {
    meaning:
      'Votre session est valable, mais ce droit ne vous a pas été donné, ou la demande vient d’un autre site.',
    action: 'Demandez le droit à un fondateur du compte.',
  },
  verification_required: {
    meaning:
      'L’action est sensible et votre dernière preuve d’identité est trop ancienne. Rien n’a été fait.',
    action: 'Confirmez que c’est vous (code ou clé d’accès), puis recommencez.',
  },
  conflict: {
    meaning:
      'L’état du compte s’y oppose\u00a0: l’élément a changé depuis votre lecture, ou la place manque (`detail`\u00a0: `storage-full`). Rien n’a été fait.',
    action:
      'La phrase dit lequel. Relisez l’élément, reportez votre changement, puis renvoyez\u00a0; ou faites de la place, corbeille comprise, ou demandez-en à l’exploitant du service.',
  },
  invalid: {
    meaning: 'La demande au Studio n’est pas valable. Rien n’a été débité.',
    action: 'Lisez `detail` (le premier champ en cause) et `problems`. Corrigez, puis renvoyez.',
  },
  balance: {
    meaning: 'Le solde disponible ne couvre pas le montant à retenir. Rien n’a été débité.',
    action:
      'Demandez du crédit à un fondateur, ou choisissez un réglage moins cher\u00a0; l’aperçu dit le montant.',
  },
  cap: {
    meaning: 'Un plafond (par génération, du mois, du compte) serait dépassé. Rien n’a été débité.',
    action: 'La phrase dit lequel. Attendez le mois suivant, ou faites relever le plafond par un fondateur.',
  },
  'product-registered': {
    meaning: 'Le produit est encore au registre\u00a0: ses fichiers ne se purgent pas.',
    action: 'Retirez-le du registre, puis recommencez.',
  },
  'reference-refused': {
    meaning: 'Une image ou un clip de référence ne peut pas servir ici. Rien n’a été débité.',
    action:
      '`subject` nomme la référence et `detail` la raison (taille, durée, format, produit). Remplacez-la.',
  },
  'voice-length': {
    meaning: 'Le texte à dire est vide ou trop long pour cette voix. Rien n’a été débité.',
    action: 'Raccourcissez-le, ou demandez plusieurs voix.',
  },
  'voice-unverified': {
    meaning: 'L’origine de cette voix n’a pas pu être vérifiée. Rien n’a été débité.',
    action: 'Choisissez une autre voix, ou recommencez plus tard.',
  },
  'composition-failed': {
    meaning: 'L’image n’a pas pu être composée. Rien n’a été livré et le montant retenu a été rendu.',
    action: 'Recommencez sous une nouvelle clé\u00a0; si cela dure, changez l’image de référence.',
  },
  'provider-failure': {
    meaning: 'Le fournisseur n’a pas livré, ou a refusé la demande. Le montant retenu a été rendu.',
    action:
      'La phrase dit ce qui s’est passé. Reformulez si le contenu est en cause\u00a0; sinon demandez une nouvelle génération, sous une nouvelle clé.',
  },
  'setting-dropped': {
    meaning:
      'Le fournisseur a ignoré un réglage que vous auriez payé, ou une référence\u00a0: le fichier n’a pas été gardé et le montant a été rendu.',
    action: 'Recommencez sans ce réglage ou cette référence, ou avec un autre modèle.',
  },
  video_timeout: {
    meaning: 'La vidéo n’était pas finie après deux heures. Le montant retenu a été rendu.',
    action: 'Demandez-la à nouveau, plus courte ou avec un autre modèle.',
  },
  orphaned: {
    meaning: 'La vidéo a été lancée, mais le fournisseur ne la connaît plus. Le montant retenu a été rendu.',
    action: 'Demandez-la à nouveau.',
  },
  'no-callback': {
    meaning:
      'Le rendu n’a rien répondu en 100 minutes. Le montant retenu a été rendu\u00a0; un fichier a pu être publié.',
    action: 'Regardez le journal, puis relancez le rendu.',
  },
  quota: {
    meaning:
      'Le service de rendu n’a plus de quota\u00a0: le rendu n’a pas commencé et le montant a été rendu.',
    action: 'Relancez-le au retour du quota.',
  },
  not_configured: {
    meaning: 'Cette installation n’a pas le service demandé. Rien n’a été débité.',
    action: 'Choisissez autre chose, ou demandez à l’exploitant de le configurer.',
  },
  'composition-unavailable': {
    meaning: 'La composition d’images n’est pas disponible en ce moment. Rien n’a été débité.',
    action: 'Recommencez dans quelques minutes.',
  },
  unavailable: {
    meaning: 'Le service, ou sa base, ne répond pas en ce moment.',
    action: 'Attendez `Retry-After` secondes, puis recommencez la même requête, avec la même clé.',
  },
  'internal-error': {
    meaning: 'Une faute de notre côté, dans le Studio. Rien n’est débité sans livraison.',
    action:
      'Relisez la génération si vous avez son identifiant, sinon recommencez. Si cela dure, écrivez-nous avec l’en-tête `Request-Id`.',
  },
};
