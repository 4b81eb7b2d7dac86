import { capitalized, nbsp } from '#app/_ui/format.ts';
import type { DeliveryView } from '#lib/webhooks/deliveries/list-deliveries.ts';
import type { Sent } from '#lib/webhooks/delivery/send.ts';

/** Why a request got no response, by the error code of the fetcher. */
const UNANSWERED: Record<string, string> = {
  timeout: 'pas de réponse en 5 secondes',
  dns: 'le nom du site n’existe pas, ou ne répond pas',
  tls: 'le certificat du site n’est pas valable',
  connection: 'la connexion a été refusée ou coupée',
  'private-address': 'l’adresse mène à un réseau privé',
  received: 'la réponse est trop longue',
  secret: 'le secret ne peut plus être lu\u00a0: remplacez-le',
};

const unanswered = (word: string) => UNANSWERED[word] ?? 'l’adresse n’a pas pu être appelée';

export type Tried = { ok: boolean; title: string; detail: string };

/** The result of a test event, for a notice. */
export function testWords(sent: Sent): Tried {
  if (sent.result === 'unsealed')
    return {
      ok: false,
      title: 'Rien n’a été envoyé',
      detail: 'Le secret ne peut plus être lu\u00a0: remplacez-le.',
    };
  if (sent.result === 'unanswered')
    return {
      ok: false,
      title: 'L’adresse n’a pas répondu',
      detail: `${capitalized(unanswered(sent.error))}.`,
    };
  return sent.result === 'accepted'
    ? {
        ok: true,
        title: 'L’adresse a accepté l’événement',
        detail: nbsp(`Elle a répondu ${sent.status} en ${sent.ms} ms.`),
      }
    : {
        ok: false,
        title: 'L’adresse a refusé l’événement',
        detail: nbsp(
          `Elle a répondu ${sent.status} en ${sent.ms} ms\u00a0; il faut une réponse entre 200 et 299. Une redirection n’est pas suivie.`,
        ),
      };
}

/** How many events are sent again, in words. */
export function replayWords(sent: number): string {
  if (sent === 0) return 'Rien à renvoyer';
  return sent === 1 ? 'L’événement part à nouveau' : nbsp(`${sent} événements partent à nouveau`);
}

/** The result of the last attempt of a delivery; null before the first attempt. */
export function lastAnswer(delivery: Pick<DeliveryView, 'lastStatus' | 'lastError'>): string | null {
  if (delivery.lastStatus !== null) return nbsp(`Réponse ${delivery.lastStatus}`);
  if (delivery.lastError === null) return null;
  return capitalized(unanswered(delivery.lastError));
}

/** Why an endpoint is disabled, as a sentence, by reason. */
export const DISABLED: Record<string, string> = {
  member: 'Un membre a arrêté les envois.',
  gone: 'L’adresse a répondu 410\u00a0: elle ne veut plus rien recevoir.',
  failing: 'L’adresse n’a accepté aucun événement depuis un jour.',
  backlog: 'L’adresse n’accepte plus rien, et trop d’événements attendaient.',
  secret: 'Le secret ne peut plus être lu\u00a0: remplacez-le, puis reprenez les envois.',
};
