type Pending = { email: string; sentAt: Date; expiresAt: Date };

const nameOf = (isSecure: boolean) => (isSecure ? '__Host-atelier-connexion' : 'atelier-connexion');

/** The cookie that remembers, between the two steps, where the code was sent; null takes it away. It opens nothing by itself. */
export function pendingCookie(pending: Pending | null, now: Date, isSecure: boolean) {
  const value = pending
    ? [pending.email, pending.sentAt.getTime(), pending.expiresAt.getTime()].join('\n')
    : '';
  return {
    name: nameOf(isSecure),
    value: Buffer.from(value).toString('base64url'),
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: pending ? Math.ceil((pending.expiresAt.getTime() - now.getTime()) / 1000) : 0,
  } as const;
}

/** Where the code was sent, while it can still be entered. */
export function readPending(
  read: (name: string) => string | undefined,
  now: Date,
  isSecure: boolean,
): Pending | null {
  const value = read(nameOf(isSecure));
  if (!value) return null;
  const [email, sentAt, expiresAt] = Buffer.from(value, 'base64url').toString().split('\n');
  const pending = {
    email: email ?? '',
    sentAt: new Date(Number(sentAt)),
    expiresAt: new Date(Number(expiresAt)),
  };
  return pending.email && pending.expiresAt > now ? pending : null;
}
