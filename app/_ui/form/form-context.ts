'use client';
import { createContext, useContext } from 'react';
import { type ActionState, IDLE } from '#lib/http/actions/action-state.ts';

type FormContextValue = { state: ActionState; pending: boolean };

/** In a file of its own, so that fields outside a form do not load `Form`. */
export const FormContext = createContext<FormContextValue>({ state: IDLE, pending: false });

/** The state of the surrounding form, for fields and submit buttons; idle outside a form. */
export function useForm(): FormContextValue {
  return useContext(FormContext);
}
