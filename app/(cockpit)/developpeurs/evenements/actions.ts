'use server';
import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { integerText } from '#lib/core/input/integer-text.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { recheckEndpoints } from '#lib/http/webhooks/deliver-soon.ts';
import { withWebhooks } from '#lib/http/webhooks/ports.ts';
import { replayDeliveries } from '#lib/webhooks/deliveries/replay.ts';
import { sendTest } from '#lib/webhooks/deliveries/send-test.ts';
import {
  changeEndpointEvents,
  deleteEndpoint,
  setEndpointEnabled,
} from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint, type MadeSecret } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { rotateSecret } from '#lib/webhooks/endpoints/rotate-secret.ts';
import { replayWords, testWords } from './event-words.ts';

const events = z.array(z.string()).min(1, 'Cochez au moins un événement.').max(50);
const PAGES = '/developpeurs/evenements';
const refresh = () => revalidatePath(PAGES, 'layout');

export const newEndpoint = memberAction({
  schema: z.object({ url: z.string().min(1, 'Donnez une adresse.'), events }),
  async run(ctx, input): Promise<{ data: MadeSecret }> {
    const data = await createEndpoint(withWebhooks(ctx), input, (mail) => postLater(mail, ctx.requestId));
    recheckEndpoints(ctx.actor.accountId);
    // No revalidation yet: it could remove the button that shows the secret, and the secret with it. The page is refreshed when the secret is
    // closed.
    return { data };
  },
});

export const replaceSecret = memberAction({
  schema: z.object({ endpointId: z.string(), overlapHours: integerText }),
  async run(ctx, input): Promise<{ data: MadeSecret }> {
    const post = (mail: Mail) => postLater(mail, ctx.requestId);
    return { data: await rotateSecret(withWebhooks(ctx), input, post) };
  },
});

export const changeEvents = memberAction({
  schema: z.object({ endpointId: z.string(), events, shown: shownFields }),
  async run(ctx, input) {
    await changeEndpointEvents(withWebhooks(ctx), input).catch(rereadOnConflict(PAGES, 'layout'));
    refresh();
    return { message: 'Événements enregistrés', data: true };
  },
});

export const tryEndpoint = memberCall({
  schema: z.object({ endpointId: z.string() }),
  async run(ctx, input) {
    return { data: testWords(await sendTest(withWebhooks(ctx), input)) };
  },
});

export const setEnabled = memberCall({
  schema: z.object({ endpointId: z.string(), enabled: z.boolean() }),
  async run(ctx, input) {
    await setEndpointEnabled(withWebhooks(ctx), input);
    if (input.enabled) recheckEndpoints(ctx.actor.accountId);
    refresh();
    return { message: input.enabled ? 'Envois repris' : 'Envois arrêtés' };
  },
});

export const deleteEndpointAction = memberCall({
  whileClosed: true,
  schema: z.object({ endpointId: z.string() }),
  async run(ctx, input) {
    await deleteEndpoint(withWebhooks(ctx), input);
    refresh();
    // The endpoint's own page no longer exists.
    redirect(PAGES);
  },
});

export const replayOne = memberCall({
  schema: z.object({ endpointId: z.string(), deliveryId: z.string() }),
  async run(ctx, input) {
    const sent = await replayDeliveries(withWebhooks(ctx), input);
    refresh();
    return { message: replayWords(sent) };
  },
});

export const replayFailed = memberCall({
  schema: z.object({ endpointId: z.string() }),
  async run(ctx, { endpointId }) {
    const sent = await replayDeliveries(withWebhooks(ctx), { endpointId, failedSince: new Date(0) });
    refresh();
    return { message: replayWords(sent) };
  },
});
