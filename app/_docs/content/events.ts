import { z } from 'zod';
import { DELIVERIES_KEPT_DAYS } from '#lib/identity/purge-expired.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '#lib/webhooks/events.ts';
import {
  FAILING_MS,
  MAX_ENDPOINTS,
  MAX_WAITING,
  OVERLAP_HOURS,
  RETRY_MS,
  SEND_MS,
} from '#lib/webhooks/limits.ts';
import { WEBHOOK_BY_HAND, WEBHOOK_HANDLER } from '../examples/events.ts';
import { fieldsOf, type Schema } from '../reference/fields.ts';
import { type DocPage, fence, list, steps, table, text } from '../writing/page.ts';

const hours = (ms: number) => ms / 3_600_000;

/** Every event with what it carries, from the one list that the service sends by. */
export const EVENTS: DocPage = {
  slug: 'evenements',
  title: 'Événements',
  summary:
    'Être prévenu de ce qui se passe dans un compte\u00a0: adresses, signatures, reprises, et chaque événement.',
  group: 'Référence',
  introduction: () =>
    'Plutôt que de relire sans cesse, donnez une adresse\u00a0: Atelier y envoie ce qui vient de se passer, signé selon [Standard Webhooks](https://www.standardwebhooks.com). Un événement dit quoi et où\u00a0; le reste se lit par [l’API](/docs/api).',
  sections: () => [
    {
      id: 'abonner',
      title: 'Abonner une adresse',
      level: 2,
      text: text(
        steps(
          `Ouvrez [Développeurs, Événements](/developpeurs/evenements) et donnez une adresse publique en https sur le port habituel, avec les événements voulus (${MAX_ENDPOINTS} adresses par compte).`,
          'Copiez le secret (`whsec_…`)\u00a0: il n’est montré qu’une fois.',
          'Envoyez l’événement d’essai\u00a0: la page dit ce que votre adresse a répondu.',
        ),
        `Remplacer le secret laisse l’ancien signer encore ${OVERLAP_HOURS.filter((one) => one > 0).join(' ou ')} heures, à votre choix, ou pas du tout.`,
      ),
    },
    {
      id: 'recevoir',
      title: 'Recevoir',
      level: 2,
      text: text(
        'Vérifiez la signature sur le corps exactement tel qu’il est venu, avant de le lire. Le client le fait, à temps constant, et refuse ce qui a plus de cinq minutes.',
        fence('ts TypeScript', WEBHOOK_HANDLER),
        'Sans le client, ou dans un autre langage\u00a0: la clé est ce qui suit `whsec_`, décodé de base64\u00a0; ce qui est signé en HMAC-SHA256 est `webhook-id`, un point, `webhook-timestamp`, un point, puis le corps\u00a0; le résultat, en base64, suit `v1,`. L’en-tête peut porter plusieurs signatures, séparées par une espace\u00a0: une seule suffit.',
        fence('ts Sans le client', WEBHOOK_BY_HAND),
        'Répondez 2xx en moins de ' + SEND_MS / 1_000 + ' secondes, et faites le travail ensuite.',
      ),
    },
    {
      id: 'livraison',
      title: 'Ce qui est promis',
      level: 2,
      text: list(
        '**Au moins une fois.** Un événement peut venir deux fois\u00a0: `webhook-id` reste le même, retenez-le.',
        '**Dans l’ordre, objet par objet.** Deux événements d’une même mémoire ou d’une même génération se suivent\u00a0; ceux d’objets différents, non. Pour une mémoire, `data.version` dit lequel en sait le plus.',
        `**Pendant ${hours(RETRY_MS)} heures.** Sans réponse 2xx, l’envoi est retenté, de plus en plus rarement\u00a0; après un 429 ou un 503, pas avant ce que dit \`Retry-After\`, une heure au plus. 410 met fin à l’abonnement.`,
        `**Sans gêner personne.** Une adresse qui refuse tout pendant ${hours(FAILING_MS)} heures est désactivée, comme celle qui en fait attendre ${MAX_WAITING.toLocaleString('fr-FR')}\u00a0; la page le dit, et renvoie ce qui a été manqué depuis ${DELIVERIES_KEPT_DAYS} jours. Une redirection n’est pas suivie.`,
      ),
    },
    {
      id: 'enveloppe',
      title: 'La forme d’un envoi',
      level: 2,
      text: text(
        fence(
          'json Corps',
          JSON.stringify(
            {
              type: 'generation.closed',
              version: 1,
              timestamp: '2026-11-23T09:30:00.000Z',
              data: { generationId: 'gen_…', kind: 'image', status: 'completed', code: null },
            },
            null,
            2,
          ),
        ),
        table(
          ['Champ', 'Sens'],
          [
            ['`type`', 'un des événements de cette page\u00a0; ignorez celui que vous ne connaissez pas'],
            ['`version`', 'la forme du corps, et non l’état de l’objet\u00a0: 1'],
            ['`timestamp`', 'quand c’est arrivé, en UTC\u00a0; le même à chaque tentative'],
            ['`data`', 'ce que l’événement porte, dit plus bas pour chacun'],
          ],
        ),
        table(
          ['En-tête', 'Sens'],
          [
            ['`webhook-id`', 'l’événement\u00a0; le même à chaque tentative'],
            ['`webhook-timestamp`', 'l’instant de la tentative, en secondes'],
            [
              '`webhook-signature`',
              '`v1,` et la signature\u00a0; deux, pendant qu’un secret en remplace un autre',
            ],
          ],
        ),
      ),
    },
    { id: 'types', title: 'Les événements', level: 2, text: '' },
    ...(Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]).map((type) => ({
      id: type,
      title: type,
      level: 3 as const,
      text: wordsOf(type),
    })),
  ],
};

function wordsOf(type: WebhookEventType): string {
  const { label, description, data } = WEBHOOK_EVENTS[type];
  const schema = z.toJSONSchema(data) as Schema;
  return text(`**${label}.** ${description}`, ...fieldsOf('data', schema, {}));
}
