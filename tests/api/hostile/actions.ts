import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '#lib/local/paths.ts';
import type { PopulatedAccount } from '#tests/factories/populated-account.ts';

export type Answer = { status: string; code?: string; message?: string; problems?: unknown; data?: unknown };

export type Action = {
  /** `app/(cockpit)/equipe/actions.ts suspend`. */
  name: string;
  /** Whether it is called with a form, after the state that the form was in. */
  takesForm: boolean;
  /** Names written in its file that hold a row's identifier or a path in the store. */
  idFields: string[];
  /** Whether its file writes this name. */
  names(field: string): boolean;
  /** Calls it as a form or as a function would be, by how many arguments it takes. `reads` learns what it read of the input. */
  run(input: Record<string, unknown>, reads?: Reads): Promise<Answer>;
  /** Calls it with anything at all, as whoever writes the request by hand does. */
  call(...given: unknown[]): Promise<Answer>;
};

const ID_FIELD = /\b(\w*(?:Id|Ids)|pathname|url|document)\b(?=\s*[:,}])/g;

/** Every server action of the app, read from the files that say 'use server'. */
export async function discoverActions(): Promise<Action[]> {
  const root = path.join(repositoryRoot, 'app');
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
  const actions: Action[] = [];
  for (const file of files) {
    const source = await readFile(path.join(root, file), 'utf8');
    if (!/^['"]use server['"]/.test(source)) continue;
    const module = (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>;
    const idFields = [...new Set([...source.matchAll(ID_FIELD)].map(([, name]) => name as string))];
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'function') continue;
      const call = value as (...given: unknown[]) => Promise<Answer | undefined>;
      actions.push({
        name: `app/${file} ${name}`,
        takesForm: call.length >= 2,
        idFields,
        names: (field) => new RegExp(`\\b${field}\\b`).test(source),
        call: (...given) => settle(() => call(...given)),
        run: (input, reads) =>
          settle(() =>
            call.length >= 2
              ? call({ status: 'idle' }, reads ? reads.ofForm(input) : formOf(input))
              : call(reads ? reads.ofCall(input) : input),
          ),
      });
    }
  }
  return actions;
}

/** What an action answers; a redirection is an answer as well. */
async function settle(call: () => Promise<Answer | undefined>): Promise<Answer> {
  try {
    return (await call()) ?? { status: 'nothing' };
  } catch (error) {
    const { digest } = error as { digest?: unknown };
    if (typeof digest === 'string' && digest.startsWith('NEXT_'))
      return { status: 'redirect', message: digest };
    throw error;
  }
}

/** A name that no action knows: as often as it is read, every name is. */
const UNKNOWN = 'zqInconnu';

/** How often an action read each name of its input, whatever it was given it in. */
export class Reads {
  readonly #times = new Map<string, number>();

  readonly #count = (name: unknown): void => {
    if (typeof name === 'string') this.#times.set(name, (this.#times.get(name) ?? 0) + 1);
  };

  /** The input of a call. */
  ofCall(input: Record<string, unknown>): Record<string, unknown> {
    const count = this.#count;
    return new Proxy(
      { ...input, [UNKNOWN]: '' },
      {
        get(target, name, receiver) {
          if (Object.hasOwn(target, name)) count(name);
          return Reflect.get(target, name, receiver);
        },
      },
    );
  }

  /** The same, as a form sends it. */
  ofForm(input: Record<string, unknown>): FormData {
    const count = this.#count;
    class WatchedForm extends FormData {
      override get(name: string) {
        count(name);
        return super.get(name);
      }
      override getAll(name: string) {
        count(name);
        return super.getAll(name);
      }
    }
    return formOf(input, new WatchedForm());
  }

  /** Whether this name was read for itself, or no name was: then the input was taken whole. */
  hasRead(name: string): boolean {
    const everyName = this.#times.get(UNKNOWN) ?? 0;
    const isOwn = (times: number | undefined) => (times ?? 0) > everyName;
    return isOwn(this.#times.get(name)) || ![...this.#times.values()].some(isOwn);
  }
}

/** What was typed, as a form sends it. */
export function formOf(input: Record<string, unknown>, data = new FormData()): FormData {
  for (const [name, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value])
      if (one instanceof File) data.append(name, one);
      else if (one !== null && one !== undefined) data.append(name, text(one));
  return data;
}

/** As a form sends it: an object without a text of its own is one all the same. */
function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Each text that an action names, once with a NUL and once with half a surrogate pair; the gallery of components changes nothing. */
export function actionCases(actions: Action[], typed: () => Record<string, unknown>) {
  return actions
    .filter(({ name }) => !name.includes('apercu'))
    .flatMap((action) =>
      Object.entries(typed())
        .filter(([field, value]) => typeof value === 'string' && action.names(field))
        .flatMap(([field]) => ['a\u0000b', '\ud800'].map((text) => ({ action, field, text }))),
    );
}

let turn = 0;

/** What a member of this account could have typed, with its rows where one is named; no two calls ask for the same name. */
export function typedBy(own: Pick<PopulatedAccount, 'ids'>): Record<string, unknown> {
  turn += 1;
  const ids = Object.fromEntries(
    Object.entries(own.ids).map(([kind, [id]]) => [`${kind === 'developerKey' ? 'key' : kind}Id`, id]),
  );
  return {
    ...ids,
    parentId: null,
    clientId: 'cli_x',
    endpointId: own.ids.webhookEndpoint?.[0],
    deliveryId: own.ids.webhookDelivery?.[0],
    events: ['memory.added'],
    overlapHours: '24',
    enabled: true,
    title: 'Titre',
    body: 'Corps',
    name: 'Nom',
    note: 'Note',
    text: 'Texte',
    email: `nouveau${turn}@exemple.test`,
    role: 'MEMBER',
    permissions: [],
    pillar: 'KNOWLEDGE',
    template: 'brand',
    websiteUrl: 'https://exemple.test',
    url: 'https://exemple.test/',
    key: `cle-${turn}-00000000`,
    scopes: ['brain:read'],
    expiresInDays: '30',
    overlapDays: 0,
    amountUsd: '1',
    perGenerationUsd: '1',
    monthlyUsd: '1',
    openedVersion: 1,
    version: 1,
    expectedVersion: 2,
    archived: true,
    createdAt: '2026-11-21T09:30:00.000Z',
    filters: {},
    query: 'q=bougie',
    state: 'APPROVED',
    decision: 'APPROVED',
    productId: 'libre',
    assetIds: [own.ids.asset?.[0]],
  };
}
