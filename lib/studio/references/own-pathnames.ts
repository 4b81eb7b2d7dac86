import { ServiceError } from '#lib/core/errors.ts';
import { pathnameOfStoreUrl, type StoreAddresses } from '#lib/storage/pathnames.ts';
import type { GenerationRequest } from '../request.ts';

/** Where requests name files: fields of a reference, and the fields of a template. */
const NAMES_FILES: ReadonlySet<string> = new Set([
  'references',
  'startImage',
  'endImage',
  'characters',
  'character',
  'clips',
  'clip',
  'composition',
  'edit',
  'fields',
]);

/**
 * Runs `work` on the same request with every address of our own store as the pathname that it names: that is what a row keeps, and can
 * be asked again. The address itself may carry what signs it, and belongs to one machine or one name of the store. A refusal names the
 * reference as it was sent.
 */
export async function withOwnPathnames<T>(
  request: GenerationRequest,
  store: StoreAddresses,
  work: (request: GenerationRequest) => Promise<T>,
): Promise<T> {
  const sent = new Map<string, string>();
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const pathname = pathnameOfStoreUrl(value, store);
      if (pathname === null) return value;
      sent.set(pathname, value);
      return pathname;
    }
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  };
  const entries = Object.entries(request).map(([name, value]) => [
    name,
    NAMES_FILES.has(name) ? plain(value) : value,
  ]);
  try {
    return await work(Object.fromEntries(entries) as GenerationRequest);
  } catch (error) {
    const subject = error instanceof ServiceError ? sent.get(error.options.subject ?? '') : undefined;
    if (!(error instanceof ServiceError) || subject === undefined) throw error;
    throw new ServiceError(error.code, { ...error.options, subject, cause: error });
  }
}
