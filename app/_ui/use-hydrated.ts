'use client';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False for what the server draws and for the first render of a page in the browser, true right after. What stands below the screen can follow
 * then: the first paint does not wait for it (docs/decisions/0037-page-weight.md). A page that is reached by a link has it at once.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
