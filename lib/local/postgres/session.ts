import pg from 'pg';

/** One short session on a server: connected for `work`, ended whatever it does. */
export async function withSession<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  options: { name?: string } = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 60_000,
    ...(options.name ? { application_name: options.name } : {}),
  });
  // A connection that breaks fails the query that waits on it; alone, it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
