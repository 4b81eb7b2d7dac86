/**
 * `get()` of `@vercel/blob` reads from `https://<store>.<access>.blob.vercel-storage.com`, whatever VERCEL_BLOB_API_URL
 * says. For the embedded store those requests are led to its own server, where fetch hands them to the network.
 */
export function routeBlobHosts(apiUrl: string): void {
  // Touching fetch's classes makes Node install its dispatcher, the one that every copy of undici in the process shares.
  void new Headers();
  const key = Symbol.for('undici.globalDispatcher.1');
  const holder = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const original = holder[key] && (holder[key][ORIGINAL] ?? holder[key]);
  if (!original)
    throw new Error('This version of Node keeps its dispatcher elsewhere: private files cannot be read.');
  const origin = new URL(apiUrl).origin;
  const routed = new Proxy(original, {
    get(target, name) {
      if (name === ORIGINAL) return target;
      if (name === 'dispatch')
        return (options: DispatchOptions, handler: unknown) =>
          target.dispatch(reroute(options, origin), handler);
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  holder[key] = routed;
}

const ORIGINAL = Symbol('the dispatcher before');

type DispatchOptions = { origin?: string | URL; path: string };
type Dispatcher = { dispatch(options: DispatchOptions, handler: unknown): boolean; [ORIGINAL]?: Dispatcher };

function reroute(options: DispatchOptions, origin: string): DispatchOptions {
  const host = String(options.origin ?? '').match(
    /^https:\/\/([A-Za-z0-9]+)\.(public|private)\.blob\.vercel-storage\.com\/?$/i,
  );
  return host ? { ...options, origin, path: `/files/${host[1]}/${host[2]}${options.path}` } : options;
}
