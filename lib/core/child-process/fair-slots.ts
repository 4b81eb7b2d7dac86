import { ServiceError } from '../errors.ts';

type FairSlots = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets `count` works run at once in this process, one less of them at most for one owner (an account), so that none can take every place;
 * the others wait for their turn, in order. What waits is held in memory: an owner has `waitingPerOwner` works waiting at most. Throws
 * `rate_limited` (nothing was done) past them.
 */
export function createFairSlots({
  count,
  waitingPerOwner,
}: {
  count: number;
  waitingPerOwner: number;
}): FairSlots {
  const perOwner = Math.max(1, count - 1);
  const running = new Map<string, number>();
  const waiting: { owner: string; begin: () => void }[] = [];
  const of = (owner: string) => running.get(owner) ?? 0;
  const all = () => [...running.values()].reduce((sum, one) => sum + one, 0);
  const mayRun = (owner: string) => all() < count && of(owner) < perOwner;
  const take = (owner: string) => void running.set(owner, of(owner) + 1);
  const give = (owner: string) => {
    if (of(owner) === 1) running.delete(owner);
    else running.set(owner, of(owner) - 1);
    const next = waiting.findIndex((one) => mayRun(one.owner));
    if (next < 0) return;
    const [one] = waiting.splice(next, 1);
    // The place is taken for it now, so that a newcomer cannot slip in between.
    if (one) take(one.owner);
    one?.begin();
  };
  return async (owner, work) => {
    if (mayRun(owner)) take(owner);
    else {
      if (waiting.filter((one) => one.owner === owner).length >= waitingPerOwner) throw tooMany();
      await new Promise<void>((begin) => waiting.push({ owner, begin }));
    }
    try {
      return await work();
    } finally {
      give(owner);
    }
  };
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', {
    retryAfterSeconds: 30,
    message:
      'Votre compte fait déjà lire d’autres textes ou fichiers. Rien n’a été fait\u00a0: attendez que l’un d’eux soit lu, puis recommencez.',
  });
}
