-- What the night removes of consents whose application never came for its tokens. Few are in it.
CREATE INDEX CONCURRENTLY "OAuthGrant_unused" ON "OAuthGrant" ("createdAt") WHERE "activatedAt" IS NULL;
