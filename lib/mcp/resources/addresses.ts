import { UriTemplate } from '@modelcontextprotocol/server';
import { ServiceError } from '#lib/core/errors.ts';

/** What an address names; its parts are decoded but not yet checked. */
export type Named =
  | { kind: 'space'; space: string }
  | { kind: 'context'; space: string; query: Record<string, string> }
  | { kind: 'memory'; memoryId: string };

export const SPACE_TEMPLATE = 'atelier://spaces/{space}';
export const CONTEXT_TEMPLATE = 'atelier://spaces/{space}/context{?q,maxChars,pillars}';
export const MEMORY_TEMPLATE = 'atelier://memories/{memoryId}';

/** The address of a Space, which never changes. */
export function spaceAddress(spaceId: string): string {
  return `atelier://spaces/${encodeURIComponent(spaceId)}`;
}

/** The address of a Memory, which never changes. */
export function memoryAddress(memoryId: string): string {
  return `atelier://memories/${encodeURIComponent(memoryId)}`;
}

/** Which kind an address is of; null for what is no address of ours. */
function kindOf(address: string): Named['kind'] | null {
  if (address.length > MAX_ADDRESS) return null;
  if (/^atelier:\/\/memories\/[^/?#]+$/.test(address)) return 'memory';
  if (/^atelier:\/\/spaces\/[^/?#]+$/.test(address)) return 'space';
  return /^atelier:\/\/spaces\/[^/?#]+\/context(\?[^#]*)?$/.test(address) ? 'context' : null;
}

const MAX_ADDRESS = 4_000;

/** Reads an address of a known kind. Errors: `invalid_request` (an escape that is none, a parameter given twice), `not_found` (no address of ours). */
export function readAddress(address: string): Named {
  const kind = kindOf(address);
  if (kind === null)
    throw new ServiceError('not_found', { message: 'Cette adresse ne désigne rien dans ce service.' });
  const [, , , name = '', ...rest] = address.split(/[/?]/);
  if (kind === 'memory') return { kind, memoryId: decoded(name, 'memoryId') };
  const space = decoded(name, 'space');
  if (kind === 'space') return { kind, space };
  return { kind, space, query: queryOf(rest.length > 1 ? address.slice(address.indexOf('?') + 1) : '') };
}

/** The parameters of an address by name. A parameter without a value counts as absent: form fields left empty are written so. */
function queryOf(text: string): Record<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter(Boolean)) {
    const [name = '', ...value] = pair.split('=');
    const key = decoded(name, 'query');
    if (query.has(key)) throw invalid(key, 'Ce paramètre est donné deux fois.');
    query.set(key, decoded(value.join('='), key));
  }
  return Object.fromEntries([...query].filter(([, value]) => value.trim() !== ''));
}

function decoded(text: string, field: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(field, 'Le codage de l’adresse (%) n’est pas valable.');
  }
}

function invalid(field: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { message, problems: [{ field, message }] });
}

/** A template that takes every address of its kind, its parameters optional and in any order, as RFC 6570 writes them. */
export class AddressTemplate extends UriTemplate {
  readonly #kind: Named['kind'];
  constructor(template: string, kind: Named['kind']) {
    super(template);
    this.#kind = kind;
  }
  override match(address: string): Record<string, string> | null {
    return kindOf(address) === this.#kind ? {} : null;
  }
}
