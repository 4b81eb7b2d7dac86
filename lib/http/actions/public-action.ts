import type { z } from 'zod';
import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { validate } from '#lib/core/input/validate.ts';
import { formObject, givenForm } from '../requests/form-object.ts';
import { type ActionState, typedValues } from './action-state.ts';
import { guardAction, type Outcome } from './guard-action.ts';

type PublicActionOptions<S extends z.ZodType, Data> = {
  schema: S;
  // biome-ignore lint/suspicious/noConfusingVoidType: an action with nothing to say returns nothing
  run(ctx: Context<AnonymousActor>, input: z.output<S>): Promise<Outcome<Data> | void>;
};

/** A server action over a form that needs no session (signing in). Checks our own origin and the schema, then calls the verb. */
export function publicAction<S extends z.ZodType, Data = never>(options: PublicActionOptions<S, Data>) {
  return async (_: ActionState, given: FormData): Promise<ActionState<Data>> => {
    const form = givenForm(given);
    const state = await guardAction<Data>((ctx) =>
      Promise.resolve().then(() =>
        options.run(ctx, validate(options.schema, formObject(options.schema, form))),
      ),
    );
    if (state.status !== 'refused') return state;
    // These forms have one field: a problem shown beside it is not repeated above the form.
    return { ...state, ...(state.problems ? { message: '' } : {}), values: typedValues(form) };
  };
}
