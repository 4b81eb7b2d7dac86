import { isIP } from 'node:net';
import { FetchRefusal } from './fetch-refusal.ts';

export type UrlPolicy = {
  /** Exact lowercase hosts; absent means any public host. */
  hosts?: readonly string[];
  /** Ports accepted besides 443. */
  ports?: readonly number[];
  /** A further check of the whole address (for example a folder of the host), repeated after each redirect. */
  permits?: (url: URL) => boolean;
};

const MAX_URL_LENGTH = 4096;
/** Names that never belong to a public site, whatever a resolver says. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
  'onion',
  'test',
  'invalid',
];

/**
 * The parsed address when the policy lets it be fetched, else a `FetchRefusal`. The parser has already folded every
 * spelling of an IP literal (0x7f000001, 2130706433, 127.1, full-width digits) into one, so one test catches them all.
 */
export function parseSafeUrl(raw: string, policy: UrlPolicy = {}, base?: URL): URL {
  // Characters that parsers drop or translate are where two readers of one address disagree.
  if (raw.length > MAX_URL_LENGTH || /[\s\\\p{Cc}]/u.test(raw)) {
    throw new FetchRefusal('unreadable', { detail: 'url' });
  }
  if (!URL.canParse(raw, base)) throw new FetchRefusal('unreadable', { detail: 'url' });
  const url = new URL(raw, base);
  if (url.protocol !== 'https:') throw new FetchRefusal('not-https');
  if (url.username !== '' || url.password !== '') refuse('userinfo');
  const host = url.hostname;
  if (host.startsWith('[') || isIP(host) !== 0) refuse('ip-literal');
  if (host.endsWith('.')) refuse('trailing-dot');
  if (!host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`)))
    refuse('private-name');
  if (url.port !== '' && !policy.ports?.includes(Number(url.port))) refuse('port');
  if (policy.hosts && !policy.hosts.includes(host)) refuse('host');
  if (policy.permits && !policy.permits(url)) refuse('path');
  url.hash = '';
  return url;
}

function refuse(detail: string): never {
  throw new FetchRefusal('host-not-allowed', { detail });
}
