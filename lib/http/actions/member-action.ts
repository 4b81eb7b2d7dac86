import { cookies, headers } from 'next/headers';
import type { z } from 'zod';
import { hasPermission, type MemberActor, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';
import { formObject, givenForm } from '../requests/form-object.ts';
import { memberOfCookie } from '../sessions/member-session.ts';
import { refuseOtherPage } from '../sessions/refuse-other-page.ts';
import { deliverSoon } from '../webhooks/deliver-soon.ts';
import { type ActionState, typedValues } from './action-state.ts';
import { guardAction, type Outcome } from './guard-action.ts';

type MemberActionOptions<S extends z.ZodType, Data> = {
  /** The right it takes; without it any signed-in member may. */
  permission?: Permission;
  schema: S;
  /** Whether a closed account may do it too: ending, leaving, exporting, reopening, and the verification that these may require. */
  whileClosed?: boolean;
  /** Whether it may also be called from a page drawn for another member of the session's person: an action that leaves that page. */
  fromAnyPage?: boolean;
  /** Calls the verb. May `redirect()`. What it returns becomes the `done` answer. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an action with nothing to say returns nothing
  run(ctx: Context<MemberActor>, input: z.output<S>): Promise<Outcome<Data> | void>;
};

const SIGNED_OUT =
  'Votre session est terminée\u00a0: rien n’a été enregistré. Ce que vous avez saisi est toujours là. ' +
  'Connectez-vous dans un autre onglet, puis recommencez ici.';

function act<S extends z.ZodType, Data>(
  options: MemberActionOptions<S, Data>,
  read: () => unknown,
): Promise<ActionState<Data>> {
  return guardAction(async (anonymous) => {
    const store = await cookies();
    const member = await memberOfCookie((name) => store.get(name)?.value, { isWrite: true });
    if (!member) throw new ServiceError('unauthenticated', { message: SIGNED_OUT });
    if (!options.fromAnyPage) refuseOtherPage(member, await headers());
    if (options.permission && !hasPermission(member.actor, options.permission))
      throw new ServiceError('forbidden');
    if (member.actor.closed && !options.whileClosed) throw accountClosed();
    const input = validate(options.schema, read());
    deliverSoon(member.actor.accountId);
    return options.run({ ...anonymous, actor: member.actor }, input);
  });
}

/**
 * A server action over a form. Checks, in this order: our own origin, a live session, that the page was drawn for it, the permission, the form
 * by its schema (ticked boxes as a list, one box as a boolean); then calls the verb. Refusals come back in French with the fields at fault and
 * what was typed.
 */
export function memberAction<S extends z.ZodType, Data = never>(options: MemberActionOptions<S, Data>) {
  return async (_: ActionState, given: FormData): Promise<ActionState<Data>> => {
    const form = givenForm(given);
    const state = await act(options, () => formObject(options.schema, form));
    return state.status === 'refused' ? { ...state, values: typedValues(form) } : state;
  };
}

/** The same for a call without a form (a row's button, an undo): `await revoke({ keyId })` in a client component. */
export function memberCall<S extends z.ZodType, Data = never>(options: MemberActionOptions<S, Data>) {
  return (input: z.input<S>): Promise<ActionState<Data>> => act(options, () => input);
}
