import {
  DEFAULT_SEARCH_LIMIT,
  MAX_CONTEXT_CHARS,
  MAX_MEMORY_DEPTH,
  MAX_MEMORY_REQUEST_BYTES,
  MAX_PROJECTS,
  MAX_QUESTION_LENGTH,
  MAX_SEARCH_LIMIT,
  MAX_SPACES,
  MAX_TITLE_LENGTH,
  MIN_CONTEXT_CHARS,
} from '#lib/brain/limits.ts';
import {
  MAX_WAITING_OF_ACCOUNT,
  MAX_WAITING_OF_PROPOSER,
  PROPOSAL_DAYS,
} from '#lib/brain/proposals/proposal-rules.ts';
import { READS_PER_CU } from '#lib/brain/quota/read-quota.ts';
import { LIVE_KEYS_PER_MEMBER } from '#lib/identity/keys/key-limit.ts';
import { ACCOUNT_RATE, CREDENTIAL_RATE } from '#lib/identity/rate/rate-limit.ts';
import {
  ACCESS_LIFETIME_MS,
  DEAD_TOKENS_PER_MINUTE,
  DOCUMENT_READS_PER_MINUTE,
  REFRESH_LIFETIME_MS,
  REGISTRATIONS_PER_MINUTE,
  TOKENS_PER_MINUTE,
} from '#lib/oauth/protocol/config.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import { READ_EVERY_MS } from '#lib/studio/limits.ts';
import { MAX_STUDIO_REQUEST_BYTES } from '#lib/studio/schemas.ts';
import { type DocPage, list, table, text } from '../writing/page.ts';

const { requests, writes } = CREDENTIAL_RATE;
const hours = ACCESS_LIFETIME_MS / 3_600_000;
const days = REFRESH_LIFETIME_MS / 86_400_000;
const mib = (bytes: number) => `${bytes / 1024 ** 2} Mio`;

