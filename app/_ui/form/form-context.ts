'use client';
import { createContext, useContext } from 'react';
import { type ActionState, IDLE } from '#lib/http/actions/action-state.ts';

type FormContextValue = { state: ActionState; pending: boolean };

/** Apart from `Form`: fields are drawn where there is none, and need not bring it. */
export const FormContext = createContext<FormContextValue>({ state: IDLE, pending: false });

/** State of the form around: for fields and submit buttons. */
export function useForm(): FormContextValue {
  return useContext(FormContext);
}
