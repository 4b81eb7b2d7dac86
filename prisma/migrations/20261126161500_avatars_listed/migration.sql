-- The avatars that an account keeps, newest first, whatever their product; with it, how many there are of each.
CREATE INDEX CONCURRENTLY "Avatar_listed" ON "Avatar" ("accountId", "createdAt" DESC, "id" DESC) INCLUDE ("productId")
  WHERE "deletedAt" IS NULL;