export const LIMITS: DocPage = {
  slug: 'limites',
  title: 'Limites et quota',
  summary:
    'Le débit par minute, les lectures du mois, la capacité, les tailles, et ce que disent les en-têtes.',
  group: 'Règles',
  introduction: () =>
    'Les limites protègent votre compte autant que le service\u00a0: un programme qui s’emballe n’arrête que lui.',
  sections: () => [
    {
      id: 'debit',
      title: 'Débit par minute',
      level: 2,
      text: text(
        table(
          ['Qui', 'Combien par minute'],
          [
            ['Une clé, ou une application', `${requests} requêtes, dont ${writes} écritures`],
            [
              'Le compte entier',
              `${ACCOUNT_RATE.requests.toLocaleString('fr-FR')} requêtes, dont ${ACCOUNT_RATE.writes} écritures, sauf réglage de votre installation`,
            ],
            [
              'Les navigateurs d’un membre',
              'quatre dixièmes des requêtes du compte, et la moitié de ses écritures',
            ],
          ],
        ),
        'Au-delà\u00a0: 429 [`rate_limited`](/docs/erreurs#rate_limited), avec `Retry-After` en secondes. Chaque réponse à une clé ou à un jeton dit où il en est\u00a0:',
        list(
          '`RateLimit-Policy`\u00a0: les limites qui s’appliquent',
          '`RateLimit`\u00a0: ce qui reste, et dans combien de secondes la minute recommence',
        ),
      ),
    },
    {
      id: 'oauth',
      title: 'Connexion des applications (OAuth)',
      level: 2,
      text: text(
        table(
          ['Quoi', 'Combien par minute'],
          [
            [
              'Échanger le code d’une connexion et renouveler ses jetons',
              `${TOKENS_PER_MINUTE}, par connexion`,
            ],
            [
              'Montrer un code, un jeton ou une application qui ne valent rien (`/api/oauth/token`, `/api/oauth/revoke`)',
              `${DEAD_TOKENS_PER_MINUTE}, par réseau`,
            ],
            [
              'Enregistrer une application (`/api/oauth/register`)',
              `${REGISTRATIONS_PER_MINUTE}, par réseau`,
            ],
            [
              'Faire lire le document d’une application (`client_id` en https)',
              `${DOCUMENT_READS_PER_MINUTE}, par réseau`,
            ],
          ],
        ),
        'Un réseau est une adresse IPv4, ou un /48 en IPv6. Au-delà\u00a0: 429 `temporarily_unavailable`, dans la forme d’OAuth (`error` et `error_description`), avec `Retry-After` en secondes. Un code ou un jeton valables passent, quoi que d’autres envoient du même réseau, et une révocation aussi.',
      ),
    },
    {
      id: 'lectures',
      title: 'Lectures du mois',
      level: 2,
      text: text(
        `Une lecture réussie du Brain (espaces, mémoire, contexte, recherche) compte pour une, par l’API comme par un assistant. Le compte en a ${READS_PER_CU} par unité de capacité et par mois, sauf contrat\u00a0; elles se renouvellent le premier du mois à 0\u00a0h UTC. Une génération qui prend le contexte d’un espace en compte une aussi.`,
        'Ne coûtent rien\u00a0: lire le quota, lister les projets, lire le Studio, ajouter, une réponse 304, un refus. Quand les lectures du mois sont épuisées\u00a0: 429 [`quota_exceeded`](/docs/erreurs#quota_exceeded), avec la date du renouvellement. Un compte qui n’en comprend aucune reçoit le même code, avec `none-included` dans `detail`.',
      ),
    },
    {
      id: 'capacite',
      title: 'Capacité et tailles',
      level: 2,
      text: table(
        ['Quoi', 'Limite'],
        [
          [
            'Capacité du compte',
            'une unité (CU) par Kio commencé de titre et de texte\u00a0; pleine\u00a0: 402 [`capacity_full`](/docs/erreurs#capacity_full)',
          ],
          ['Mémoires rangées les unes sous les autres', `${MAX_MEMORY_DEPTH} niveaux sous la première`],
          [
            'Propositions en attente',
            `${MAX_WAITING_OF_PROPOSER} par clé ou application, ${MAX_WAITING_OF_ACCOUNT} par compte\u00a0; chacune attend ${PROPOSAL_DAYS} jours`,
          ],
          ['Titre d’une mémoire', `${MAX_TITLE_LENGTH} caractères`],
          ['Corps d’un ajout', `${MAX_MEMORY_REQUEST_BYTES.toLocaleString('fr-FR')} octets`],
          ['Corps d’une demande au Studio', `${MAX_STUDIO_REQUEST_BYTES.toLocaleString('fr-FR')} octets`],
          [
            'Image, puis clip, envoyés en référence',
            `${mib(MEDIA_LIMITS.uploadedImageBytes)}, ${mib(MEDIA_LIMITS.uploadedClipBytes)}`,
          ],
          [
            'Fichiers du compte, corbeille comprise',
            `${STORAGE_LIMITS.quotaBytes / 1024 ** 3} Gio, sauf réglage de votre installation\u00a0; pleins\u00a0: 409 [\`conflict\`](/docs/erreurs#conflict)`,
          ],
          ['Recherche, et question d’un contexte (`q`)', `${MAX_QUESTION_LENGTH} caractères`],
          [
            'Contexte',
            `de ${MIN_CONTEXT_CHARS} à ${MAX_CONTEXT_CHARS.toLocaleString('fr-FR')} caractères (\`maxChars\`)\u00a0; la réponse dit la valeur appliquée`,
          ],
          ['Résultats de recherche', `${DEFAULT_SEARCH_LIMIT} par défaut, ${MAX_SEARCH_LIMIT} au plus`],
          ['Clés vivantes par membre', String(LIVE_KEYS_PER_MEMBER)],
          [
            'Espaces, et projets, d’un compte',
            `${MAX_SPACES.toLocaleString('fr-FR')} et ${MAX_PROJECTS.toLocaleString('fr-FR')}, espaces archivés compris`,
          ],
          [
            'Jeton d’accès',
            `${hours} h, renouvelé tant que l’application s’en sert une fois en ${days} jours`,
          ],
        ],
      ),
    },
    {
      id: 'argent',
      title: 'Argent',
      level: 2,
      text: 'Une génération retient un montant avant de commencer, puis débite le coût mesuré et rend le reste. Elle est refusée avant tout appel payant si le solde ([`balance`](/docs/erreurs#balance)) ou un plafond ([`cap`](/docs/erreurs#cap)) ne la couvre pas. Un échec ne coûte rien.',
    },
  ],
};

