import { nextFreePort, portFault } from './serve.ts';
import { StartFault } from './start-once.ts';

const DEFAULT_PORT = 3000;

/** Why a port cannot be had, in the words of who typed the command. */
function faultSentence(port: number, code: string): string {
  if (code === 'EADDRINUSE') return `Le port ${port} est pris. Libérez-le, ou donnez-en un autre dans PORT.`;
  if (code === 'EACCES')
    return `Le système refuse le port ${port} à ce compte. Donnez dans PORT un nombre d’au moins 1024.`;
  if (code === 'EADDRNOTAVAIL')
    return 'Cette machine n’a pas l’adresse 127.0.0.1\u00a0: Atelier ne peut pas y répondre.';
  return `Le port ${port} ne peut pas être ouvert (${code}).`;
}

/**
 * The port to serve on: the one that PORT names (`asked`; 0: any), else the first free one from 3000 on, and `say` tells when that is another.
 * Throws StartFault with why none can be had.
 */
export async function choosePort(
  say: (line: string) => void,
  {
    asked = process.env.PORT?.trim(),
    faultOf = portFault,
  }: { asked?: string | undefined; faultOf?: typeof portFault } = {},
): Promise<number> {
  if (!asked) {
    const fault = await faultOf(DEFAULT_PORT);
    if (fault === undefined) return DEFAULT_PORT;
    if (fault !== 'EADDRINUSE') throw new StartFault(faultSentence(DEFAULT_PORT, fault));
    const port = await nextFreePort(DEFAULT_PORT + 1);
    say(`Le port ${DEFAULT_PORT} est pris\u00a0: Atelier prend ${port}.`);
    return port;
  }
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartFault(`PORT doit être un nombre de 0 à 65535, pas «\u00a0${asked}\u00a0».`);
  if (port === 0) return nextFreePort(20_000 + Math.floor(Math.random() * 20_000));
  const fault = await faultOf(port);
  if (fault !== undefined) throw new StartFault(faultSentence(port, fault));
  return port;
}
