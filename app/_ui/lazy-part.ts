import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { toast } from './toast.ts';

type Load<C> = () => Promise<{ default: C }>;

/**
 * A part of a page fetched when it is first needed. Needed while the network is lost, it says so and comes once it is back,
 * instead of ending the page.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export function lazyPart<C extends ComponentType<any>>(load: Load<C>): LazyExoticComponent<C> {
  return lazy(() =>
    load().catch((error: unknown) => {
      if (navigator.onLine) throw error;
      toast({
        name: 'lost-network',
        title: 'La connexion a été perdue',
        description: 'Ce que vous ouvriez s’affichera dès qu’elle reviendra.',
        tone: 'fail',
      });
      return new Promise<{ default: C }>((resolve, reject) => {
        window.addEventListener('online', () => load().then(resolve, reject), { once: true });
      });
    }),
  );
}

/** Fetches a part ahead of a likely use; a lost network is nothing to say yet. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => {});
}