export const CALLS: DocPage = {
  slug: 'appels',
  title: 'Appels sûrs',
  summary: 'Pagination, idempotence, reprises et cache\u00a0: ce qu’un programme doit savoir pour durer.',
  group: 'Règles',
  introduction: () =>
    'Un réseau coupe, un programme redémarre, deux envois se croisent. Ces règles font qu’il n’en reste rien.',
  sections: () => [
    {
      id: 'pagination',
      title: 'Pagination',
      level: 2,
      text: text(
        'Ce qui peut être long vient par pages\u00a0: `limit` dit combien, `nextCursor` se renvoie tel quel dans `cursor`, et il est nul à la dernière page.',
        list(
          'Un curseur est opaque\u00a0: ne le fabriquez pas et ne le gardez pas d’un jour à l’autre.',
          'Les filtres restent les mêmes d’une page à l’autre.',
          'Ce qui est ajouté pendant que vous tournez les pages arrive en tête\u00a0: vous ne sautez et ne relisez rien.',
        ),
        'La liste des espaces et les résultats d’une recherche viennent en une fois, dans `data`.',
      ),
    },
    {
      id: 'idempotence',
      title: 'Idempotence',
      level: 2,
      text: text(
        'L’en-tête `Idempotency-Key` (1 à 200 caractères ASCII visibles) est obligatoire pour ajouter une mémoire et, sous `/api/v1`, pour demander une génération. Ailleurs, donnez-la toujours pour une génération\u00a0: c’est elle qui empêche de payer deux fois.',
        table(
          ['Vous envoyez', 'Vous recevez'],
          [
            ['une clé nouvelle', '201\u00a0: c’est fait\u00a0; 202\u00a0: c’est en cours'],
            [
              'la même clé, le même contenu',
              '200 et `Idempotent-Replayed: true`\u00a0: la mémoire ou la génération déjà faite, rien n’est refait\u00a0; une génération vient dans son état d’à présent',
            ],
            [
              'la même clé, le même contenu, quand la génération a échoué dès sa première réponse',
              'le même refus, avec `Idempotent-Replayed: true`\u00a0: pour recommencer, prenez une nouvelle clé',
            ],
            [
              'la même clé, un autre contenu',
              '409 [`idempotency_conflict`](/docs/erreurs#idempotency_conflict)\u00a0: rien n’est écrit',
            ],
          ],
        ),
        'Un refus avant tout travail (un champ fautif, le solde, un plafond) laisse la clé libre\u00a0: corrigez, puis renvoyez sous la même.',
        'Une clé vaut tant que ce qu’elle a créé existe\u00a0: pour une mémoire, jusqu’à son effacement, trente jours après sa suppression. Les clés d’une mémoire sont communes à tout le compte, celles d’une génération à tous les programmes d’un membre\u00a0: commencez-les par le nom du vôtre.',
      ),
    },
    {
      id: 'reprises',
      title: 'Reprises',
      level: 2,
      text: list(
        'Un refus avec `Retry-After`\u00a0: attendez, puis recommencez la même requête, avec la même clé.',
        `Un 202 avec \`Retry-After\` (${READ_EVERY_MS / 1_000} secondes)\u00a0: n’envoyez rien de nouveau, attendez et relisez \`pollUrl\`, que l’en-tête \`Location\` donne aussi.`,
        'Aucune réponse, ou un 502 à 504 sans notre corps d’erreur\u00a0: recommencez une lecture, ou un envoi qui porte une clé.',
        'Un autre refus est une réponse\u00a0: recommencer ne la changera pas. [Le catalogue](/docs/erreurs) dit quoi faire de chacun.',
        'Un 502 [`provider-failure`](/docs/erreurs#provider-failure) est définitif\u00a0: le montant a été rendu\u00a0; demandez une nouvelle génération, sous une nouvelle clé.',
      ),
    },
    {
      id: 'cache',
      title: 'Cache et ETag',
      level: 2,
      text: text(
        'Un espace, un contexte et un fichier viennent avec un `ETag`\u00a0; sous `/api/v1`, une génération, les listes du Studio et le solde aussi. Gardez-le avec la réponse, renvoyez-le dans `If-None-Match`\u00a0: 304 veut dire que votre copie est à jour, et ne coûte aucune lecture.',
        list(
          'L’étiquette change avec le contenu et avec la question\u00a0: ne servez pas le contexte d’une question à une autre.',
          'Les réponses sont privées (`Cache-Control: private`)\u00a0: aucun cache partagé ne doit les garder.',
          'Un fichier accepte `Range`\u00a0: un téléchargement coupé reprend où il en était.',
        ),
      ),
    },
  ],
};

