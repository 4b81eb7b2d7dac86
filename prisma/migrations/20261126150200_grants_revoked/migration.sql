-- What the night removes of connections that were ended. Few are in it.
CREATE INDEX CONCURRENTLY "OAuthGrant_revoked" ON "OAuthGrant" ("revokedAt") WHERE "revokedAt" IS NOT NULL;
