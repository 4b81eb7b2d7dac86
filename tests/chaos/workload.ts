import type { Connection } from '#lib/db/connection.ts';
import type { Random } from '#tests/simulation/random.ts';
import type { Instance } from './instances.ts';

/** One request of the client, under a key of its own, asked again until it is answered. */
export type Ask = { key: string; body: Record<string, unknown>; id?: string; sends: number };

const QUOTE = { quote: 'La lumière se fabrique lentement.', author: 'Agnès' };

type Kind = 'video' | 'image' | 'lipsync' | 'render';
export const KINDS: readonly Kind[] = ['video', 'video', 'video', 'video', 'image', 'lipsync'];
export const SHORT_KINDS: readonly Kind[] = ['video', 'video', 'video', 'image'];

/** A round's requests: a render, then mostly videos. */
export function plan(
  random: Random,
  round: number,
  size: number,
  voice: { id: string; face: string },
  kinds: readonly Kind[],
): Ask[] {
  return Array.from({ length: size }, (_, rank) => {
    const serial = round * 1_000 + rank;
    const brief = `Une flamme [chaos ${serial}]`;
    const pick = rank === 0 ? 'render' : random.pick(kinds);
    const body = {
      video: { kind: 'video', case: 'veo', brief, durationSeconds: 4 },
      image: { kind: 'image', brief },
      lipsync: { kind: 'lipsync', voiceGenerationId: voice.id, character: voice.face },
      render: { kind: 'render', template: 'quote-card', size: '1080x1080', fields: QUOTE },
    }[pick];
    return { key: `chaos-${serial}`, body, sends: 0 };
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends one request until somebody answers it for good: the same key, so that it is one request however often it is sent. */
export async function submit(
  ask: Ask,
  options: { instances: Instance[]; cookie: string; random: Random; until: number },
): Promise<void> {
  // A render is told to call back where it was asked: the instance with an address that answers.
  const isRender = ask.body.kind === 'render';
  const usable = isRender
    ? options.instances.filter(({ cookieName }) => cookieName === 'atelier')
    : options.instances;
  while (Date.now() < options.until) {
    const instance = options.random.pick(usable);
    ask.sends += 1;
    const answer = await fetch(`${instance.url}/api/generations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': ask.key,
        cookie: `${instance.cookieName}=${options.cookie}`,
      },
      body: JSON.stringify(ask.body),
      signal: AbortSignal.timeout(20_000),
    })
      .then(
        async (response) =>
          (await response.json()) as { id?: string; error?: { subject?: string; code: string } },
      )
      .catch(() => undefined);
    const id = answer?.id ?? answer?.error?.subject;
    if (id) {
      ask.id = id;
      return;
    }
    await pause(100 + options.random.below(200));
  }
}

/** Readers, sweeps and time itself, all at once on every instance that is up, until told to stop. */
export function closers(options: {
  instances: Instance[];
  cookie: string;
  cronSecret: string;
  connection: Connection;
  asks: readonly Ask[];
  random: Random;
}): { stop(): Promise<{ reads: number; sweeps: number; cut: number }> } {
  const { instances, random, connection } = options;
  const counts = { reads: 0, sweeps: 0, cut: 0 };
  let stopped = false;
  const call = (instance: Instance, path: string, headers: Record<string, string>) =>
    fetch(instance.url + path, { headers, signal: AbortSignal.timeout(60_000) })
      .then((response) => response.text())
      .catch(() => {
        counts.cut += 1;
        return pause(50);
      });
  const reader = async () => {
    while (!stopped) {
      const known = options.asks.filter(({ id }) => id);
      const ask = known.length > 0 ? random.pick(known) : undefined;
      const up = instances.filter((instance) => instance.isUp());
      if (!ask || up.length === 0) {
        await pause(50);
        continue;
      }
      const instance = random.pick(up);
      counts.reads += 1;
      await call(instance, `/api/generations/${ask.id}`, {
        cookie: `${instance.cookieName}=${options.cookie}`,
      });
    }
  };
  const sweeper = async (instance: Instance) => {
    while (!stopped) {
      if (instance.isUp()) {
        counts.sweeps += 1;
        await call(instance, '/api/cron/generations-sweep', {
          authorization: `Bearer ${options.cronSecret}`,
        });
      }
      await pause(100);
    }
  };
  // Fifteen seconds and five minutes pass at once, and no lease protects anybody: every closer may come at any time.
  const time = async () => {
    while (!stopped) {
      await connection.pool
        .query(
          `UPDATE "Generation" SET "readableAt" = now(), "dueAt" = now()
           WHERE "state" = 'SUBMITTED' AND ("readableAt" > now() OR "dueAt" > now())`,
        )
        .catch(() => undefined);
      await pause(150);
    }
  };
  const flows = [reader(), reader(), reader(), ...instances.map(sweeper), time()];
  return {
    async stop() {
      stopped = true;
      await Promise.all(flows);
      return counts;
    },
  };
}
