import type { MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { WebhookContext } from '../context.ts';
import { eventsProblem, type WebhookEventType } from '../events.ts';
import { MAX_URL_LENGTH } from '../limits.ts';

export type EndpointFields = { url: string; events: readonly string[] };

/**
 * The address as it will be called and the events, each once. Its names are asked here as they are at each sending. Errors:
 * `invalid_request` naming the field.
 */
export async function checkEndpointFields(
  ctx: WebhookContext<MemberActor>,
  input: EndpointFields,
): Promise<{ url: string; host: string; events: WebhookEventType[] }> {
  const text = input.url.trim();
  const events = [...new Set(input.events)] as WebhookEventType[];
  const problems = [];
  if (text.length > MAX_URL_LENGTH)
    problems.push({ field: 'url', message: `L’adresse compte ${MAX_URL_LENGTH} caractères au plus.` });
  else
    try {
      await ctx.webhooks.checkAddress(text);
    } catch (error) {
      if (!(error instanceof FetchRefusal)) throw error;
      problems.push({
        field: 'url',
        message:
          error.detail === 'dns'
            ? 'Le nom de ce site n’existe pas, ou ne répond pas.'
            : error.reason === 'host-not-allowed'
              ? 'Cette adresse n’est pas celle d’un site public, en https, sur le port habituel.'
              : error.message,
      });
    }
  const fault = eventsProblem(ctx.actor, events);
  if (fault) problems.push(fault);
  if (problems.length > 0)
    throw new ServiceError('invalid_request', { message: problems[0]?.message, problems });
  const url = new URL(text);
  url.hash = '';
  return { url: url.href, host: url.host, events };
}
