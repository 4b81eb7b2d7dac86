import type { Pool } from 'pg';

/** What the one connection of a pool of one has received so far, in bytes. */
export async function receivedBytes(pool: Pool): Promise<number> {
  const client = await pool.connect();
  const { bytesRead } = (client as unknown as { connection: { stream: { bytesRead: number } } }).connection
    .stream;
  client.release();
  return bytesRead;
}