export const VERSIONS: DocPage = {
  slug: 'versions',
  title: 'Versions et retraits',
  summary:
    'Ce qui peut changer sans prévenir, ce qui ne changera pas dans une version, et comment un retrait est annoncé.',
  group: 'Règles',
  introduction: () =>
    'Le numéro est dans l’adresse\u00a0: `/api/v1`. Ce qui marche avec une version continue de marcher tant qu’elle est servie.',
  sections: () => [
    {
      id: 'ajouts',
      title: 'Ce qui peut être ajouté à tout moment',
      level: 2,
      text: text(
        list(
          'une opération, un outil MCP, un champ d’une réponse, un paramètre facultatif, un en-tête',
          'un code d’erreur, une valeur d’une liste (un statut, un type d’événement)',
          'une phrase mieux dite\u00a0: les phrases sont pour les gens, les codes pour les programmes',
        ),
        'Écrivez donc un programme qui ignore un champ inconnu et qui traite un code inconnu d’après son statut HTTP.',
      ),
    },
    {
      id: 'promesses',
      title: 'Ce qui ne change pas dans une version',
      level: 2,
      text: list(
        'le nom, le type et le sens d’un champ\u00a0; ce qui est obligatoire dans une requête',
        'le code et le statut d’un refus existant',
        'le nom d’un outil MCP et ses arguments obligatoires',
        'ce qu’une requête coûte\u00a0: une opération gratuite ne devient pas payante sans annonce',
      ),
    },
    {
      id: 'retraits',
      title: 'Comment un retrait se passe',
      level: 2,
      text: text(
        'Un changement qui casserait un programme demande une nouvelle version (`/api/v2`). L’ancienne reste servie douze mois au moins après l’annonce. Rien n’est en voie de retrait aujourd’hui, et aucune réponse ne le dit donc. Le jour où un retrait sera annoncé\u00a0:',
        list(
          'l’annonce sera dans [le journal des changements](/docs/changements)',
          'les réponses de ce qui va partir porteront `Deprecation` et `Sunset` (RFC 9745 et RFC 8594), avec la date',
          'l’opération sera marquée `deprecated` dans le document OpenAPI et dans les types du client',
        ),
        'Une faille de sécurité peut imposer d’aller plus vite\u00a0; l’annonce dira alors pourquoi.',
      ),
    },
    {
      id: 'client',
      title: 'Le client TypeScript',
      level: 2,
      text: 'Il suit les mêmes règles, en versions sémantiques\u00a0: une version majeure seulement quand du code qui compilait ne compilerait plus. Il est écrit depuis les documents OpenAPI du service, et un essai les compare.',
    },
  ],
};
