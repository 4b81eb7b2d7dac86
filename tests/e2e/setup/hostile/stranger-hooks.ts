// Loaded before the server by tests/e2e/service/exploits.test.ts: one name is a public address for it, and a connection there reaches
// the test's own site. Nothing of `safeFetch` is changed: it resolves, judges the address, connects and checks the certificate.
import { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';

const SITE = 'etranger.atelier.example';
const ADDRESS = '93.184.216.34';
const port = Number(process.env.ATELIER_TEST_SITE_PORT);

type Lookup = (name: string, ...rest: unknown[]) => Promise<unknown>;
const names = Resolver.prototype as unknown as { resolve4: Lookup; resolve6: Lookup };
const { resolve4, resolve6 } = names;
names.resolve4 = function (name, ...rest) {
  return name === SITE ? Promise.resolve([ADDRESS]) : resolve4.call(this, name, ...rest);
};
names.resolve6 = function (name, ...rest) {
  return name === SITE ? Promise.resolve([]) : resolve6.call(this, name, ...rest);
};

type Connect = (options: tls.ConnectionOptions, ...rest: unknown[]) => tls.TLSSocket;
const sockets = tls as unknown as { connect: Connect };
const { connect } = sockets;
sockets.connect = (options, ...rest) => {
  if (options.host !== SITE) return connect(options, ...rest);
  const { lookup: _lookup, ...kept } = options;
  const socket = connect({ ...kept, host: '127.0.0.1', port }, ...rest);
  Object.defineProperty(socket, 'remoteAddress', { value: ADDRESS });
  return socket;
};
syncBuiltinESMExports();
